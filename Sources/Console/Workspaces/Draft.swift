package import TagManager

/// What authors work on: the text of a workspace's export, which each save makes anew (CO-401).
package struct Draft: Sendable, Hashable {
  package var container: ContainerID
  /// Counts the saves, from 1.
  package var revision: Int64
  /// The last version that was made of it; nil for none.
  package var base: Int?
  /// The export file.
  package var text: [UInt8]
  /// Who saved it, and when.
  package var saved: Authorship

  package init(container: ContainerID, revision: Int64, base: Int? = nil, text: [UInt8], saved: Authorship) {
    self.container = container
    self.revision = revision
    self.base = base
    self.text = text
    self.saved = saved
  }
}

/// What became of a save or a snapshot that was based on a revision (CO-401).
package enum BasedOutcome<Result: Sendable>: Sendable {
  case done(Result)
  /// Somebody else has saved since; nothing is changed. This is what they saved.
  case stale(Draft)
}
