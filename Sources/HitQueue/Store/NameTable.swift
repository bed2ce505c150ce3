import DurableStore

/// A table of names that rows refer to by number: lanes, zones, boots.
///
/// What was looked up last is kept, for hits in a row mostly name the same.
final class NameTable<Name: Hashable> {
  private var ids: [Name: Int64] = [:]
  private var last: (name: Name, id: Int64)?
  private let connection: Connection
  private let selection: Statement
  private let insertion: Statement
  private let bind: (Name, Statement) -> Void

  init(
    _ connection: Connection, select: String, insert: String, bind: @escaping (Name, Statement) -> Void
  ) throws(StoreError) {
    self.connection = connection
    self.bind = bind
    selection = try connection.prepare(select)
    insertion = try connection.prepare(insert)
  }

  /// The number of a name; a new name gets one, inside the caller's transaction.
  func id(of name: Name) throws(StoreError) -> Int64 {
    if let last, last.name == name { return last.id }
    let id: Int64
    if let known = ids[name] { id = known } else { id = try lookUp(name) }
    last = (name, id)
    return id
  }

  /// The number of a name that was looked up last; nil for any other.
  func lastID(of name: Name) -> Int64? { last?.name == name ? last?.id : nil }

  private func lookUp(_ name: Name) throws(StoreError) -> Int64 {
    bind(name, selection)
    let found = try selection.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : nil }
    if found == nil {
      bind(name, insertion)
      try insertion.run()
    }
    let id = found ?? connection.lastInsertedRow
    ids[name] = id
    return id
  }

  /// Forgets everything: a transaction that was rolled back may have given numbers.
  func forget() {
    ids = [:]
    last = nil
  }
}
