/// A person who may use the console (CO-901).
package struct ConsoleUser: Sendable, Hashable {
  package var id: String
  package var name: String
  /// Wall milliseconds.
  package var created: Int64
  package var rights: AccessRights
  /// Whether the person is let in no more.
  package var isDisabled: Bool

  package init(
    id: String, name: String, created: Int64, rights: AccessRights = AccessRights(everywhere: .admin),
    isDisabled: Bool = false
  ) {
    self.id = id
    self.name = name
    self.created = created
    self.rights = rights
    self.isDisabled = isDisabled
  }

  /// The person as an author.
  package var actor: Actor { Actor(id: "user:\(id)", name: name) }
}
