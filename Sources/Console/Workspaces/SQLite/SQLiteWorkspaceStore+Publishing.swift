import DurableStore
package import TagManager

extension SQLiteWorkspaceStore {
  package func environments(of id: ContainerID) async throws(WorkspaceStoreError) -> [ContainerEnvironment] {
    try await read { tables throws(StoreError) in
      guard try tables.has(id) else { return [] }
      return try tables.rows(
        """
        SELECT number, name, digest, created FROM environment WHERE container = ?1 AND removed IS NULL ORDER BY number
        """, [.text(id.text)]
      ) { row in ContainerEnvironment(of: id, row) }
    }
  }

  private static func environment(
    _ name: String, of id: ContainerID, _ tables: WorkspaceTables
  ) throws(StoreError) -> ContainerEnvironment? {
    guard try tables.has(id) else { return nil }
    return try tables.row(
      """
      SELECT number, name, digest, created FROM environment WHERE container = ?1 AND name = ?2 AND removed IS NULL
      """, [.text(id.text), .text(name)]
    ) { row in ContainerEnvironment(of: id, row) }
  }

  package func createEnvironment(
    _ name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment {
    try await change { tables throws(StoreError) in
      guard try tables.has(id) else { return .noContainer(id) }
      let taken = try tables.row(
        "SELECT name FROM environment WHERE container = ?1 AND name = ?2 COLLATE NOCASE AND removed IS NULL",
        [.text(id.text), .text(name)]
      ) { $0.text(at: 0) }
      if let taken { return .refused(.environmentExists(taken, asked: name)) }
      let last = try tables.row("SELECT MAX(number) FROM environment WHERE container = ?1", [.text(id.text)]) {
        $0.integer(at: 0)
      }
      let environment = ContainerEnvironment(
        container: id, number: Int(last ?? 0) + 1, name: name, digest: digest, created: authorship.time)
      try tables.run(
        "INSERT INTO environment(container, number, name, digest, created) VALUES(?1, ?2, ?3, ?4, ?5)",
        [.text(id.text), .integer(environment.number), .text(name), .bytes(digest), .integer(authorship.time)])
      try tables.note(
        Activity(.environmentCreated, by: authorship, container: id, subject: "environment \(name)"))
      try tables.touchDelivery()
      return .done(environment)
    }
  }

  package func renewToken(
    ofEnvironment name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment {
    try await change { tables throws(StoreError) in
      guard var environment = try Self.environment(name, of: id, tables) else { return .noEnvironment(name) }
      guard environment.digest != nil else { return .liveIsFixed }
      environment.digest = digest
      try tables.run(
        "UPDATE environment SET digest = ?3 WHERE container = ?1 AND number = ?2",
        [.text(id.text), .integer(environment.number), .bytes(digest)])
      try tables.note(
        Activity(.environmentTokenRenewed, by: authorship, container: id, subject: "environment \(name)"))
      try tables.touchDelivery()
      return .done(environment)
    }
  }

  package func removeEnvironment(
    _ name: String, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      guard let environment = try Self.environment(name, of: id, tables) else { return .noEnvironment(name) }
      guard environment.digest != nil else { return .liveIsFixed }
      try tables.run(
        "UPDATE environment SET removed = ?3 WHERE container = ?1 AND number = ?2",
        [.text(id.text), .integer(environment.number), .integer(authorship.time)])
      try tables.note(
        Activity(.environmentRemoved, by: authorship, container: id, subject: "environment \(name)"))
      try tables.touchDelivery()
      return .done(())
    }
  }

  private static let columns = "container, environment, sequence, version, share, previous, actor, actor_name, time"

  /// The publications of one environment; those of a former one of the same name do not count.
  private static func publications(
    of environment: ContainerEnvironment, limit: Int, _ tables: WorkspaceTables
  ) throws(StoreError) -> [Publication] {
    try tables.rows(
      """
      SELECT \(columns) FROM publication WHERE container = ?1 AND environment = ?2 AND environment_number = ?3
      ORDER BY sequence DESC LIMIT ?4
      """,
      [
        .text(environment.container.text), .text(environment.name), .integer(environment.number), .integer(limit),
      ], as: Publication.init(row:))
  }

  package func publish(
    _ version: Int, of id: ContainerID, in name: String, share: RolloutShare, after expected: Int64?,
    by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> Publication {
    try await change { tables throws(StoreError) in
      guard let environment = try Self.environment(name, of: id, tables) else { return .noEnvironment(name) }
      let isThere = try tables.row(
        "SELECT 1 FROM version WHERE container = ?1 AND number = ?2", [.text(id.text), .integer(version)]
      ) { _ in true }
      guard isThere != nil else {
        return .refused(WorkspaceStoreError(.notFound, "there is no version \(version)"))
      }
      guard try Self.mayPublish(version, in: environment, by: authorship.actor, tables) else { return .approvalNeeded }
      let last = try tables.row(
        "SELECT MAX(sequence) FROM publication WHERE container = ?1 AND environment = ?2",
        [.text(id.text), .text(name)]
      ) { $0.integer(at: 0) }
      let inForce = try Self.publications(of: environment, limit: 1, tables).first
      if let expected, let inForce, inForce.sequence != expected { return .refused(.superseded(by: inForce)) }
      let next: Publication
      do throws(WorkspaceStoreError) {
        next = try Publication(
          of: version, share, after: inForce, in: environment, sequence: (last ?? 0) + 1, by: authorship)
      } catch {
        return .refused(error)
      }
      try tables.run(
        """
        INSERT INTO publication(\(Self.columns), environment_number) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """,
        [
          .text(id.text), .text(name), .integer(next.sequence), .integer(version), .integer(share.hundredths),
          .integer(next.previous), .text(authorship.actor.id), .text(authorship.actor.name),
          .integer(authorship.time), .integer(environment.number),
        ])
      try tables.note(Activity(publishing: next, after: inForce))
      try tables.touchDelivery()
      return .done(next)
    }
  }

  package func publications(
    of id: ContainerID, in name: String, limit: Int
  ) async throws(WorkspaceStoreError) -> [Publication] {
    try await read { tables throws(StoreError) in
      guard let environment = try Self.environment(name, of: id, tables) else { return [] }
      return try Self.publications(of: environment, limit: limit, tables)
    }
  }

  package func publicationsInForce() async throws(WorkspaceStoreError) -> [Publication] {
    let columns = Self.columns.split(separator: ", ").map { "publication.\($0)" }.joined(separator: ", ")
    return try await read { tables throws(StoreError) in
      try tables.rows(
        """
        SELECT \(columns) FROM environment
        JOIN container ON container.id = environment.container AND container.removed IS NULL
        JOIN publication ON publication.container = environment.container AND publication.environment = environment.name
          AND publication.sequence = (SELECT MAX(sequence) FROM publication AS last
            WHERE last.container = environment.container AND last.environment = environment.name)
          AND publication.environment_number = environment.number
        WHERE environment.removed IS NULL ORDER BY publication.container, environment.number
        """, as: Publication.init(row:))
    }
  }
}

extension Change {
  fileprivate static func noEnvironment(_ name: String) -> Change {
    .refused(WorkspaceStoreError(.notFound, "there is no environment \(name.prefix(64)) of that container"))
  }

  fileprivate static var liveIsFixed: Change {
    .refused(WorkspaceStoreError(.invalid, "live is always there and has no token"))
  }
}

extension ContainerEnvironment {
  fileprivate init(of id: ContainerID, _ row: Statement) {
    self.init(
      container: id, number: Int(row.integer(at: 0)), name: row.text(at: 1),
      digest: row.optionalBlob(at: 2).map(SecretDigest.init(bytes:)), created: row.integer(at: 3))
  }
}

extension Publication {
  fileprivate init(row: Statement) {
    self.init(
      container: ContainerID(row.text(at: 0)), environment: row.text(at: 1), sequence: row.integer(at: 2),
      version: Int(row.integer(at: 3)), share: RolloutShare(hundredths: Int(row.integer(at: 4))),
      previous: row.optionalInt(at: 5), published: row.authorship(at: 6))
  }
}
