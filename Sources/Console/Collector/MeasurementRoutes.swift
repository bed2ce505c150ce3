import HitQueue
import Hits

/// Measurement Protocol v1 over HTTP: `/collect`, `/batch` and `/debug/collect` (HQ-700 to HQ-703).
extension Collector {
  /// The most that a request may hold (HQ-701).
  private static let limits = MeasurementProtocol().limits
  /// What `/debug/collect` reads, so that a request that is too large can be told so in its own form.
  private static let debugLimit = 64 << 10

  /// The routes, open to the pages of the given origins.
  package func measurementRoutes(origins: AllowedOrigins = .any) -> [Route] {
    let admit: @Sendable () -> ServerResponse? = { [self] in refusal() }
    let collect: Route.Handler = { [self] request in await take(Self.hit(of: request), of: request, .collect) }
    let batch: Route.Handler = { [self] request in
      await take(FormFields.lines(of: request.body), of: request, .batch)
    }
    let debug: Route.Handler = { [self] request in judge(request) }
    var single = Route("/collect", ["GET": collect, "POST": collect])
    single.bodyLimit = Self.limits.hitBytes
    single.admit = admit
    var several = Route("/batch", ["POST": batch])
    several.bodyLimit = Self.limits.bytes
    several.admit = admit
    var check = Route("/debug/collect", ["GET": debug, "POST": debug])
    check.bodyLimit = Self.debugLimit
    return [single, several, check].map { route in
      var route = route
      route.origins = origins
      return route
    }
  }

  /// The body is the hit; the query is, where there is no body.
  private static func hit(of request: ServerRequest) -> [ArraySlice<UInt8>] {
    var line = request.body.isEmpty ? request.query[...] : request.body[...]
    while line.last == UInt8(ascii: "\n") || line.last == UInt8(ascii: "\r") { line.removeLast() }
    return [line]
  }

  private func take(
    _ lines: [ArraySlice<UInt8>], of request: ServerRequest, _ source: IntakeHit.Source
  ) async -> ServerResponse {
    if let refusal = encodingRefusal(request) { return refusal }
    let limits = Self.limits
    guard lines.count <= limits.hits, lines.allSatisfy({ $0.count <= limits.hitBytes }) else {
      return .error(413, "TOO_LARGE", "at most \(limits.hits) hits of \(limits.hitBytes) bytes")
    }
    var writing = WritableProperties.all
    var key: String?
    if settings.requiresKey {
      key = request.headers["Tagworks-Key"]
      guard let properties = key.flatMap(rules.registry.properties) else { return .noKey }
      writing = .only(properties)
    }
    if let refusal = rateRefusal(lines.count, of: request, key: key) { return refusal }
    return await take(
      lines, of: request, source, writing: writing,
      asJSON: request.headers["Accept"]?.contains(Acknowledgement.mediaType) == true
    ) { line, arrival throws(RejectedHit) in try measurements.judge(line, arrival) }
  }

  /// Tells what is to be said of each hit, and stores none.
  private func judge(_ request: ServerRequest) -> ServerResponse {
    if let refusal = encodingRefusal(request) { return refusal }
    let lines = FormFields.lines(of: request.body.isEmpty ? request.query : request.body)
    // A report is much longer than what it is about: long bodies count for more hits than they have.
    let weight = max(1, lines.count) + request.body.count / 512
    if let refusal = rateRefusal(weight, of: request, key: nil) { return refusal }
    let validator = MeasurementValidator(properties: rules.registry.ids)
    return .json(
      MeasurementReport(of: lines, bytes: request.body.count, method: request.method, by: validator),
      headers: ["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
  }

  private func encodingRefusal(_ request: ServerRequest) -> ServerResponse? {
    guard let encoding = request.headers["Content-Encoding"], encoding != "identity" else { return nil }
    return .error(415, "ENCODING", "the body must not be compressed")
  }
}
