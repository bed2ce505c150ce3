import Authoring
import DurableStore
package import TagManager

extension SQLiteWorkspaceStore {
  private static let columns = "id, kind, name, approval, created, removed"

  package func containers(
    after id: ContainerID?, limit: Int
  ) async throws(WorkspaceStoreError) -> [AuthoredContainer] {
    try await read { tables throws(StoreError) in
      try tables.rows(
        "SELECT \(Self.columns) FROM container WHERE id > ?1 AND removed IS NULL ORDER BY id LIMIT ?2",
        [.text(id?.text ?? ""), .integer(limit)], as: AuthoredContainer.init(row:))
    }
  }

  package func container(_ id: ContainerID) async throws(WorkspaceStoreError) -> AuthoredContainer? {
    try await read { tables throws(StoreError) in try Self.container(id, tables) }
  }

  static func container(_ id: ContainerID, _ tables: WorkspaceTables) throws(StoreError) -> AuthoredContainer? {
    try tables.row(
      "SELECT \(columns) FROM container WHERE id = ?1 AND removed IS NULL", [.text(id.text)],
      as: AuthoredContainer.init(row:))
  }

  package func create(
    _ container: AuthoredContainer, draft text: [UInt8], by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    let id = container.id.text
    try await change { tables throws(StoreError) -> Change<Void> in
      let taken = try tables.row("SELECT id FROM container WHERE id = ?1 COLLATE NOCASE", [.text(id)]) {
        $0.text(at: 0)
      }
      if let taken { return .refused(.containerExists(taken, asked: id)) }
      try tables.run(
        "INSERT INTO container(id, kind, name, approval, created) VALUES(?1, ?2, ?3, ?4, ?5)",
        [
          .text(id), .text(container.kind.rawValue), .text(container.name),
          .integer(container.requiresApproval ? 1 : 0), .integer(container.created),
        ])
      try tables.run(
        "INSERT INTO draft(container, revision, actor, actor_name, time, text) VALUES(?1, 1, ?2, ?3, ?4, ?5)",
        [
          .text(id), .text(authorship.actor.id), .text(authorship.actor.name), .integer(authorship.time), .bytes(text),
        ])
      try tables.noteAuthor(authorship.actor, of: container.id)
      try tables.run(
        "INSERT INTO environment(container, number, name, created) VALUES(?1, 1, ?2, ?3)",
        [.text(id), .text(ContainerEnvironment.liveName), .integer(authorship.time)])
      try tables.note(
        Activity(.containerCreated, by: authorship, container: container.id, subject: "container", to: container.name))
      try tables.touchDelivery()
      return .done(())
    }
  }

  package func rename(
    _ id: ContainerID, to name: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer {
    try await change { tables throws(StoreError) in
      guard var container = try Self.container(id, tables) else { return .noContainer(id) }
      try tables.run("UPDATE container SET name = ?2 WHERE id = ?1", [.text(id.text), .text(name)])
      try tables.note(
        Activity(
          .containerChanged, by: authorship, container: id, subject: "name", from: container.name, to: name))
      container.name = name
      return .done(container)
    }
  }

  package func remove(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try await setRemoved(id, authorship.time, .containerRemoved, authorship)
  }

  package func restore(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try await setRemoved(id, nil, .containerRestored, authorship)
  }

  package func removedContainers() async throws(WorkspaceStoreError) -> [ContainerID] {
    try await read { tables throws(StoreError) in
      try tables.rows("SELECT id FROM container WHERE removed IS NOT NULL ORDER BY id") { ContainerID($0.text(at: 0)) }
    }
  }

  private func setRemoved(
    _ id: ContainerID, _ removed: Int64?, _ action: Activity.Action, _ authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      let count = try tables.run(
        "UPDATE container SET removed = ?2 WHERE id = ?1 AND (removed IS NULL) <> (?2 IS NULL)",
        [.text(id.text), .integer(removed)])
      guard count == 1 else { return .noContainer(id) }
      try tables.note(Activity(action, by: authorship, container: id, subject: "container"))
      try tables.touchDelivery()
      return .done(())
    }
  }
}

extension SQLiteWorkspaceStore {
  package func draft(of id: ContainerID) async throws(WorkspaceStoreError) -> Draft? {
    try await read { tables throws(StoreError) in try Self.draft(of: id, tables) }
  }

  static func draft(of id: ContainerID, _ tables: WorkspaceTables) throws(StoreError) -> Draft? {
    guard try tables.has(id) else { return nil }
    return try tables.row(
      "SELECT revision, base, actor, actor_name, time, text FROM draft WHERE container = ?1", [.text(id.text)]
    ) { row in
      Draft(
        container: id, revision: row.integer(at: 0), base: row.optionalInt(at: 1), text: row.blob(at: 5),
        saved: row.authorship(at: 2))
    }
  }

  package func save(
    _ text: [UInt8], of id: ContainerID, basedOn revision: Int64, subject: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<Draft> {
    try await change { tables throws(StoreError) in
      let count = try tables.run(
        """
        UPDATE draft SET revision = revision + 1, actor = ?3, actor_name = ?4, time = ?5, text = ?6
        WHERE container = ?1 AND revision = ?2 AND container IN (SELECT id FROM container WHERE removed IS NULL)
        """,
        [
          .text(id.text), .integer(revision), .text(authorship.actor.id), .text(authorship.actor.name),
          .integer(authorship.time), .bytes(text),
        ])
      guard let draft = try Self.draft(of: id, tables) else { return .noContainer(id) }
      guard count == 1 else { return .done(.stale(draft)) }
      try tables.noteAuthor(authorship.actor, of: id)
      try tables.note(
        Activity(
          .draftSaved, by: authorship, container: id, subject: subject, from: String(revision),
          to: String(draft.revision)))
      return .done(.done(draft))
    }
  }
}

extension AuthoredContainer {
  fileprivate init(row: Statement) {
    self.init(
      // A kind that a later version has written is shown as what is not compiled here.
      id: ContainerID(row.text(at: 0)), kind: ContainerKind(rawValue: row.text(at: 1)) ?? .web, name: row.text(at: 2),
      requiresApproval: row.integer(at: 3) != 0, created: row.integer(at: 4), removed: row.optionalInteger(at: 5))
  }
}
