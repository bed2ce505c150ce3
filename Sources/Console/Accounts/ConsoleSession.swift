/// A person's browser that has signed in, as it is known when the text in its cookie is forgotten (CO-902).
package struct ConsoleSession: Sendable, Hashable {
  /// How long one lasts without a request, in milliseconds.
  package static let idle: Int64 = 12 * 3_600_000

  package var digest: SecretDigest
  /// The person's id.
  package var user: String
  /// Wall milliseconds.
  package var created: Int64
  /// When it was last used, give or take a minute, in wall milliseconds.
  package var used: Int64

  package init(digest: SecretDigest, user: String, created: Int64, used: Int64) {
    self.digest = digest
    self.user = user
    self.created = created
    self.used = used
  }

  /// Whether it lets in at a wall time.
  package func isValid(at time: Int64) -> Bool { time - used < Self.idle && used - time < Self.idle }
}
