import Hits

/// The head of a request, with what its framing says about the body.
struct RequestHead {
  /// What follows the head.
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
    /// Two readers could disagree about where the request ends: it is refused.
    case ambiguous
  }

  let line: RequestLine
  var headers: HTTPHeaders

  /// libmicrohttpd takes two lengths, a length beside an encoding, and any encoding's name; behind a proxy each of them
  /// hides a second request in the first.
  var framing: Framing {
    let lengths = headers.values(of: "Content-Length")
    let encodings = headers.values(of: "Transfer-Encoding")
    switch (lengths.count, encodings.count) {
    case (0, 0): return .none
    case (0, 1): return HTTPHeaders.isSame(encodings[0], "chunked") ? .chunked : .ambiguous
    case (1, 0):
      let digits = lengths[0].utf8
      let isNumber = !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      return isNumber ? .length(Int(lengths[0]) ?? .max) : .ambiguous
    default: return .ambiguous
    }
  }
}
