import Foundation
import HitQueue
package import Hits

/// Takes hits, judges each, and stores the good ones before it answers (HQ-700, HQ-701, HQ-724).
///
///     request ─▶ key ─▶ rate ─▶ judge each hit ─▶ store ─▶ answer
///
/// An answer of 200 says that every good hit of the request is on disk and every bad one noted. When storing fails
/// nothing is acknowledged, and the client is told when to come again.
package final class Collector: Sendable {
  let measurements: MeasurementIntake
  let lines: LineIntake
  let rules: IntakeRules
  let settings: CollectorSettings
  let clock: any HitClock
  /// Every judged hit, for those who watch.
  package let feed = IntakeFeed()
  private let metrics: ServerMetrics
  private let storage: any HitStorage
  private let random: any RandomSource
  private let load = Locked(IntakeLoad())
  private let rates: Locked<RateLimiter>

  package init(
    rules: IntakeRules, storage: any HitStorage, settings: CollectorSettings = CollectorSettings(),
    metrics: ServerMetrics = ServerMetrics(), rates: RateLimiter = RateLimiter(),
    clock: any HitClock = SystemHitClock(), random: any RandomSource = SystemRandomSource()
  ) {
    self.rules = rules
    self.settings = settings
    self.metrics = metrics
    self.storage = storage
    self.clock = clock
    self.random = random
    self.rates = Locked(rates)
    measurements = MeasurementIntake(rules)
    lines = LineIntake(rules)
  }

  /// Hits that wait for their commit.
  package var waiting: Int { load.withLock { $0.waitingHits } }

  /// Refuses a request before its body is read when hits come faster than the disk takes them (HQ-725).
  func refusal() -> ServerResponse? {
    if storage.health() == .full { return .full }
    let jitter = Double(random.next() >> 11) / Double(1 << 53)
    return load.withLock { $0.retryAfter(jitter: jitter) }.map { .busy(after: $0) }
  }

  /// Refuses hits of a client, or of a key, that come faster than they may (HQ-714).
  func rateRefusal(_ hits: Int, of request: ServerRequest, key: String?) -> ServerResponse? {
    let now = clock.ageClock
    let address = RateLimiter.Subject.address(request.client.allotment)
    let seconds = rates.withLock { rates in
      if let key { return rates.take(hits, from: address, .key(key), at: now) }
      return rates.take(hits, from: address, at: now)
    }
    return seconds.map { .error(429, "RATE", "too many hits from this address or key", retryAfter: $0) }
  }

  /// Judges the hits of a request and stores them; nothing is stored when its key may not write to one's property.
  func take(
    _ lines: [ArraySlice<UInt8>], of request: ServerRequest, _ source: IntakeHit.Source, writing: WritableProperties,
    asJSON: Bool, by judge: (ArraySlice<UInt8>, IntakeArrival) throws(RejectedHit) -> IntakeHit
  ) async -> ServerResponse {
    let arrival = IntakeArrival(
      received: clock.wallMilliseconds, source: source, client: request.client,
      userAgent: request.headers["User-Agent"])
    var hits: [IntakeHit] = []
    var tally = IntakeTally(received: lines.count)
    var rejected: [RejectedHit] = []
    for (index, line) in lines.enumerated() {
      do throws(RejectedHit) {
        hits.append(try judge(line, arrival))
      } catch {
        rejected.append(error)
        tally.reject(error, line: index + 1)
      }
    }
    guard hits.allSatisfy({ writing.contain($0.property) }) else { return .forbidden }
    let stored: [StoredHit]
    do throws(StorageError) {
      stored = try await store(hits, rejected)
    } catch {
      return error.code == .full ? .full : .busy(after: 5)
    }
    tally.settle(hits, stored)
    metrics.count(tally.counts)
    feed.offer(
      zip(hits, stored).map { $1 == .duplicate ? .duplicate($0) : .accepted($0) } + rejected.map { .rejected($0) })
    return tally.response(asJSON: asJSON)
  }

  private func store(_ hits: [IntakeHit], _ rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit] {
    guard !hits.isEmpty || !rejected.isEmpty else { return [] }
    let bytes = hits.reduce(0) { $0 + $1.body.count } + rejected.reduce(0) { $0 + $1.raw.count }
    let count = hits.count + rejected.count
    let start = clock.ageClock
    load.withLock { $0.begin(hits: count, bytes: bytes, at: start) }
    defer {
      let now = clock.ageClock
      load.withLock { $0.end(hits: count, bytes: bytes, at: now) }
    }
    return try await storage.store(hits, rejected: rejected)
  }
}

/// What a collector is told besides its properties.
package struct CollectorSettings: Sendable, Hashable {
  /// Whether `/collect` and `/batch` need a write key too (HQ-714).
  package var requiresKey: Bool
  /// How long an id is known, as it is published (HQ-652).
  package var dedupeDays: Int

  package init(requiresKey: Bool = false, dedupeDays: Int = 45) {
    self.requiresKey = requiresKey
    self.dedupeDays = dedupeDays
  }
}

extension ServerResponse {
  static let full = ServerResponse.error(507, "FULL", "the disk is full", retryAfter: 300)
  static let noKey = ServerResponse.error(401, "NO_KEY", "Tagworks-Key is missing or unknown")
  static let forbidden = ServerResponse.error(403, "FORBIDDEN", "the key may not write to a hit's property")

  static func busy(after seconds: Int) -> ServerResponse {
    .error(503, "BUSY", "the storage is behind or does not work", retryAfter: seconds)
  }
}
