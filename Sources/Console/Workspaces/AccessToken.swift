package import TagManager

/// A bearer token of the API, as it is known when its text is forgotten (CO-900).
package struct AccessToken: Sendable, Hashable {
  /// By what it is listed and revoked.
  package var id: String
  package var name: String
  package var digest: SecretDigest
  package var scope: AccessScope
  /// The one container it is for; nil for all.
  package var container: ContainerID?
  /// Wall milliseconds.
  package var created: Int64
  /// The wall time in milliseconds from which on it is refused; nil for never.
  package var expires: Int64?
  /// When it was revoked.
  package var revoked: Int64?
  /// The person it stands for.
  package var user: String?

  package init(
    id: String, name: String, digest: SecretDigest, scope: AccessScope, container: ContainerID? = nil, created: Int64,
    expires: Int64? = nil, revoked: Int64? = nil, user: String? = nil
  ) {
    self.id = id
    self.name = name
    self.digest = digest
    self.scope = scope
    self.container = container
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.user = user
  }

  /// Whether it lets in at a wall time.
  package func isValid(at time: Int64) -> Bool { revoked == nil && expires.map { time < $0 } ?? true }

  /// It as an author.
  package var actor: Actor { Actor(id: "token:\(id)", name: name) }
}
