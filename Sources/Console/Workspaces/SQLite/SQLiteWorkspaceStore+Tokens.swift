import DurableStore
package import TagManager

extension SQLiteWorkspaceStore {
  package func isSetUp() async throws(WorkspaceStoreError) -> Bool {
    try await read { tables throws(StoreError) in try Self.isSetUp(tables) }
  }

  private static func isSetUp(_ tables: WorkspaceTables) throws(StoreError) -> Bool {
    try tables.row("SELECT 1 FROM setup WHERE finished IS NOT NULL") { _ in true } ?? false
  }

  package func offerSetup(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> Bool {
    try await change { tables throws(StoreError) in
      guard try !Self.isSetUp(tables) else { return .done(false) }
      try tables.run("INSERT OR REPLACE INTO setup(only, digest) VALUES(1, ?1)", [.bytes(digest)])
      return .done(true)
    }
  }

  package func setUp(
    with digest: SecretDigest, administrator: ConsoleUser, password: String?, token: AccessToken?
  ) async throws(WorkspaceStoreError) -> Bool {
    try await change { tables throws(StoreError) in
      let count = try tables.run(
        "UPDATE setup SET digest = NULL, finished = ?2 WHERE digest = ?1 AND finished IS NULL",
        [.bytes(digest), .integer(administrator.created)])
      guard count == 1 else { return .done(false) }
      try Self.insert(administrator, password: password, tables)
      if let token { try Self.insert(token, tables) }
      let authorship = Authorship(token?.actor ?? administrator.actor, at: administrator.created)
      try tables.note(Activity(.setUp, by: authorship, subject: "administrator", to: administrator.name))
      return .done(true)
    }
  }

  private static let columns = "id, name, digest, scope, container, created, expires, revoked, user"

  private static func insert(_ token: AccessToken, _ tables: WorkspaceTables) throws(StoreError) {
    try tables.run(
      "INSERT INTO token(\(columns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      [
        .text(token.id), .text(token.name), .bytes(token.digest), .text(token.scope.rawValue),
        .text(token.container?.text), .integer(token.created), .integer(token.expires), .integer(token.revoked),
        .text(token.user),
      ])
  }

  package func create(_ token: AccessToken, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      if let container = token.container, try !tables.has(container) { return .noContainer(container) }
      try Self.insert(token, tables)
      try tables.note(
        Activity(
          .tokenCreated, by: authorship, container: token.container, subject: "token \(token.id)",
          to: token.scope.rawValue))
      return .done(())
    }
  }

  package func token(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> AccessToken? {
    try await read { tables throws(StoreError) in
      try tables.row(
        "SELECT \(Self.columns) FROM token WHERE digest = ?1", [.bytes(digest)], as: AccessToken.init(row:)) ?? nil
    }
  }

  package func tokens(of container: ContainerID?) async throws(WorkspaceStoreError) -> [AccessToken] {
    let filter = container == nil ? "" : "WHERE container = ?1"
    return try await read { tables throws(StoreError) in
      try tables.rows(
        "SELECT \(Self.columns) FROM token \(filter) ORDER BY created, id",
        container.map { [.text($0.text)] } ?? [], as: AccessToken.init(row:)
      ).compactMap { $0 }
    }
  }

  package func revokeToken(_ id: String, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      let container = try tables.row("SELECT container FROM token WHERE id = ?1", [.text(id)]) { row in
        row.optionalText(at: 0).map { ContainerID($0) }
      }
      guard let container else { return .refused(WorkspaceStoreError(.notFound, "there is no such token")) }
      guard try !tables.isLastAdministrator(token: id, at: authorship.time) else { return .refused(.lastAdministrator) }
      let count = try tables.run(
        "UPDATE token SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL", [.text(id), .integer(authorship.time)])
      if count == 1 {
        try tables.note(Activity(.tokenRevoked, by: authorship, container: container, subject: "token \(id)"))
      }
      return .done(())
    }
  }
}

extension SQLiteWorkspaceStore {
  private static let previewColumns = "id, digest, container, version, actor, actor_name, time, expires, revoked"

  package func create(_ token: PreviewToken) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      guard try tables.has(token.container) else { return .noContainer(token.container) }
      if let version = token.version {
        let isThere = try tables.row(
          "SELECT 1 FROM version WHERE container = ?1 AND number = ?2",
          [.text(token.container.text), .integer(version)]
        ) { _ in true }
        guard isThere != nil else {
          return .refused(WorkspaceStoreError(.notFound, "there is no version \(version)"))
        }
      }
      try tables.run(
        "INSERT INTO preview(\(Self.previewColumns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        [
          .text(token.id), .bytes(token.digest), .text(token.container.text), .integer(token.version),
          .text(token.created.actor.id), .text(token.created.actor.name), .integer(token.created.time),
          .integer(token.expires), .integer(token.revoked),
        ])
      try tables.note(
        Activity(
          .previewCreated, by: token.created, container: token.container, subject: "preview \(token.id)",
          to: token.version.map { "version \($0)" } ?? "draft"))
      return .done(())
    }
  }

  package func previewToken(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> PreviewToken? {
    try await read { tables throws(StoreError) in
      try tables.row(
        """
        SELECT \(Self.previewColumns) FROM preview WHERE digest = ?1
          AND container IN (SELECT id FROM container WHERE removed IS NULL)
        """, [.bytes(digest)], as: PreviewToken.init(row:))
    }
  }

  package func previewTokens(of id: ContainerID) async throws(WorkspaceStoreError) -> [PreviewToken] {
    try await read { tables throws(StoreError) in
      guard try tables.has(id) else { return [] }
      return try tables.rows(
        "SELECT \(Self.previewColumns) FROM preview WHERE container = ?1 ORDER BY time DESC, rowid DESC",
        [.text(id.text)], as: PreviewToken.init(row:))
    }
  }

  package func revokePreviewToken(
    _ id: String, of container: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      guard try tables.has(container) else { return .noContainer(container) }
      let isThere = try tables.row(
        "SELECT 1 FROM preview WHERE id = ?1 AND container = ?2", [.text(id), .text(container.text)]
      ) { _ in true }
      guard isThere != nil else { return .refused(WorkspaceStoreError(.notFound, "there is no such preview")) }
      let count = try tables.run(
        "UPDATE preview SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL", [.text(id), .integer(authorship.time)])
      if count == 1 {
        try tables.note(Activity(.previewRevoked, by: authorship, container: container, subject: "preview \(id)"))
      }
      return .done(())
    }
  }
}

extension AccessToken {
  /// Nil for a scope that this version does not know: such a token lets nobody in.
  fileprivate init?(row: Statement) {
    guard let scope = AccessScope(rawValue: row.text(at: 3)) else { return nil }
    self.init(
      id: row.text(at: 0), name: row.text(at: 1), digest: SecretDigest(bytes: row.blob(at: 2)), scope: scope,
      container: row.optionalText(at: 4).map { ContainerID($0) }, created: row.integer(at: 5),
      expires: row.optionalInteger(at: 6), revoked: row.optionalInteger(at: 7), user: row.optionalText(at: 8))
  }
}

extension PreviewToken {
  fileprivate init(row: Statement) {
    self.init(
      id: row.text(at: 0), digest: SecretDigest(bytes: row.blob(at: 1)), container: ContainerID(row.text(at: 2)),
      version: row.optionalInt(at: 3), created: row.authorship(at: 4), expires: row.integer(at: 7),
      revoked: row.optionalInteger(at: 8))
  }
}
