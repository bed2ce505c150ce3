import Foundation
import HitQueue
package import Hits

/// Takes Measurement Protocol v1 hits over HTTP: `/collect` and `/batch` (HQ-700, HQ-701).
///
/// An answer of 200 says that every good hit of the request is on disk and every bad one noted (HQ-724). When storing
/// fails nothing is acknowledged, and the client is told when to come again.
package final class Collector: Sendable {
  private let intake: MeasurementIntake
  private let storage: any HitStorage
  private let clock: any HitClock
  private let random: any RandomSource
  private let load = Locked(IntakeLoad())
  private let rates: Locked<RateLimiter>

  package init(
    intake: MeasurementIntake, storage: any HitStorage, rates: RateLimiter = RateLimiter(),
    clock: any HitClock = SystemHitClock(), random: any RandomSource = SystemRandomSource()
  ) {
    self.intake = intake
    self.storage = storage
    self.clock = clock
    self.random = random
    self.rates = Locked(rates)
  }

  /// The most that a request may hold (HQ-701).
  private static let protocolLimits = MeasurementProtocol().limits

  /// The routes, open to the pages of the given origins.
  package func routes(origins: AllowedOrigins = .any) -> [Route] {
    let admit: @Sendable () -> ServerResponse? = { [self] in refusal() }
    let collect: Route.Handler = { [self] request in await take(Self.hit(of: request), of: request, .collect) }
    let batch: Route.Handler = { [self] request in
      await take(FormFields.lines(of: request.body), of: request, .batch)
    }
    var single = Route("/collect", ["GET": collect, "POST": collect])
    single.bodyLimit = Self.protocolLimits.hitBytes
    var several = Route("/batch", ["POST": batch])
    several.bodyLimit = Self.protocolLimits.bytes
    return [single, several].map { route in
      var route = route
      route.origins = origins
      route.admit = admit
      return route
    }
  }

  /// The body is the hit; the query is, where there is no body.
  private static func hit(of request: ServerRequest) -> [ArraySlice<UInt8>] {
    var line = request.body.isEmpty ? request.query[...] : request.body[...]
    while line.last == UInt8(ascii: "\n") || line.last == UInt8(ascii: "\r") { line.removeLast() }
    return [line]
  }

  /// Refuses a request before its body is read when hits come faster than the disk takes them (HQ-725).
  private func refusal() -> ServerResponse? {
    if storage.health() == .full { return .full }
    let jitter = Double(random.next() >> 11) / Double(1 << 53)
    return load.withLock { $0.retryAfter(jitter: jitter) }.map { .busy(after: $0) }
  }

  private func take(
    _ lines: [ArraySlice<UInt8>], of request: ServerRequest, _ source: IntakeHit.Source
  ) async -> ServerResponse {
    if let encoding = request.headers["Content-Encoding"], encoding != "identity" {
      return .error(415, "ENCODING", "the body must not be compressed")
    }
    let limits = Self.protocolLimits
    guard lines.count <= limits.hits, lines.allSatisfy({ $0.count <= limits.hitBytes }) else {
      return .error(413, "TOO_LARGE", "at most \(limits.hits) hits of \(limits.hitBytes) bytes")
    }
    if let seconds = rates.withLock({ $0.take(lines.count, from: request.client, at: clock.ageClock) }) {
      return .error(429, "RATE", "too many hits from this address", retryAfter: seconds)
    }
    let arrival = MeasurementIntake.Arrival(
      received: clock.wallMilliseconds, source: source, client: request.client,
      userAgent: request.headers["User-Agent"])
    var hits: [IntakeHit] = []
    var tally = IntakeTally(received: lines.count)
    var rejected: [RejectedHit] = []
    for (index, line) in lines.enumerated() {
      do throws(RejectedHit) {
        hits.append(try intake.judge(line, arrival))
      } catch {
        rejected.append(error)
        tally.reject(error, line: index + 1)
      }
    }
    do throws(StorageError) {
      tally.settle(hits, try await store(hits, rejected))
    } catch {
      return error.code == .full ? .full : .busy(after: 5)
    }
    return tally.response(asJSON: request.headers["Accept"]?.contains(Acknowledgement.mediaType) == true)
  }

  private func store(_ hits: [IntakeHit], _ rejected: [RejectedHit]) async throws(StorageError) -> [StoredHit] {
    guard !hits.isEmpty || !rejected.isEmpty else { return [] }
    let bytes = hits.reduce(0) { $0 + $1.body.count } + rejected.reduce(0) { $0 + $1.raw.count }
    let count = hits.count + rejected.count
    load.withLock { $0.begin(hits: count, bytes: bytes) }
    defer {
      let now = clock.ageClock
      load.withLock { $0.end(hits: count, bytes: bytes, at: now) }
    }
    return try await storage.store(hits, rejected: rejected)
  }
}

extension ServerResponse {
  fileprivate static let full = ServerResponse.error(507, "FULL", "the disk is full", retryAfter: 300)

  fileprivate static func busy(after seconds: Int) -> ServerResponse {
    .error(503, "BUSY", "the storage is behind or does not work", retryAfter: seconds)
  }
}
