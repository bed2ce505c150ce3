/// Percent-encoding of a text's UTF-8 bytes, with upper-case hex digits; a blank is `%20`.
///
/// Letters and digits of ASCII stay as they are, and a few marks that differ between the dialects.
package struct URIEscape: Sendable {
  /// Of macros, templates and tag URLs: `-`, `_`, `.` and `*` stay (TM-616).
  package static let macro = URIEscape(marks: "-_.*")
  /// Of hits on the wire: `-`, `.`, `_` and `~` stay (HQ-611).
  package static let hit = URIEscape(marks: "-._~")
  /// Of macro values in the URLs of video ads: `-`, `.`, `_`, `~` and round brackets stay (VA-813).
  package static let adMacro = URIEscape(marks: "-._~()")

  /// One bit for each byte below 128 that stays.
  private let low: UInt64
  private let high: UInt64

  private init(marks: String) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in (marks + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    self.low = low
    self.high = high
  }

  /// The text, escaped.
  package func escape(_ text: String) -> String {
    let escapes = text.utf8.reduce(0) { count, byte in keeps(byte) ? count : count + 1 }
    guard escapes > 0 else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count + 2 * escapes) { write(text, to: $0) }
  }

  /// Appends the escaped text to bytes in the making.
  package func append(_ text: String, to bytes: inout [UInt8]) {
    let longest = 3 * text.utf8.count
    // Written in place: an append for each byte is most of what a hit costs.
    bytes += [UInt8](unsafeUninitializedCapacity: longest) { buffer, count in count = write(text, to: buffer) }
  }

  /// Writes the escaped text into a buffer that has room for it: three bytes in place of one are the most.
  ///
  /// - Returns: the bytes written.
  package func write(_ text: String, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var text = text
    return text.withUTF8 { text in
      guard let start = buffer.baseAddress else { return 0 }
      var next = start
      for byte in text {
        if keeps(byte) {
          next.pointee = byte
          next += 1
        } else {
          next.pointee = UInt8(ascii: "%")
          next[1] = HexDigits.upper(byte &>> 4)
          next[2] = HexDigits.upper(byte & 15)
          next += 3
        }
      }
      return next - start
    }
  }

  private func keeps(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : byte < 128 ? high : 0
    return word &>> UInt64(byte & 63) & 1 == 1
  }
}
