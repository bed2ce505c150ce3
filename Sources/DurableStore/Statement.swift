import CSQLite

/// A compiled statement, bound and stepped by the thread that owns its connection.
///
/// Parameters count from 1, columns from 0, as in SQLite. A statement is reset after every error and after `run`: one
/// that is not holds its lock.
package final class Statement {
  private var handle: OpaquePointer?
  private let database: OpaquePointer
  // Keeps the connection open for as long as the statement lives.
  private let owner: Connection?

  init(_ sql: String, handle database: OpaquePointer, owner: Connection? = nil) throws(StoreError) {
    var compiled: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    guard sqlite3_prepare_v3(database, sql, -1, flags, &compiled, nil) == SQLITE_OK, let compiled else {
      throw StoreError(database, doing: "prepare \(sql)")
    }
    handle = compiled
    self.database = database
    self.owner = owner
  }

  deinit { finalize() }

  /// Ends the statement's life before its object's.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  /// Steps to the next row; false at the end.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = StoreError(database, doing: "step")
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs the statement to its end and makes it ready for the next run; bindings stay.
  package func run() throws(StoreError) {
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Runs with values beside the numbers that are bound; afterwards nothing is bound.
  package func run(with values: BoundBytes) throws(StoreError) {
    try values.bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
      defer { sqlite3_clear_bindings(handle) }
      for place in values.places {
        guard let start = bytes.baseAddress?.advanced(by: place.start) else { continue }
        let count = Int32(clamping: place.count)
        if place.isText {
          start.withMemoryRebound(to: CChar.self, capacity: place.count) {
            _ = csqlite_bind_text_static(handle, place.index, $0, count)
          }
        } else {
          csqlite_bind_blob_static(handle, place.index, start, count)
        }
      }
      try run()
    }
  }

  /// Makes the statement ready for the next run; bindings stay.
  package func reset() { sqlite3_reset(handle) }

  /// Resets after the rows that the body reads, also when it throws.
  package func query<Result>(_ body: (Statement) throws(StoreError) -> Result) throws(StoreError) -> Result {
    defer { sqlite3_reset(handle) }
    return try body(self)
  }
}

extension Statement {
  package func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }

  package func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

  package func bind(_ value: Int64?, at index: Int32) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  package func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { text in
      // A text without bytes has no address, and SQLite takes a null address for NULL.
      guard let start = text.baseAddress else { return _ = csqlite_bind_text_transient(handle, index, "", 0) }
      start.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
        _ = csqlite_bind_text_transient(handle, index, characters, Int32(clamping: text.count))
      }
    }
  }

  package func bind(_ value: String?, at index: Int32) {
    if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, index) }
  }

  package func bind(_ value: [UInt8], at index: Int32) { value.withUnsafeBytes { bind($0, at: index) } }

  package func bind(_ value: [UInt8]?, at index: Int32) {
    if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, index) }
  }

  /// Binds a copy of the bytes.
  package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    if let start = bytes.baseAddress, !bytes.isEmpty {
      csqlite_bind_blob_transient(handle, index, start, Int32(clamping: bytes.count))
    } else {
      sqlite3_bind_zeroblob(handle, index, 0)
    }
  }

  package func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }
}

extension Statement {
  package func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  package func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func optionalInteger(at column: Int32) -> Int64? { isNull(at: column) ? nil : integer(at: column) }

  package func text(at column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func optionalText(at column: Int32) -> String? { isNull(at: column) ? nil : text(at: column) }

  package func blob(at column: Int32) -> [UInt8] { withBlob(at: column) { [UInt8]($0) } }

  package func optionalBlob(at column: Int32) -> [UInt8]? { isNull(at: column) ? nil : blob(at: column) }

  /// Gives the bytes of a column in place; they are gone with the next step.
  package func withBlob<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }
}
