import Hits

/// The roles of a person in a form: one for all containers, and a table for single ones (CO-901).
enum RoleInputs {
  private static let options: [(value: String, text: String)] = [
    ("viewer", "Viewer: sees everything"), ("editor", "Editor: changes drafts and previews them"),
    ("publisher", "Publisher: makes versions live"), ("admin", "Admin: everything"),
  ]

  static func html(_ parts: FormParts) -> HTML {
    parts.choice("role", "Role for all containers", [("", "None")] + options)
      + parts.table(
        "roles", "Roles for single containers",
        [FormParts.Column("container", "Container ID"), FormParts.Column("role", "Role", options: options)],
        help: "For these, beyond the role for all containers.")
  }

  /// Writes roles as the API tells them.
  static func write(_ roles: [[String: Value]], into typed: inout TypedFields) {
    typed["role"] = roles.first { $0["container"] == nil }?.word("role") ?? ""
    typed.setRows(
      "roles", ["container", "role"],
      roles.filter { $0["container"] != nil }.map { [$0.word("container"), $0.word("role")] })
  }

  /// The roles as the API takes them.
  static func roles(_ typed: TypedFields) -> Value {
    let everywhere = typed["role"] ?? ""
    let all: [Value] = everywhere.isEmpty ? [] : [["role": .string(everywhere)]]
    let single = typed.rows("roles", ["container", "role"], ignoring: ["role"]).map { row in
      Value.map(["container": .string(row[0]), "role": .string(row[1])])
    }
    return .list(all + single)
  }

  /// Roles in a line.
  static func text(_ roles: [[String: Value]]) -> String {
    roles.isEmpty
      ? "no role"
      : roles.map { $0.word("role") + ($0["container"] == nil ? "" : " of \($0.word("container"))") }
        .joined(separator: ", ")
  }
}
