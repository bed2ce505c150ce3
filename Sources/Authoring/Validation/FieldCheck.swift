import Hits
import TagManager

/// Whether the fields that are read here have the types they must have.
struct FieldCheck {
  /// What a field must be when it is there.
  private enum Shape {
    case text
    case texts
    case flag
    case number
    case map
    case maps
    case parameter
    case parameters
    case conditions
  }

  /// Parameters nest at most this deep; the limit of an import comes first.
  private static let depth = 64

  func check(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    checkHeader(workspace, into: &diagnostics)
    check(workspace.tags, into: &diagnostics)
    check(workspace.triggers, into: &diagnostics)
    check(workspace.variables, into: &diagnostics)
    check(workspace.builtInVariables, into: &diagnostics)
    check(workspace.folders, into: &diagnostics)
    check(workspace.customTemplates, into: &diagnostics)
  }

  private func checkHeader(_ workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    if let container = workspace.fields["container"], container.map == nil {
      diagnostics.error(.wrongType, "The container must be an object.", field: "container")
    }
    for (fields, key, shape) in [
      (workspace.fields, "containerVersionId", Shape.text), (workspace.container, "publicId", .text),
      (workspace.container, "usageContext", .texts), (workspace.container, "enabledBuiltInVariable", .texts),
    ] {
      guard let value = fields[key], !isOfShape(value, shape) else { continue }
      diagnostics.error(.wrongType, "The field \(key) must be \(Self.words(shape)).", field: key)
    }
  }

  private func check<Kind: Entity>(_ entities: [Kind], into diagnostics: inout DiagnosticCollector) {
    let required = Self.required(Kind.kind)
    let shapes = Self.shapes(Kind.kind)
    for entity in entities {
      for key in required where entity.fields.text(key).isEmpty && entity.fields[key].map({ $0 == "" }) ?? true {
        diagnostics.error(.missingField, "The field \(key) must not be empty.", entity.reference, field: key)
      }
      for (key, shape) in shapes {
        guard let value = entity.fields[key], !isOfShape(value, shape) else { continue }
        diagnostics.error(
          .wrongType, "The field \(key) must be \(Self.words(shape)).", entity.reference, field: key)
      }
      checkKeys(entity, into: &diagnostics)
    }
  }

  private func checkKeys(_ entity: some Entity, into diagnostics: inout DiagnosticCollector) {
    var keys: Set<String> = []
    for parameter in entity.parameters where !keys.insert(parameter.key).inserted {
      diagnostics.warning(
        .duplicateParameter, "A parameter is given twice; the last one counts. Remove the other.", entity.reference,
        field: "parameter.\(parameter.key.prefix(80))")
    }
  }

  private static func required(_ kind: EntityKind) -> [String] {
    switch kind {
    case .tag, .trigger, .variable: ["name", "type", kind.idField]
    case .builtInVariable: ["type"]
    case .folder, .customTemplate: ["name", kind.idField]
    }
  }

  private static func shapes(_ kind: EntityKind) -> [(String, Shape)] {
    var common: [(String, Shape)] = [
      ("name", .text), ("type", .text), ("notes", .text), ("parentFolderId", .text), ("parameter", .parameters),
    ]
    if kind.idField != "type" { common.append((kind.idField, .text)) }
    switch kind {
    case .tag:
      return common + [
        ("firingTriggerId", .texts), ("blockingTriggerId", .texts), ("paused", .flag), ("liveOnly", .flag),
        ("priority", .parameter), ("tagFiringOption", .text), ("setupTag", .maps), ("teardownTag", .maps),
        ("scheduleStartMs", .number), ("scheduleEndMs", .number), ("consentSettings", .map),
      ]
    case .trigger:
      return common + [
        ("filter", .conditions), ("customEventFilter", .conditions), ("autoEventFilter", .conditions),
      ]
    case .variable:
      return common + [("enablingTriggerId", .texts), ("disablingTriggerId", .texts), ("formatValue", .map)]
    case .builtInVariable, .folder, .customTemplate: return common
    }
  }

  private func isOfShape(_ value: Value, _ shape: Shape) -> Bool {
    switch shape {
    case .text: value.string != nil
    case .texts: value.list.map { $0.allSatisfy { $0.string != nil } } ?? false
    case .flag: value == true || value == false
    case .number: Int64(value.string ?? "") != nil || { if case .int = value { true } else { false } }()
    case .map: value.map != nil
    case .maps: value.list.map { $0.allSatisfy { $0.map != nil } } ?? false
    case .parameter: isParameter(value, depth: Self.depth)
    case .parameters: value.list.map { $0.allSatisfy { isParameter($0, depth: Self.depth) } } ?? false
    case .conditions:
      value.list.map { conditions in
        conditions.allSatisfy { condition in
          guard let fields = condition.map, fields["type"]?.string != nil else { return false }
          return isOfShape(fields["parameter"] ?? .list([]), .parameters)
        }
      } ?? false
    }
  }

  private func isParameter(_ value: Value, depth: Int) -> Bool {
    guard depth > 0, let fields = value.map else { return false }
    let parameter = Parameter(fields: fields)
    guard let kind = parameter.kind, fields["key"].map({ $0.string != nil }) ?? true else { return false }
    switch kind {
    case .list, .map:
      guard let items = fields[kind == .list ? "list" : "map"] else { return true }
      return items.list.map { $0.allSatisfy { isParameter($0, depth: depth - 1) } } ?? false
    default:
      switch fields["value"] {
      case nil, .string, .int, .double, .bool: return true
      default: return false
      }
    }
  }

  private static func words(_ shape: Shape) -> String {
    switch shape {
    case .text: "a text"
    case .texts: "a list of texts"
    case .flag: "true or false"
    case .number: "a whole number"
    case .map: "an object"
    case .maps: "a list of objects"
    case .parameter: "a parameter with a known type"
    case .parameters: "a list of parameters with known types"
    case .conditions: "a list of conditions, each with a type and its parameters"
    }
  }
}
