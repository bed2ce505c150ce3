import Foundation
package import Hits

/// What goes back; the server adds `Date`, `Content-Length` and, where it must, `Connection`.
package struct ServerResponse: Sendable, Hashable {
  /// The status code.
  package var status: Int
  /// The fields of the head.
  package var headers: HTTPHeaders
  /// The body; a HEAD request gets its length only.
  package var body: [UInt8]

  package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A document of JSON.
  package static func json(
    _ document: some Encodable, status: Int = 200, headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only a value that throws in its own encoding fails here; there is none.
    let body = (try? encoder.encode(document)) ?? Data()
    var response = ServerResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body))
    for field in headers { response.headers.add(field.value, for: field.name) }
    return response
  }

  /// A text that nobody keeps.
  static func text(_ text: String, type: String = "text/plain") -> ServerResponse {
    ServerResponse(
      status: 200, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: Array(text.utf8))
  }

  /// A refusal in the form of HQ-660.
  package static func error(
    _ status: Int, _ code: String, _ message: String, retryAfter seconds: Int? = nil
  ) -> ServerResponse {
    error(status, code, message, retryAfter: seconds, limits: nil)
  }

  /// A refusal that tells the limits it is about (HQ-652).
  static func error(
    _ status: Int, _ code: String, _ message: String, retryAfter seconds: Int? = nil, limits: HitLimits?
  ) -> ServerResponse {
    var response = json(Refusal(error: .init(code: code, message: message), limits: limits), status: status)
    if let seconds { response.headers["Retry-After"] = String(seconds) }
    return response
  }

  private struct Refusal: Encodable {
    struct Reason: Encodable {
      var code: String
      var message: String
    }

    var error: Reason
    var limits: HitLimits?
  }
}
