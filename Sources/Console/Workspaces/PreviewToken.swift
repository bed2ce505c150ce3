package import TagManager

/// A token that shows one version, or the draft, to whoever has its link (CO-500).
package struct PreviewToken: Sendable, Hashable {
  /// How long one lets in, in milliseconds.
  package static let lifetime: Int64 = 7 * 86_400_000

  /// By what it is listed and revoked.
  package var id: String
  package var digest: SecretDigest
  package var container: ContainerID
  /// The version it shows; nil for the draft as it is when it is fetched.
  package var version: Int?
  /// Who made it, and when.
  package var created: Authorship
  /// The wall time in milliseconds from which on it is refused.
  package var expires: Int64
  /// When it was revoked.
  package var revoked: Int64?

  package init(
    id: String, digest: SecretDigest, container: ContainerID, version: Int?, created: Authorship, expires: Int64,
    revoked: Int64? = nil
  ) {
    self.id = id
    self.digest = digest
    self.container = container
    self.version = version
    self.created = created
    self.expires = expires
    self.revoked = revoked
  }

  /// Whether it lets in at a wall time.
  package func isValid(at time: Int64) -> Bool { revoked == nil && time < expires }

  /// What stands behind `gtm_preview=`: the version's number, 0 for the draft (TM-1001).
  package var parameter: String { String(version ?? 0) }
}
