import Authoring
import Hits

/// What the entities of a workspace are called, for forms that name them.
struct WorkspaceNames: Sendable {
  /// Triggers by id.
  let triggers: [String: String]
  /// Names of triggers in their order, the standard ones first.
  let triggerNames: [String]
  private let triggerIDs: [String: String]
  let tags: [String]
  let folders: [(value: String, text: String)]
  /// Every variable as it is referred to, such as `{{Screen}}`.
  let references: [String]

  init(_ workspace: Workspace) {
    let all = Vocabulary.standardTriggers + workspace.triggers.map { (id: $0.id, name: $0.name) }
    triggers = Dictionary(all.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    triggerIDs = Dictionary(all.map { ($0.name.lowercased(), $0.id) }, uniquingKeysWith: { first, _ in first })
    triggerNames = all.map(\.name)
    tags = workspace.tags.map(\.name)
    folders = [("", "None")] + workspace.folders.map { ($0.id, $0.name) }
    let builtIns = Dictionary(
      Vocabulary.builtInVariables.map { ($0.type, $0.name) }, uniquingKeysWith: { first, _ in first })
    let names =
      workspace.variables.map(\.name)
      + workspace.builtInVariables.map { $0.name.isEmpty ? builtIns[$0.type] ?? $0.type : $0.name }
    references = names.map { "{{\($0)}}" }
  }

  /// The name of a trigger; of one that is not there its id.
  func triggerName(_ id: String) -> String { triggers[id] ?? id }

  /// The id of a trigger by its name or id; nil when there is none.
  func triggerID(_ text: String) -> String? { triggerIDs[text.lowercased()] ?? (triggers[text] == nil ? nil : text) }
}
