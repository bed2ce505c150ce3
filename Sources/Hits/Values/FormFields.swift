import Foundation

/// Fields read from form-encoded bytes, whatever these are (HQ-136, HQ-611, HQ-702).
///
/// `%XX` counts in either case of its digits and `+` is a blank; a `%` without two digits stands for itself. Bytes that
/// are not UTF-8 become U+FFFD, a missing `=` gives an empty value, empty pieces are skipped, and of a name that comes
/// twice the first counts.
package struct FormFields: Sendable, Hashable {
  /// One field.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  /// The fields in the order of the bytes, each name once.
  package let fields: [Field]

  /// Reads a query, a form body, or one line of a batch.
  package init(_ bytes: some Collection<UInt8>) {
    // One loop over plain memory: this is most of what a collector does for a hit.
    fields =
      bytes.withContiguousStorageIfAvailable(Self.read) ?? Array(bytes).withUnsafeBufferPointer(Self.read)
  }

  /// The values that are not empty, the first of each name.
  package static func firstValues(of query: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    Array(query.utf8).withUnsafeBufferPointer { bytes in
      scan(bytes) { name, value in
        guard let value = value.map(decode), !value.isEmpty else { return }
        let name = decode(name)
        if values[name] == nil { values[name] = value }
      }
    }
    return values
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [Field] {
    var fields: [Field] = []
    var names: Set<String> = []
    scan(bytes) { name, value in
      let name = decode(name)
      if !name.isEmpty, names.insert(name).inserted {
        fields.append(Field(name: name, value: value.map(decode) ?? ""))
      }
    }
    return fields
  }

  private typealias Piece = Slice<UnsafeBufferPointer<UInt8>>

  @inline(__always)
  private static func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (_ name: Piece, _ value: Piece?) -> Void) {
    var start = 0
    while start < bytes.count {
      var end = start
      var equals: Int?
      while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
        if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      take(bytes[start..<(equals ?? end)], equals.map { bytes[($0 + 1)..<end] })
      start = end + 1
    }
  }

  /// The lines of a batch: between LF or CR LF, empty ones left out.
  package static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < body.count {
      let end = end(ofLineAt: start, in: body)
      let line = body[start..<end]
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if !text.isEmpty { lines.append(text) }
      start = end + 1
    }
    return lines
  }

  private static func end(ofLineAt start: Int, in body: [UInt8]) -> Int {
    body.withUnsafeBytes { bytes in
      let rest = bytes[start...]
      guard let first = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        let found = memchr(first, Int32(UInt8(ascii: "\n")), rest.count)
      else { return bytes.count }
      return start + (UnsafeRawPointer(found) - first)
    }
  }

  /// The value of a name; nil when it is not there.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The fields as a dictionary.
  package var dictionary: [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static func decode(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "+"):
        decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        if at + 1 < bytes.endIndex, let high = HexDigits.value(of: bytes[at]),
          let low = HexDigits.value(of: bytes[at + 1])
        {
          decoded.append(high << 4 | low)
          at += 2
        } else {
          decoded.append(byte)
        }
      default:
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}
