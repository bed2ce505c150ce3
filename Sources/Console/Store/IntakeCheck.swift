import HitQueue
import Hits

/// What a look at every page and row of a collector's store has found (HQ-910).
public struct IntakeCheck: Sendable, Hashable, Codable {
  /// `ok`, or what is wrong with the pages.
  public var pages: String
  /// Hits in the store.
  public var hits = 0
  /// Whether the sums that are kept by property agree with the hits.
  public var isCounted: Bool
  /// The positions of rows that cannot be read, at most 100 of them.
  public var damaged: [Int64] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { pages == "ok" && damaged.isEmpty && isCounted }
}

extension IntakeHit {
  /// The hit as an app's store would hold it; nil for a row that cannot be read.
  var queued: QueuedHit? {
    guard var line = line else { return nil }
    line.id = id
    line.sequence = sequence
    return line.queued(created: occurred)
  }

  /// What the hit says, in whichever language it came.
  var line: HitLine? {
    if body.first == UInt8(ascii: "{") { return try? HitLine(body) }
    return HitLine(
      measurement: body, at: HitTime(wallMilliseconds: received, ageClock: 0, boot: BootID("stored")))
  }
}
