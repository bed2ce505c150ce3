import Authoring
import Hits
import TagManager
import Testing

/// An author's tag, not one of a test.
typealias Tag = Authoring.Tag

/// Workspaces written in tests, and what they compile to.
extension Workspace {
  static func sketch(
    tags: [Tag] = [], triggers: [Trigger] = [], variables: [Variable] = [], builtIns: [String] = ["EVENT_NAME"]
  ) -> Workspace {
    var workspace = Workspace(
      tags: tags, triggers: triggers, variables: variables,
      builtInVariables: builtIns.map { BuiltInVariable(fields: ["type": .string($0)]) })
    workspace.container = ["publicId": "GTM-TEST", "containerId": "77", "usageContext": ["IOS"]]
    return workspace
  }

  var codes: [String] { diagnostics.filter { $0.severity != .info }.map(\.code.rawValue) }

  func compiledContainer() throws -> CompiledContainer {
    let compilation = compiled(CompileSettings { $0.count })
    #expect(compilation.diagnostics.filter { $0.severity == .error } == [])
    return try #require(compilation.container)
  }
}

extension Tag {
  init(
    _ name: String, type: String = "func", id: String = "1", firing: [String] = ["1"], blocking: [String] = [],
    _ parameters: [Parameter] = [], more: [String: Value] = [:]
  ) {
    self.init(fields: ["name": .string(name), "type": .string(type), "tagId": .string(id)])
    firingTriggerIDs = firing
    if !blocking.isEmpty { blockingTriggerIDs = blocking }
    if !parameters.isEmpty { self.parameters = parameters }
    fields.merge(more) { $1 }
  }
}

extension Trigger {
  init(
    _ name: String, type: String = "ALWAYS", id: String = "1", event: [Condition] = [], _ filter: [Condition] = [],
    _ parameters: [Parameter] = []
  ) {
    self.init(fields: ["name": .string(name), "type": .string(type), "triggerId": .string(id)])
    if !event.isEmpty { fields["customEventFilter"] = .list(event.map { .map($0.fields) }) }
    if !filter.isEmpty { conditions = filter }
    if !parameters.isEmpty { self.parameters = parameters }
  }
}

extension Variable {
  init(
    _ name: String, type: String = "v", id: String = "1", _ parameters: [Parameter] = [], more: [String: Value] = [:]
  ) {
    self.init(fields: ["name": .string(name), "type": .string(type), "variableId": .string(id)])
    if !parameters.isEmpty { self.parameters = parameters }
    fields.merge(more) { $1 }
  }
}
