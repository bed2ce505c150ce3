import DurableStore
import Hits

/// What a look at every page and every row of a store has found (HQ-901, HQ-910).
public struct HitStoreCheck: Sendable, Hashable, Codable {
  /// Whether every accepted hit is delivered, dropped with a count, or still there.
  public var isConserved: Bool
  /// `ok`, or what is wrong with the pages.
  public var pages: String
  /// Hits in the store.
  public var hits: Int
  /// The sequences of rows that cannot be read, at most 100 of them.
  public var damaged: [Int64]

  /// Whether nothing is wrong.
  public var isSound: Bool { isConserved && pages == "ok" && damaged.isEmpty }
}

extension HitInspection {
  /// Looks at everything.
  func check() throws(StoreError) -> HitStoreCheck {
    let pages = try connection.prepare("PRAGMA quick_check(1)").query { row throws(StoreError) in
      try row.step() ? row.text(at: 0) : "no answer"
    }
    let rows = try connection.prepare("SELECT seq, id, kind, crc, body FROM hit ORDER BY seq")
    let damaged = try rows.query { row throws(StoreError) in
      var damaged: [Int64] = []
      while damaged.count < 100, try row.step() { if !Self.isSound(row) { damaged.append(row.integer(at: 0)) } }
      return damaged
    }
    let statistics = try statistics()
    return HitStoreCheck(
      isConserved: statistics.isConserved, pages: pages, hits: statistics.hits, damaged: damaged)
  }

  private static func isSound(_ row: Statement) -> Bool {
    let body = row.blob(at: 4)
    guard row.withBlob(at: 1, { HitID($0) }) != nil, HitKind.name(ofStoredCode: row.integer(at: 2)) != nil,
      Int64(CRC32.checksum(body)) == row.integer(at: 3)
    else { return false }
    let hit = QueuedHit(
      id: HitID(high: 0, low: 0), sequence: 0, created: HitTime(wallMilliseconds: 0, ageClock: 0, boot: BootID("")),
      body: body)
    return HitContent(hit) != nil || BeaconProtocol.url(of: hit) != nil
  }
}
