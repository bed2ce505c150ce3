import Authoring
import Hits
import TagManager

/// `tagworks container diff`: what differs between two workspaces or two containers.
enum ContainerDiff: Command {
  static let description = CommandDescription(
    path: "container diff",
    summary: "Shows what differs between two workspaces, or two containers of any form.",
    operands: [
      .init(name: "A", help: "a workspace export or a container"),
      .init(name: "B", help: "another one; two workspaces are compared as such, otherwise compiled"),
    ],
    options: [.init(name: "--json", help: "print one change a line as JSON")],
    exits: [
      (.success, "compared, whether they differ or not"), (.inputHasErrors, "a file has errors"),
      (.unavailable, "a file cannot be read"),
    ],
    example: "tagworks container diff GTM-SHOP.workspace.json GTM-SHOP.json")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let from = try ContainerSource(path: arguments.operand(0) ?? "")
    let to = try ContainerSource(path: arguments.operand(1) ?? "")
    let changes: [EntityChange]
    if let from = from.workspace, let to = to.workspace {
      changes = from.changes(to: to)
    } else {
      changes = try from.usableContainer().changes(to: to.usableContainer())
    }
    if arguments.has("--json") {
      for change in changes { try JSONOutput.line(change) }
    } else if changes.isEmpty {
      Output.line("no difference")
    } else {
      Output.line(text(of: changes))
    }
    return .success
  }

  /// A table: a sign, the kind, the name; beneath it the fields, what they were and what they are.
  private static func text(of changes: [EntityChange]) -> String {
    let width = changes.map(\.kind.count).max() ?? 0
    return changes.map { change in
      let sign =
        switch change.difference {
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
      let kind = change.kind + String(repeating: " ", count: width - change.kind.count)
      let id = change.id.map { $0 == change.name || $0 == change.kind ? "" : " (\($0))" } ?? ""
      let head = "\(sign) \(kind)  \(change.name)\(id)"
      let fieldWidth = change.fields.map(\.name.count).max() ?? 0
      let fields = change.fields.map { field in
        let name = field.name + String(repeating: " ", count: fieldWidth - field.name.count)
        return "    \(name)  \(shown(field.from)) → \(shown(field.to))"
      }
      return ([head] + fields).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// A value on one line, cut where it is long.
  private static func shown(_ value: Value?) -> String {
    guard let text = value?.jsonText else { return "(none)" }
    return text.count <= 120 ? text : text.prefix(119) + "…"
  }
}
