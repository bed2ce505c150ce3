import Hits

/// Writes bytes one after another into memory that has room for all of them.
///
/// An array that grows asks for room with every piece, which is most of what the line of a hit costs.
struct ByteWriter {
  private let start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  /// Writes into a buffer; nil for one without memory.
  init?(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = buffer.baseAddress else { return nil }
    self.start = start
    next = start
    end = start + buffer.count
  }

  /// The bytes written so far.
  var count: Int { next - start }

  mutating func put(_ byte: UInt8) {
    assert(next < end)
    next.pointee = byte
    next += 1
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    assert(bytes.count <= end - next)
    guard let source = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(next).copyMemory(from: source, byteCount: bytes.count)
    next += bytes.count
  }

  mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

  /// A text as it is, such as a name.
  mutating func put(text: String) {
    var text = text
    text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
  }

  /// Characters that the program is made with.
  mutating func put(_ text: StaticString) {
    put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A text as a value of form-encoded fields.
  mutating func put(escaped text: String) {
    next += URIEscape.hit.write(text, to: UnsafeMutableBufferPointer(start: next, count: end - next))
  }

  /// A whole number in decimal: at most 20 bytes.
  mutating func put(decimal number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    let first = next
    var rest = number.magnitude
    repeat {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var digits = UnsafeMutableBufferPointer(start: first, count: next - first)
    digits.reverse()
  }

  /// An id's text: 36 bytes.
  mutating func put(_ id: HitID) {
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { put(UInt8(ascii: "-")) }
      let word = digit < 16 ? id.high : id.low
      put(HexDigits.lower(UInt8(truncatingIfNeeded: word &>> UInt64(60 - 4 * (digit & 15))) & 15))
    }
  }
}

extension [UInt8] {
  /// Bytes that are written by a body, at most so many.
  init(upTo count: Int, _ body: (inout ByteWriter) -> Void) {
    self.init(unsafeUninitializedCapacity: count) { buffer, written in
      guard var writer = ByteWriter(buffer) else { return }
      body(&writer)
      written = writer.count
    }
  }
}
