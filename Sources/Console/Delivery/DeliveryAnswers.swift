import Hits
import TagManager

/// What the requests for one delivery are told, made once (CO-600, CO-601).
final class DeliveryAnswers: Sendable {
  private let json: BodyAnswers
  private let binary: BodyAnswers?
  private let legacy: LegacyAnswers?

  init(_ delivery: ContainerDelivery) {
    json = BodyAnswers(delivery.json)
    binary = delivery.binary.map(BodyAnswers.init)
    legacy = delivery.binary.map(LegacyAnswers.init)
  }

  /// The answer to an app (TM-420).
  func answer(_ request: InstantRequest) -> PreparedAnswer {
    // What apps of this project send is not taken apart each time.
    let isOwn = request.has(.accept, ContentNegotiation.ownAccept)
    let form = isOwn ? .json : ContentNegotiation.form(accept: request[.accept])
    return (form == .binary ? binary ?? json : json).answer(request)
  }

  /// The answer to an app of the original SDK, which knows a fingerprint or none (TM-435).
  func legacyAnswer(_ request: InstantRequest, known fingerprint: String?) -> PreparedAnswer? {
    legacy?.answer(request, known: fingerprint)
  }
}

/// The answers with one body.
private struct BodyAnswers {
  let etag: String
  let plain: PreparedAnswer
  let packed: PreparedAnswer?
  let unchanged: PreparedAnswer

  init(_ body: DeliveryBody) {
    etag = body.etag
    var headers: HTTPHeaders = ["Cache-Control": DeliveryBody.cacheControl, "Vary": "Accept, Accept-Encoding"]
    for field in body.headers { headers.add(field.value, for: field.name) }
    unchanged = PreparedAnswer(ServerResponse(status: 304, headers: headers))
    (plain, packed) = body.answers(headers)
  }

  func answer(_ request: InstantRequest) -> PreparedAnswer {
    if request.has(.ifNoneMatch, etag) || ContentNegotiation.matches(etag, ifNoneMatch: request[.ifNoneMatch]) {
      return unchanged
    }
    guard let packed, ContentNegotiation.takesGzip(request[.acceptEncoding]) else { return plain }
    return packed
  }
}

/// The answers of the original SDK's protocol: a message with the resource, or without it when nothing has changed.
private struct LegacyAnswers {
  let fingerprint: String
  let plain: PreparedAnswer
  let packed: PreparedAnswer?
  let unchanged: PreparedAnswer

  init(_ body: DeliveryBody) {
    let headers: HTTPHeaders = ["Cache-Control": DeliveryBody.cacheControl, "Vary": "Accept-Encoding"]
    fingerprint = body.fingerprint
    (plain, packed) = body.answers(headers)
    unchanged = PreparedAnswer(
      ServerResponse(
        status: 200, headers: ["Content-Type": body.form.contentType, "Cache-Control": DeliveryBody.cacheControl],
        body: SupplementedResource.unchanged(fingerprint: fingerprint)))
  }

  func answer(_ request: InstantRequest, known: String?) -> PreparedAnswer {
    if known == fingerprint { return unchanged }
    guard let packed, ContentNegotiation.takesGzip(request[.acceptEncoding]) else { return plain }
    return packed
  }
}

extension DeliveryBody {
  /// The answers of status 200 with the body as it is, and packed where that is shorter.
  fileprivate func answers(_ headers: HTTPHeaders) -> (plain: PreparedAnswer, packed: PreparedAnswer?) {
    var headers = headers
    headers.add(form.contentType, for: "Content-Type")
    let whole = PreparedAnswer(ServerResponse(status: 200, headers: headers, body: plain))
    headers.add("gzip", for: "Content-Encoding")
    return (whole, packed.map { PreparedAnswer(ServerResponse(status: 200, headers: headers, body: $0)) })
  }
}
