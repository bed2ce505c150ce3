/// What is to be said of a request of Measurement Protocol v1, in the form of the protocol's validation server (HQ-703).
public struct MeasurementReport: Sendable, Hashable, Codable {
  /// One hit.
  public struct Result: Sendable, Hashable, Codable {
    /// Whether there is no error.
    public var valid: Bool
    /// The request line that the hit alone would be.
    public var hit: String
    /// What is to be said of it.
    public var parserMessage: [MeasurementMessage]
  }

  /// The hits in their order.
  public var hitParsingResult: [Result]
  /// What is to be said of the whole.
  public var parserMessage: [MeasurementMessage]

  /// Whether there is a hit and none has an error.
  public var isValid: Bool { !hitParsingResult.isEmpty && hitParsingResult.allSatisfy(\.valid) }

  /// Judges the hits of a request.
  ///
  /// A request beyond the protocol's limits is an error of each of its hits, of which only as many are judged as it may
  /// have; a file has no such limits.
  ///
  /// - Parameters:
  ///   - lines: the hits as they came.
  ///   - bytes: the bytes of the request's body; nil for a file.
  ///   - method: the request's method, such as `POST`.
  package init(
    of lines: [ArraySlice<UInt8>], bytes: Int?, method: String, by validator: MeasurementValidator
  ) {
    let limits = MeasurementProtocol().limits
    let isTooLarge = bytes.map { lines.count > limits.hits || (lines.count > 1 && $0 > limits.bytes) } ?? false
    hitParsingResult = lines.prefix(bytes == nil ? .max : limits.hits).map { line in
      var messages = validator.messages(for: line)
      if isTooLarge {
        messages.append(
          MeasurementMessage(
            .error, .batchTooLarge, "A request has at most \(limits.hits) hits and \(limits.bytes) bytes."))
      }
      // A hit far beyond its limit is not repeated in full.
      let text = String(decoding: line.prefix(limits.hitBytes), as: UTF8.self)
      return Result(
        valid: !messages.contains { $0.messageType == .error }, hit: "\(method) /debug/collect?\(text) HTTP/1.1",
        parserMessage: messages)
    }
    parserMessage = [MeasurementMessage(.information, nil, "Found \(lines.count) hit in the request.")]
  }
}
