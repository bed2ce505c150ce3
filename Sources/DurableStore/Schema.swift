/// What a store's file must look like, and the steps that lead there from every older version.
package struct Schema: Sendable {
  /// One step; it runs in a transaction of its own.
  package struct Migration: Sendable {
    /// The `user_version` after the step.
    package var version: Int64
    /// The statements of the step.
    package var sql: String

    package init(version: Int64, sql: String) {
      self.version = version
      self.sql = sql
    }
  }

  /// The `application_id` by which the program knows its own files.
  package var applicationID: Int64
  /// The steps, by rising version.
  package var migrations: [Migration]

  package init(applicationID: Int64, migrations: [Migration]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// Brings a file to the last version; a new one gets all steps.
  ///
  /// Processes that open one file at the same time wait for each other at each step. An error leaves the file at the
  /// version before the step that failed.
  ///
  /// - Throws: `foreign` for another program's file, `newer` for one of a later version.
  package func apply(to connection: Connection) throws(StoreError) {
    try check(connection)
    let last = migrations.last?.version ?? 0
    guard try connection.integer("PRAGMA user_version") ?? 0 < last else { return }
    for migration in migrations {
      try connection.transaction { () throws(StoreError) in
        guard try connection.integer("PRAGMA user_version") ?? 0 < migration.version else { return }
        try connection.execute(migration.sql)
        try connection.execute("PRAGMA user_version=\(migration.version)")
        try connection.execute("PRAGMA application_id=\(applicationID)")
      }
    }
  }

  /// Throws unless the file is empty or a version of this schema that is not newer.
  package func check(_ connection: Connection) throws(StoreError) {
    // Both in one read transaction: another process may be making the file at this moment.
    let statement = try connection.prepare(
      "SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), "
        + "(SELECT COUNT(*) FROM sqlite_master)")
    let (owner, version, objects) = try statement.query { row throws(StoreError) in
      _ = try row.step()
      return (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
    }
    let isNew = owner == 0 && version == 0 && objects == 0
    guard isNew || owner == applicationID else {
      throw StoreError(code: .foreign, message: "\(connection.path) belongs to application \(owner)")
    }
    guard version <= migrations.last?.version ?? 0 else {
      throw StoreError(code: .newer, message: "\(connection.path) is of version \(version)")
    }
  }
}
