/// The entities of a workspace by what others call them; of two that share a name or id the first one counts.
struct WorkspaceIndex {
  /// Positions of variables by name.
  let variables: [String: Int]
  /// Names of switched-on built-in variables, as this workspace calls them.
  let builtInNames: Set<String>
  /// Positions of triggers by id.
  let triggers: [String: Int]
  /// Positions of tags by name.
  let tags: [String: Int]
  private let isForApps: Bool

  init(_ workspace: Workspace) {
    func positions(_ keys: some Sequence<String>) -> [String: Int] {
      Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    variables = positions(workspace.variables.map(\.name))
    builtInNames = Set(workspace.enabledBuiltIns.map(\.name))
    triggers = positions(workspace.triggers.map(\.id))
    tags = positions(workspace.tags.map(\.name))
    isForApps = workspace.isForApps
  }

  /// The name by which triggers refer to the event's own name.
  static let eventName = "_event"

  /// Whether a name stands for a value; outside apps the platform has names of its own that begin with `_`.
  func hasVariable(_ name: String) -> Bool {
    variables[name] != nil || builtInNames.contains(name) || name == Self.eventName
      || (!isForApps && name.hasPrefix("_"))
  }

  /// Whether there is a trigger of an id; outside apps the platform has ids of its own.
  func hasTrigger(_ id: String) -> Bool {
    triggers[id] != nil || StandardTrigger(rawValue: id) != nil || (!isForApps && id.hasPrefix("21474795"))
  }
}
