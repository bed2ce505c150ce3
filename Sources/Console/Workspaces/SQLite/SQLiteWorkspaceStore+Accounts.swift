import DurableStore
import TagManager

extension SQLiteWorkspaceStore {
  static func insert(_ user: ConsoleUser, password: String?, _ tables: WorkspaceTables) throws(StoreError) {
    try tables.run(
      "INSERT INTO user(id, name, password, created, disabled) VALUES(?1, ?2, ?3, ?4, ?5)",
      [
        .text(user.id), .text(user.name), .text(password), .integer(user.created),
        .integer(user.isDisabled ? user.created : nil),
      ])
    try insert(user.rights, of: user.id, tables)
  }

  private static func insert(
    _ rights: AccessRights, of id: String, _ tables: WorkspaceTables
  ) throws(StoreError) {
    let all = rights.containers.map { ($0.key.text, $0.value) } + (rights.everywhere.map { [("", $0)] } ?? [])
    for (container, scope) in all {
      try tables.run(
        "INSERT INTO role(user, container, scope) VALUES(?1, ?2, ?3)",
        [.text(id), .text(container), .text(scope.rawValue)])
    }
  }

  private static let columns = "id, name, created, disabled"

  private static func users(
    where condition: String, _ values: [Binding?], _ tables: WorkspaceTables
  ) throws(StoreError) -> [ConsoleUser] {
    var users = try tables.rows(
      "SELECT \(columns) FROM user WHERE \(condition) ORDER BY name COLLATE NOCASE", values, as: ConsoleUser.init(row:))
    for index in users.indices { users[index].rights = try rights(of: users[index].id, tables) }
    return users
  }

  private static func rights(of id: String, _ tables: WorkspaceTables) throws(StoreError) -> AccessRights {
    let rows = try tables.rows("SELECT container, scope FROM role WHERE user = ?1", [.text(id)]) { row in
      // A scope that a later version has written gives nothing here.
      (row.text(at: 0), AccessScope(rawValue: row.text(at: 1)))
    }
    var rights = AccessRights()
    for (container, scope) in rows {
      if container.isEmpty { rights.everywhere = scope } else { rights.containers[ContainerID(container)] = scope }
    }
    return rights
  }

  package func users() async throws(WorkspaceStoreError) -> [ConsoleUser] {
    try await read { tables throws(StoreError) in try Self.users(where: "1", [], tables) }
  }

  package func user(_ id: String) async throws(WorkspaceStoreError) -> ConsoleUser? {
    try await read { tables throws(StoreError) in try Self.user(id, tables) }
  }

  private static func user(_ id: String, _ tables: WorkspaceTables) throws(StoreError) -> ConsoleUser? {
    try users(where: "id = ?1", [.text(id)], tables).first
  }

  package func account(
    named name: String
  ) async throws(WorkspaceStoreError) -> (user: ConsoleUser, password: String?)? {
    try await read { tables throws(StoreError) in
      guard let user = try Self.users(where: "name = ?1", [.text(name)], tables).first else { return nil }
      let password = try tables.row("SELECT password FROM user WHERE id = ?1", [.text(user.id)]) {
        $0.optionalText(at: 0)
      }
      return (user, password ?? nil)
    }
  }

  package func create(
    _ user: ConsoleUser, password: String?, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      guard try Self.users(where: "name = ?1", [.text(user.name)], tables).isEmpty else {
        return .refused(WorkspaceStoreError(.exists, "somebody has that name"))
      }
      try Self.insert(user, password: password, tables)
      try tables.note(
        Activity(.userCreated, by: authorship, subject: "user \(user.name)", to: user.rights.summary))
      return .done(())
    }
  }

  package func setRights(
    _ rights: AccessRights, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser {
    try await change { tables throws(StoreError) in
      guard var user = try Self.user(id, tables) else { return .noUser }
      if rights.everywhere != .admin, try tables.isLastAdministrator(user: id, at: authorship.time) {
        return .refused(.lastAdministrator)
      }
      try tables.run("DELETE FROM role WHERE user = ?1", [.text(id)])
      try Self.insert(rights, of: id, tables)
      try tables.note(
        Activity(
          .userChanged, by: authorship, subject: "user \(user.name)", from: user.rights.summary, to: rights.summary))
      user.rights = rights
      return .done(user)
    }
  }

  package func setDisabled(
    _ isDisabled: Bool, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser {
    try await change { tables throws(StoreError) in
      guard var user = try Self.user(id, tables) else { return .noUser }
      if isDisabled, try tables.isLastAdministrator(user: id, at: authorship.time) {
        return .refused(.lastAdministrator)
      }
      try tables.run(
        "UPDATE user SET disabled = ?2 WHERE id = ?1", [.text(id), .integer(isDisabled ? authorship.time : nil)])
      try tables.run("DELETE FROM session WHERE user = ?1", [.text(id)])
      if user.isDisabled != isDisabled {
        try tables.note(
          Activity(
            .userChanged, by: authorship, subject: "user \(user.name)", from: user.isDisabled ? "disabled" : "enabled",
            to: isDisabled ? "disabled" : "enabled"))
      }
      user.isDisabled = isDisabled
      return .done(user)
    }
  }

  package func setPassword(
    _ password: String, of id: String, keeping session: SecretDigest?, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      guard let user = try Self.user(id, tables) else { return .noUser }
      try tables.run("UPDATE user SET password = ?2 WHERE id = ?1", [.text(id), .text(password)])
      try tables.run(
        "DELETE FROM session WHERE user = ?1 AND digest <> ?2", [.text(id), .bytes(session?.bytes ?? [])])
      try tables.note(Activity(.passwordChanged, by: authorship, subject: "user \(user.name)"))
      return .done(())
    }
  }

  package func create(_ session: ConsoleSession) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      try tables.run("DELETE FROM session WHERE used < ?1", [.integer(session.created - ConsoleSession.idle)])
      try tables.run(
        "INSERT INTO session(digest, user, created, used) VALUES(?1, ?2, ?3, ?4)",
        [.bytes(session.digest), .text(session.user), .integer(session.created), .integer(session.used)])
      return .done(())
    }
  }

  package func session(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> ConsoleSession? {
    try await read { tables throws(StoreError) in
      try tables.row("SELECT user, created, used FROM session WHERE digest = ?1", [.bytes(digest)]) { row in
        ConsoleSession(digest: digest, user: row.text(at: 0), created: row.integer(at: 1), used: row.integer(at: 2))
      }
    }
  }

  package func setUsed(_ digest: SecretDigest, at time: Int64) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      try tables.run("UPDATE session SET used = ?2 WHERE digest = ?1", [.bytes(digest), .integer(time)])
      return .done(())
    }
  }

  package func remove(_ session: SecretDigest) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) -> Change<Void> in
      try tables.run("DELETE FROM session WHERE digest = ?1", [.bytes(session)])
      return .done(())
    }
  }
}

extension AccessRights {
  /// Such as `editor of GTM-SHOP, viewer`.
  var summary: String {
    let single = containers.sorted { $0.key.text < $1.key.text }.map { "\($0.value.role) of \($0.key.text)" }
    let all = single + (everywhere.map { [$0.role] } ?? [])
    return all.isEmpty ? "no role" : all.joined(separator: ", ")
  }
}

extension ConsoleUser {
  /// Without its rights.
  fileprivate init(row: Statement) {
    self.init(
      id: row.text(at: 0), name: row.text(at: 1), created: row.integer(at: 2), rights: AccessRights(),
      isDisabled: row.optionalInteger(at: 3) != nil)
  }
}

extension Change {
  fileprivate static var noUser: Change { .refused(WorkspaceStoreError(.notFound, "there is no such person")) }
}
