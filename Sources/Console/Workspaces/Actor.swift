/// Who does something: a token, a person, or the server itself.
package struct Actor: Sendable, Hashable {
  /// What tells actors apart, such as `token:4f0c…`.
  package var id: String
  /// What people call it.
  package var name: String

  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  /// The server itself.
  package static let server = Actor(id: "server", name: "Server")
}

/// Who changes something, and when; it goes into the activity log with the change (CO-403).
package struct Authorship: Sendable, Hashable {
  package var actor: Actor
  /// Wall milliseconds.
  package var time: Int64

  package init(_ actor: Actor, at time: Int64) {
    self.actor = actor
    self.time = time
  }
}
