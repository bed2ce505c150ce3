import DurableStore
import TagManager

/// The statements on the console's tables, used by one thread at a time.
///
/// A console changes a few rows a second, so statements are kept by their text instead of being named one by one.
final class WorkspaceTables: StoreTables {
  let connection: Connection
  private var statements: [String: Statement] = [:]

  init(path: String) throws(StoreError) {
    connection = try Connection(path: path, durability: .powerLoss)
    try connection.execute("PRAGMA foreign_keys=ON")
    try WorkspaceSchema.schema.apply(to: connection)
  }

  // Rows are written by operations alone.
  func insert(_ row: Never) throws(StoreError) -> Never {}
  func willCommit() throws(StoreError) {}
  func didRollBack() {}
  static func bytes(of row: Never) -> Int {}

  private func statement(_ sql: String, _ values: [Binding?]) throws(StoreError) -> Statement {
    let statement: Statement
    if let kept = statements[sql] {
      statement = kept
    } else {
      statement = try connection.prepare(sql)
      statements[sql] = statement
    }
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    return statement
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [Binding?] = []) throws(StoreError) -> Int {
    try statement(sql, values).run()
    return connection.changes
  }

  /// The rows of a query.
  func rows<Row>(
    _ sql: String, _ values: [Binding?] = [], as read: (Statement) -> Row
  ) throws(StoreError) -> [Row] {
    try statement(sql, values).query { statement throws(StoreError) in
      var rows: [Row] = []
      while try statement.step() { rows.append(read(statement)) }
      return rows
    }
  }

  /// The first row of a query.
  func row<Row>(
    _ sql: String, _ values: [Binding?] = [], as read: (Statement) -> Row
  ) throws(StoreError) -> Row? {
    try statement(sql, values).query { statement throws(StoreError) in
      try statement.step() ? read(statement) : nil
    }
  }

  /// Whether a container is there and in use.
  func has(_ id: ContainerID) throws(StoreError) -> Bool {
    try row("SELECT 1 FROM container WHERE id = ?1 AND removed IS NULL", [.text(id.text)]) { _ in true } ?? false
  }

  /// Adds a line to the log.
  func note(_ activity: Activity) throws(StoreError) {
    try run(
      """
      INSERT INTO activity(time, actor, actor_name, action, container, subject, before, after)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """,
      [
        .integer(activity.by.time), .text(activity.by.actor.id), .text(activity.by.actor.name),
        .text(activity.action.rawValue), .text(activity.container?.text), .text(activity.subject),
        .text(activity.from), .text(activity.to),
      ])
  }

  /// Tells whoever keeps copies that they are old.
  func touchDelivery() throws(StoreError) { try run("UPDATE delivery SET stamp = stamp + 1") }
}

/// A value for a statement's parameter.
enum Binding {
  case text(String)
  case integer(Int64)
  case bytes([UInt8])

  static func integer(_ number: Int) -> Binding { .integer(Int64(number)) }
  static func integer(_ number: Int?) -> Binding? { number.map { .integer(Int64($0)) } }
  static func integer(_ number: Int64?) -> Binding? { number.map { .integer($0) } }
  static func text(_ text: String?) -> Binding? { text.map { .text($0) } }
  static func bytes(_ digest: SecretDigest) -> Binding { .bytes(digest.bytes) }
}

extension Statement {
  fileprivate func bind(_ value: Binding?, at index: Int32) {
    switch value {
    case .text(let text): bind(text, at: index)
    case .integer(let number): bind(number, at: index)
    case .bytes(let bytes): bind(bytes, at: index)
    case nil: bindNull(at: index)
    }
  }

  /// Reads an actor's id and name, and a time, from three columns in a row.
  func authorship(at column: Int32) -> Authorship {
    Authorship(Actor(id: text(at: column), name: text(at: column + 1)), at: integer(at: column + 2))
  }

  func optionalInt(at column: Int32) -> Int? { optionalInteger(at: column).map(Int.init) }
}
