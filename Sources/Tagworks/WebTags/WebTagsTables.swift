import DurableStore
import Foundation
import Hits
import WebTags

/// The tables of an instance of web tags: its events in their order, and its values (WT-420).
final class WebTagsTables: StoreTables {
  private static let schema = Schema(
    applicationID: 0x5457_5754,
    migrations: [
      Schema.Migration(
        version: 1,
        sql: """
          CREATE TABLE event(seq INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, time INTEGER NOT NULL,
            bytes INTEGER NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, deaths INTEGER NOT NULL, body BLOB NOT NULL);
          CREATE TABLE value(key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
          """)
    ])

  let connection: Connection
  private let insertion: Statement
  private let selection: Statement
  private let summaries: Statement
  private let removal: Statement
  private let suspicion: Statement

  init(path: String) throws(StoreError) {
    try StoreDirectory.prepareFile(path)
    connection = try Connection(path: path, durability: .processDeath)
    try Self.schema.apply(to: connection)
    insertion = try connection.prepare(
      "INSERT OR IGNORE INTO event(id, time, bytes, type, title, deaths, body) VALUES(?, ?, ?, ?, ?, ?, ?)")
    selection = try connection.prepare(
      "SELECT time, bytes, type, title, deaths, body FROM event WHERE id = ?")
    summaries = try connection.prepare("SELECT id, time, bytes, type, title, deaths FROM event ORDER BY seq")
    removal = try connection.prepare("DELETE FROM event WHERE id = ?")
    suspicion = try connection.prepare("UPDATE event SET deaths = ? WHERE id = ?")
  }

  /// Writes an event; tells whether it was not there before.
  func insert(_ event: QueuedEvent) throws(StoreError) -> Bool {
    insertion.bind(event.id.bytes, at: 1)
    insertion.bind(event.time, at: 2)
    insertion.bind(event.bytes, at: 3)
    insertion.bind(event.type, at: 4)
    insertion.bind(event.title, at: 5)
    insertion.bind(event.deaths, at: 6)
    insertion.bind(EventBody.bytes(of: event), at: 7)
    try insertion.run()
    return connection.changes > 0
  }

  func willCommit() throws(StoreError) {}
  func didRollBack() {}
  static func bytes(of event: QueuedEvent) -> Int { event.bytes }

  func waiting() throws(StoreError) -> [EventSummary] {
    try summaries.query { row throws(StoreError) -> [EventSummary] in
      var found: [EventSummary] = []
      while try row.step() {
        guard let id = UUID(bytes: row.blob(at: 0)) else { continue }
        found.append(
          EventSummary(
            id: id, time: row.integer(at: 1), bytes: Int(row.integer(at: 2)), type: row.text(at: 3),
            title: row.text(at: 4), deaths: Int(row.integer(at: 5))))
      }
      return found
    }
  }

  func events(_ ids: [UUID]) throws(StoreError) -> [QueuedEvent] {
    var events: [QueuedEvent] = []
    for id in ids {
      selection.bind(id.bytes, at: 1)
      let event = try selection.query { row throws(StoreError) -> QueuedEvent? in
        guard try row.step() else { return nil }
        var event = QueuedEvent(
          id: id, type: row.text(at: 2), title: row.text(at: 3), time: row.integer(at: 0), data: [:],
          deaths: Int(row.integer(at: 4)), bytes: Int(row.integer(at: 1)))
        return EventBody.read(row.blob(at: 5), into: &event) ? event : nil
      }
      if let event { events.append(event) }
    }
    return events
  }

  func settle(_ ids: [UUID]) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for id in ids {
        removal.bind(id.bytes, at: 1)
        try removal.run()
      }
    }
  }

  func setDeaths(_ deaths: [UUID: Int]) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      for (id, count) in deaths {
        suspicion.bind(count, at: 1)
        suspicion.bind(id.bytes, at: 2)
        try suspicion.run()
      }
    }
  }

  func eraseAll() throws(StoreError) { try connection.execute("DELETE FROM event") }

  func values() throws(StoreError) -> [String: [UInt8]] {
    try connection.prepare("SELECT key, value FROM value").query { row throws(StoreError) -> [String: [UInt8]] in
      var values: [String: [UInt8]] = [:]
      while try row.step() { values[row.text(at: 0)] = row.blob(at: 1) }
      return values
    }
  }

  func set(_ changes: [String: [UInt8]?]) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      let replacement = try connection.prepare("REPLACE INTO value(key, value) VALUES(?, ?)")
      let deletion = try connection.prepare("DELETE FROM value WHERE key = ?")
      for (key, value) in changes {
        let statement = value == nil ? deletion : replacement
        statement.bind(key, at: 1)
        if let value { statement.bind(value, at: 2) }
        try statement.run()
      }
    }
  }
}

/// An event's data and tag ids as one JSON object.
private enum EventBody {
  static func bytes(of event: QueuedEvent) -> [UInt8] {
    let tags = event.tagIDs.map { Value.list($0.map { .string($0) }) } ?? .absent
    return Value.map(["data": .map(event.data), "tags": tags]).jsonBytes
  }

  /// - Returns: whether the bytes are a body.
  static func read(_ bytes: [UInt8], into event: inout QueuedEvent) -> Bool {
    guard let body = try? Value(json: bytes, limits: JSONLimits(bytes: 1 << 20, depth: 80)).map,
      let data = body["data"]?.map
    else { return false }
    event.data = data
    event.tagIDs = body["tags"]?.list?.compactMap(\.string)
    return true
  }
}

extension UUID {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
