import DurableStore
package import TagManager

extension SQLiteWorkspaceStore {
  private static let columns = "number, name, notes, parent, actor, actor_name, time, approver, approver_name"

  package func createVersion(
    of id: ContainerID, basedOn revision: Int64, name: String, notes: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<ContainerVersion> {
    try await change { tables throws(StoreError) in
      guard let draft = try Self.draft(of: id, tables) else { return .noContainer(id) }
      guard draft.revision == revision else { return .done(.stale(draft)) }
      let last = try tables.row("SELECT MAX(number) FROM version WHERE container = ?1", [.text(id.text)]) {
        $0.optionalInt(at: 0) ?? 0
      }
      let version = ContainerVersion(
        container: id, number: (last ?? 0) + 1, name: name, notes: notes, parent: draft.base, created: authorship)
      try tables.run(
        """
        INSERT INTO version(container, number, name, notes, parent, actor, actor_name, time, text)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, text FROM draft WHERE container = ?1
        """,
        [
          .text(id.text), .integer(version.number), .text(name), .text(notes), .integer(draft.base),
          .text(authorship.actor.id), .text(authorship.actor.name), .integer(authorship.time),
        ])
      try tables.moveAuthors(of: id, to: version.number)
      try tables.run(
        "UPDATE draft SET base = ?2 WHERE container = ?1", [.text(id.text), .integer(version.number)])
      try tables.note(
        Activity(
          .versionCreated, by: authorship, container: id, subject: "version \(version.number)",
          from: draft.base.map(String.init), to: String(version.number)))
      return .done(.done(version))
    }
  }

  package func versions(
    of id: ContainerID, before number: Int?, limit: Int
  ) async throws(WorkspaceStoreError) -> [ContainerVersion] {
    try await read { tables throws(StoreError) in
      guard try tables.has(id) else { return [] }
      return try tables.rows(
        "SELECT \(Self.columns) FROM version WHERE container = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3",
        [.text(id.text), .integer(number ?? Int.max), .integer(limit)]
      ) { row in ContainerVersion(of: id, row) }
    }
  }

  package func version(_ number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> ContainerVersion? {
    try await read { tables throws(StoreError) in try Self.version(number, of: id, tables) }
  }

  static func version(
    _ number: Int, of id: ContainerID, _ tables: WorkspaceTables
  ) throws(StoreError) -> ContainerVersion? {
    guard try tables.has(id) else { return nil }
    return try tables.row(
      "SELECT \(columns) FROM version WHERE container = ?1 AND number = ?2", [.text(id.text), .integer(number)]
    ) { row in ContainerVersion(of: id, row) }
  }

  package func text(ofVersion number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> [UInt8]? {
    try await read { tables throws(StoreError) in
      guard try tables.has(id) else { return nil }
      return try tables.row(
        "SELECT text FROM version WHERE container = ?1 AND number = ?2", [.text(id.text), .integer(number)]
      ) { row in row.blob(at: 0) }
    }
  }
}

extension ContainerVersion {
  fileprivate init(of id: ContainerID, _ row: Statement) {
    self.init(
      container: id, number: Int(row.integer(at: 0)), name: row.text(at: 1), notes: row.text(at: 2),
      parent: row.optionalInt(at: 3), created: row.authorship(at: 4),
      approver: row.optionalText(at: 7).map { Actor(id: $0, name: row.text(at: 8)) })
  }
}
