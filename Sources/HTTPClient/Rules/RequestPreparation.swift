import GzipFormat
import Hits

extension HTTPRequest {
  /// The request as it goes out: checked, with the transport's user agent where it has none, and with its body
  /// compressed when that is asked for and pays (HQ-602).
  ///
  /// - Throws: `invalidRequest` for what would not be one request on the wire.
  func prepared(userAgent: String?) throws(TransportError) -> HTTPRequest {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else { throw Self.invalid("the URL is not http or https") }
    guard Self.isToken(method) else { throw Self.invalid("the method is not a token") }
    if method == "HEAD", !body.isEmpty { throw Self.invalid("HEAD with a body") }
    for field in headers {
      guard Self.isToken(field.name) else { throw Self.invalid("a header's name is not a token") }
      guard Self.isFieldValue(field.value) else { throw Self.invalid("a line break in the header \(field.name)") }
      if HTTPHeaders.isSame(field.name, "Content-Length") || HTTPHeaders.isSame(field.name, "Transfer-Encoding") {
        throw Self.invalid("the header \(field.name) is the transport's")
      }
    }
    var prepared = self
    if let userAgent, headers["User-Agent"] == nil { prepared.headers.add(userAgent, for: "User-Agent") }
    if gzip, body.count >= Gzip.worthwhile, headers["Content-Encoding"] == nil, let packed = Gzip.compress(body),
      packed.count < body.count
    {
      prepared.body = packed
      prepared.headers.add("gzip", for: "Content-Encoding")
    }
    return prepared
  }

  private static func invalid(_ message: String) -> TransportError {
    TransportError(phase: .notSent, code: .invalidRequest, message: message)
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"): true
        case UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
      }
  }

  private static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}
