import GzipFormat
import HitQueue
import Hits

/// Our own protocol over HTTP: `/v1/hits` and its limits (HQ-650 to HQ-666).
extension Collector {
  /// The routes; no page of a browser may call them unless the settings say so.
  package func lineRoutes(origins: AllowedOrigins = .none) -> [Route] {
    var hits = Route("/v1/hits", ["POST": { [self] request in await take(request) }])
    hits.bodyLimit = HitLine.Limits.body
    hits.overlong = tooLarge("the body has more than \(HitLine.Limits.body) bytes")
    hits.admit = { [self] in refusal() }
    let limits = HitLimits(dedupeDays: settings.dedupeDays)
    let reading = Route.reading("/v1/hits/limits") { _ in .json(limits, headers: ["Cache-Control": "max-age=3600"]) }
    return [hits, reading].map { route in
      var route = route
      route.origins = origins
      return route
    }
  }

  /// What the lines of a body are.
  private enum Form {
    case lines
    case measurements

    init?(contentType: String?) {
      let type = contentType?.prefix { $0 != ";" }.trimmingSuffix { $0 == " " } ?? ""
      if HTTPHeaders.isSame(String(type), "application/x-ndjson") {
        self = .lines
      } else if HTTPHeaders.isSame(String(type), "text/plain") {
        self = .measurements
      } else {
        return nil
      }
    }
  }

  private func take(_ request: ServerRequest) async -> ServerResponse {
    guard let key = request.headers["Tagworks-Key"], let properties = rules.registry.properties(of: key) else {
      return .noKey
    }
    guard let form = Form(contentType: request.headers["Content-Type"]) else {
      return .error(415, "TYPE", "the body is application/x-ndjson or text/plain")
    }
    let body: [UInt8]
    switch unpacked(request) {
    case .success(let bytes): body = bytes
    case .failure(let refusal): return refusal.response
    }
    // A byte order mark says that something else than plain UTF-8 may follow.
    guard UTF8Sequence.areValid(body), !body.starts(with: [0xEF, 0xBB, 0xBF]) else {
      return .error(400, "BAD_BODY", "the body is not UTF-8 without a byte order mark")
    }
    let found = FormFields.lines(of: body)
    guard !found.isEmpty else { return .error(400, "BAD_BODY", "there is no line") }
    guard found.count <= HitLine.Limits.hits else {
      return tooLarge("there are more than \(HitLine.Limits.hits) hits")
    }
    if let refusal = rateRefusal(found.count, of: request, key: key) { return refusal }
    return await take(found, of: request, .hits, writing: .only(properties), asJSON: true) {
      line, arrival throws(RejectedHit) in
      switch form {
      case .lines: try lines.judge(line, arrival)
      case .measurements: try measurements.judge(line, arrival)
      }
    }
  }

  private struct Refusal: Error {
    var response: ServerResponse
  }

  /// The body as it was before its compression, of which no more is unpacked than is allowed.
  private func unpacked(_ request: ServerRequest) -> Result<[UInt8], Refusal> {
    switch request.headers["Content-Encoding"]?.lowercased() {
    case nil, "identity": return .success(request.body)
    case "gzip":
      do throws(GunzipError) {
        return .success(try Gunzip.unpack(request.body, limit: HitLine.Limits.unpacked))
      } catch {
        let response: ServerResponse =
          switch error {
          case .broken: .error(400, "BAD_BODY", "the body is not whole gzip")
          case .tooLarge: tooLarge("the body unpacks to more than \(HitLine.Limits.unpacked) bytes")
          }
        return .failure(Refusal(response: response))
      }
    default: return .failure(Refusal(response: .error(415, "ENCODING", "the body may be compressed by gzip only")))
    }
  }

  private func tooLarge(_ message: String) -> ServerResponse {
    .error(413, "TOO_LARGE", message, limits: HitLimits(dedupeDays: settings.dedupeDays))
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
