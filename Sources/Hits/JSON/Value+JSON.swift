extension Value {
  /// Reads a JSON text from outside, within limits.
  ///
  /// A number that is whole and inside `Int64` becomes an `int`, every other a `double`; of a key that occurs twice in
  /// an object the last value counts; half a surrogate pair becomes U+FFFD.
  ///
  /// - Parameters:
  ///   - json: UTF-8 without a byte order mark; white space around the value is fine, anything else is not.
  ///   - limits: what to accept at most.
  /// - Throws: `JSONError` with the byte offset of what is wrong.
  public init(json: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    self = try JSONDocument(json, limits: limits).root.value
  }

  /// Reads a JSON text from outside, within limits, as `init(json:limits:)` of bytes does.
  public init(json: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(json: Array(json.utf8), limits: limits)
  }

  /// The value as compact JSON in UTF-8, the same bytes for equal values.
  ///
  /// Keys stand in byte order, numbers as ECMAScript prints them, `absent` is left out of lists and maps. What JSON
  /// cannot say, a number that is not finite or `absent` on its own, is written as null.
  public var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The value as compact JSON text, as in `jsonBytes`.
  public var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }
}
