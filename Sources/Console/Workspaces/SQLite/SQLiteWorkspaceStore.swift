import DurableStore
package import TagManager

/// `WorkspaceStore` on SQLite: one file, one writer, each change a transaction that survives the loss of power.
package final class SQLiteWorkspaceStore: WorkspaceStore {
  private let writer: GroupWriter<WorkspaceTables>

  /// Opens the store of a file, which is made when missing; a damaged or empty file, and one of a newer version, are
  /// refused.
  package init(path: String) throws(WorkspaceStoreError) {
    do throws(StoreError) {
      try DatabaseFile.prepare(path) { path throws(StoreError) in _ = try WorkspaceTables(path: path) }
      writer = try GroupWriter(policy: .report) { () throws(StoreError) in try WorkspaceTables(path: path) }
      try writer.performAndWait { tables throws(StoreError) in try DatabaseFile.check(tables.connection) }
    } catch {
      throw WorkspaceStoreError(error)
    }
  }

  /// Runs work that only reads.
  func read<Result: Sendable>(
    _ work: @escaping @Sendable (WorkspaceTables) throws(StoreError) -> Result
  ) async throws(WorkspaceStoreError) -> Result {
    do throws(StoreError) { return try await writer.perform(work) } catch { throw WorkspaceStoreError(error) }
  }

  /// Runs work in one transaction; a refusal leaves nothing of it.
  func change<Result: Sendable>(
    _ work: @escaping @Sendable (WorkspaceTables) throws(StoreError) -> Change<Result>
  ) async throws(WorkspaceStoreError) -> Result {
    let change: Change<Result>
    do throws(StoreError) {
      change = try await writer.perform { tables throws(StoreError) in
        try tables.connection.transaction { () throws(StoreError) in try work(tables) }
      }
    } catch {
      throw WorkspaceStoreError(error)
    }
    switch change {
    case .done(let result): return result
    case .refused(let error): throw error
    }
  }

  /// Commits what waits; called when the server stops (CO-103).
  package func flush() throws(WorkspaceStoreError) {
    do throws(StoreError) { try writer.flush() } catch { throw WorkspaceStoreError(error) }
  }

  package func deliveryStamp() async throws(WorkspaceStoreError) -> Int64 {
    try await read { tables throws(StoreError) in
      try tables.row("SELECT stamp FROM delivery") { $0.integer(at: 0) } ?? 0
    }
  }

  package func note(_ activity: Activity) async throws(WorkspaceStoreError) {
    try await change { tables throws(StoreError) in .done(try tables.note(activity)) }
  }

  package func activities(
    before position: Int64?, of container: ContainerID?, limit: Int
  ) async throws(WorkspaceStoreError) -> [PositionedActivity] {
    let filter = container == nil ? "" : "AND container = ?3"
    let sql = """
      SELECT pos, actor, actor_name, time, action, container, subject, before, after FROM activity
      WHERE pos < ?1 \(filter) ORDER BY pos DESC LIMIT ?2
      """
    return try await read { tables throws(StoreError) in
      let values: [Binding?] = [.integer(position ?? Int64.max), .integer(limit)]
      let all = container.map { values + [.text($0.text)] } ?? values
      return try tables.rows(sql, all, as: PositionedActivity.init(row:))
    }
  }
}

/// How the work of a transaction ends: with a result, or with a refusal that it decided on before it wrote anything.
enum Change<Result: Sendable>: Sendable {
  case done(Result)
  case refused(WorkspaceStoreError)

  static func noContainer(_ id: ContainerID) -> Change {
    .refused(WorkspaceStoreError(.notFound, "there is no container \(id.text.prefix(64))"))
  }
}

extension PositionedActivity {
  fileprivate init(row: Statement) {
    self.init(
      position: row.integer(at: 0),
      activity: Activity(
        Activity.Action(rawValue: row.text(at: 4)), by: row.authorship(at: 1),
        container: row.optionalText(at: 5).map { ContainerID($0) }, subject: row.text(at: 6),
        from: row.optionalText(at: 7), to: row.optionalText(at: 8)))
  }
}

extension WorkspaceStoreError {
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .busy: .busy
      case .full: .full
      default: .failed
      }
    self.init(code, error.message, cause: error)
  }
}
