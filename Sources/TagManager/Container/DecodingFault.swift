/// The one error that ends a decoding: it becomes the diagnostic of severity `error`.
struct DecodingFault: Error {
  var code: Diagnostic.Code
  var message: String
  var location: String?

  init(_ code: Diagnostic.Code, _ message: String, at location: String? = nil) {
    self.code = code
    self.message = message
    self.location = location
  }

  var diagnostic: Diagnostic { Diagnostic(.error, code, message, at: location) }

  /// More of something than a limit allows.
  static func tooMany(_ what: String, limit: Int, at location: String? = nil) -> DecodingFault {
    DecodingFault(.tooMany, "There are more than \(limit) \(what); split the container.", at: location)
  }

  /// A text larger than the limit.
  static func textTooLarge(limit: Int, at location: String?) -> DecodingFault {
    DecodingFault(.tooLarge, "A text has more than \(limit) bytes; shorten it.", at: location)
  }

  /// Something nests deeper than the limit.
  static func tooDeep(limit: Int, at location: String?) -> DecodingFault {
    DecodingFault(.tooDeep, "Something nests deeper than \(limit); flatten the value.", at: location)
  }

  /// An index that points at nothing.
  static func indexOutOfRange(_ index: Int, of what: String, count: Int, at location: String?) -> DecodingFault {
    DecodingFault(
      .indexOutOfRange,
      "Index \(index) points at no \(what), there are \(count); the file is damaged, publish it again.",
      at: location)
  }
}
