import Hits
package import TagManager

/// A version made live in an environment, for all installs or a share of them (CO-400, CO-404).
///
/// Each publish, rollback and change of the share is one, with a number of its own; the last one of an environment is in
/// force.
package struct Publication: Sendable, Hashable {
  package var container: ContainerID
  /// The environment's name, such as `live`.
  package var environment: String
  /// Grows with each publication of the environment, and never starts again (TM-421).
  package var sequence: Int64
  package var version: Int
  package var share: RolloutShare
  /// What the other installs have; nil when the share is all.
  package var previous: Int?
  /// Who published it, and when.
  package var published: Authorship

  package init(
    container: ContainerID, environment: String, sequence: Int64, version: Int, share: RolloutShare = .all,
    previous: Int? = nil, published: Authorship
  ) {
    self.container = container
    self.environment = environment
    self.sequence = sequence
    self.version = version
    self.share = share
    self.previous = previous
    self.published = published
  }

  /// The version that installs have which no share concerns.
  package var settled: Int { previous ?? version }
}

extension Publication {
  /// The publication that follows the one in force.
  ///
  /// - Throws: `invalid` for a share where there is nothing else that the other installs could have.
  package init(
    of version: Int, _ share: RolloutShare, after inForce: Publication?, in environment: ContainerEnvironment,
    sequence: Int64, by authorship: Authorship
  ) throws(WorkspaceStoreError) {
    self.init(
      container: environment.container, environment: environment.name, sequence: sequence, version: version,
      share: share, published: authorship)
    guard !share.isAll else { return }
    guard let inForce, inForce.settled != version else {
      throw WorkspaceStoreError(.invalid, "a share needs another version that the other installs have")
    }
    previous = inForce.settled
  }
}

extension WorkspaceStoreError {
  /// What was to be followed is in force no more.
  package static func superseded(by inForce: Publication) -> WorkspaceStoreError {
    WorkspaceStoreError(
      .superseded, "\(inForce.published.actor.name) has published version \(inForce.version) since; look again")
  }
}

extension Activity {
  /// The line about a publication.
  package init(publishing next: Publication, after inForce: Publication?) {
    self.init(
      .published, by: next.published, container: next.container, subject: "environment \(next.environment)",
      from: inForce?.summary, to: next.summary)
  }
}

extension Publication {
  private static func text(_ share: RolloutShare) -> String { NumberText.text(share.percent) + " %" }

  /// Such as `version 4 for 10 %`.
  fileprivate var summary: String { share.isAll ? "version \(version)" : "version \(version) for \(Self.text(share))" }
}
