import DurableStore
import Hits

/// What can still be read of a damaged or lost store, row by row (HQ-351).
///
/// No length that the file gives is believed: a body above 64 KiB is unreadable. Rows are read by ranges of sequences;
/// a range that fails is halved, so that one bad page costs its own rows only. The number of tries is bounded.
struct HitSalvage {
  /// One row with its own numbers; names are looked up in the old store.
  struct Row {
    var sequence: Int64
    var id: HitID
    var lane: Int64
    var state: Int64
    var columns: [Int64?]
    var boot: BootID
    var zone: String
    var reason: String?
    var body: [UInt8]
  }

  private(set) var rows: [Row] = []
  /// Rows that were there and cannot be read.
  private(set) var unreadable = 0
  private(set) var lanes: [Int64: LaneKey] = [:]
  /// Nil when they cannot be read.
  private(set) var counters: HitCounters?
  /// The line of the ledger; nil when it cannot be read.
  private(set) var line: Int64?
  private let connection: Connection

  static let longestBody = 64 << 10
  private static let mostTries = 400
  /// Columns that are taken as they are, in the order of `HitTables.restore`.
  static let columns = [
    "priority", "kind", "purposes", "consent", "created", "age_clock", "flags", "not_before", "max_age", "attempts",
  ]

  /// Reads all that can be read.
  init(_ connection: Connection) {
    self.connection = connection
    counters = try? CounterTable.read(connection)
    line = (try? connection.integer("SELECT value FROM meta WHERE key = 'sequence'")) ?? nil
    lanes = names("id, tracker, property, protocol, endpoint", of: "lane") {
      LaneKey(tracker: $0.text(at: 1), property: $0.text(at: 2), protocolName: $0.text(at: 3), endpoint: $0.text(at: 4))
    }
    let boots = names("id, uuid", of: "boot") { BootID(storedBytes: $0.blob(at: 1)) }
    let zones = names("id, name", of: "zone") { $0.text(at: 1) }
    readRows(boots: boots, zones: zones)
  }

  /// Reads a table's rows as far as they go, and what is missing from its index, which holds the same columns.
  private func names<Name>(_ columns: String, of table: String, _ read: (Statement) -> Name) -> [Int64: Name] {
    var names: [Int64: Name] = [:]
    for source in ["\(table) NOT INDEXED", table] {
      let isWhole: Void? = try? connection.prepare("SELECT \(columns) FROM \(source)").query { row throws(StoreError) in
        while try row.step() { names[row.integer(at: 0)] = names[row.integer(at: 0)] ?? read(row) }
      }
      if isWhole != nil { break }
    }
    return names
  }

  private mutating func readRows(boots: [Int64: BootID], zones: [Int64: String]) {
    let sql = """
      SELECT seq, lane, id, state, crc, length(body), CASE WHEN length(body) <= \(Self.longestBody) THEN body END, boot,
        zone, reason, \(Self.columns.joined(separator: ", ")) FROM hit WHERE seq BETWEEN ? AND ? ORDER BY seq
      """
    guard let statement = try? connection.prepare(sql) else { return }
    var known: Set<Int64> = []
    var parts: [ClosedRange<Int64>] = [1...Int64.max / 2]
    var tries = 0
    while let part = parts.popLast(), tries < Self.mostTries {
      tries += 1
      var last = part.lowerBound - 1
      statement.bind(part.lowerBound, at: 1)
      statement.bind(part.upperBound, at: 2)
      let isWhole: Void? = try? statement.query { row throws(StoreError) in
        while try row.step() {
          last = max(last, row.integer(at: 0))
          guard known.insert(row.integer(at: 0)).inserted else { continue }
          if let read = Self.read(row, boots: boots, zones: zones) { rows.append(read) } else { unreadable += 1 }
        }
      }
      guard isWhole == nil, last < part.upperBound else { continue }
      // What comes first is tried first: it is on top of the stack.
      let from = last + 1
      let reach = min(part.upperBound, max(from, highest ?? part.upperBound))
      guard from < reach else { continue }
      let middle = from + (reach - from) / 2
      parts += [middle + 1...reach, from...middle]
    }
    rows.sort { $0.sequence < $1.sequence }
  }

  /// The largest sequence that any row can have; nil when the file does not tell.
  private var highest: Int64? { (try? connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'hit'")) ?? nil }

  private static func read(_ row: Statement, boots: [Int64: BootID], zones: [Int64: String]) -> Row? {
    let body = row.blob(at: 6)
    guard row.integer(at: 5) <= Int64(longestBody), Int64(CRC32.checksum(body)) == row.integer(at: 4),
      body.first == QueuedHit.formMark || body.first == QueuedHit.documentMark,
      let id = row.withBlob(at: 2, { HitID($0) }), row.integer(at: 0) > 0
    else { return nil }
    return Row(
      sequence: row.integer(at: 0), id: id, lane: row.integer(at: 1), state: row.integer(at: 3),
      columns: columns.indices.map { row.optionalInteger(at: Int32($0) + 10) },
      boot: boots[row.integer(at: 7)] ?? BootID(""), zone: zones[row.integer(at: 8)] ?? "UTC",
      reason: row.optionalText(at: 9), body: body)
  }
}
