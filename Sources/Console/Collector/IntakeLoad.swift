/// How many hits wait for their commit, and when that is too many (HQ-725).
///
/// Above 80 % of a bound new requests are told to come back when the hits that wait now will be stored, by the rate of
/// the last tenth of a second in which some waited.
package struct IntakeLoad: Sendable {
  /// The most that may wait.
  package var limit = (hits: 20_000, bytes: 32 << 20)
  private var waiting = (hits: 0, bytes: 0)
  private var window = (start: UInt64(0), stored: 0)
  private var storedPerSecond = 0.0

  package init() {}

  /// Hits that wait now.
  package var waitingHits: Int { waiting.hits }

  /// Notes hits that begin to wait, at a reading of the age clock in nanoseconds.
  package mutating func begin(hits: Int, bytes: Int, at now: UInt64) {
    // While nothing waits, nothing can be stored: that time says nothing about the disk.
    if waiting.hits == 0 { window = (now, 0) }
    waiting = (waiting.hits + hits, waiting.bytes + bytes)
  }

  /// Notes hits that were stored, or given up.
  package mutating func end(hits: Int, bytes: Int, at now: UInt64) {
    waiting = (waiting.hits - hits, waiting.bytes - bytes)
    window.stored += hits
    let elapsed = now &- window.start
    guard elapsed >= 100_000_000 else { return }
    storedPerSecond = Double(window.stored) * 1e9 / Double(elapsed)
    window = (now, 0)
  }

  /// The seconds after which a new request may try again; nil when it may come in.
  ///
  /// - Parameter jitter: 0 to 1, for at most 20 % more, so that the clients do not all come back at once.
  package func retryAfter(jitter: Double) -> Int? {
    let isBehind = waiting.hits * 5 > limit.hits * 4 || waiting.bytes * 5 > limit.bytes * 4
    guard isBehind else { return nil }
    let seconds = (Double(waiting.hits) / max(storedPerSecond, 1)).rounded(.up)
    return Int((min(max(seconds, 1), 300) * (1 + 0.2 * jitter)).rounded(.up))
  }
}
