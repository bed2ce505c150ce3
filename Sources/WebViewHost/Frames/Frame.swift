/// A message between an app and its helper process: a length and so many bytes of JSON (WT-731).
///
///     frame = length json        length = 4 bytes, big-endian, 1...16 MiB
///
/// A length that is none ends the connection: what follows it could not be told apart.
package enum Frame {
  /// The most bytes of a frame's JSON: an argument of 8 MiB with every byte escaped in the usual way.
  package static let longest = 16 << 20
  /// The version of the messages; both sides must have the same.
  package static let version = 3

  /// A frame of some JSON.
  ///
  /// - Throws: `tooLong` for more bytes than a frame may have.
  package static func bytes(of json: some Collection<UInt8>) throws(FrameError) -> [UInt8] {
    guard 1...longest ~= json.count else { throw FrameError(.tooLong, "a frame of \(json.count) bytes") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + json.count)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: json.count >> shift)) }
    bytes += json
    return bytes
  }
}

/// Takes bytes as they come out of a pipe apart into frames.
package struct FrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  package init() {}

  /// Takes more bytes.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0, start == buffer.count || start > 1 << 16 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// The JSON of the next frame; nil when it is not all there yet.
  ///
  /// - Throws: `tooLong` for a length that a frame cannot have.
  package mutating func next() throws(FrameError) -> ArraySlice<UInt8>? {
    let available = buffer.count - start
    guard available >= 4 else { return nil }
    let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard 1...Frame.longest ~= length else { throw FrameError(.tooLong, "a frame of \(length) bytes") }
    guard available - 4 >= length else { return nil }
    defer { start += 4 + length }
    return buffer[start + 4..<start + 4 + length]
  }
}

/// Why bytes from the other side are no frames of ours.
package struct FrameError: Error, Sendable, Hashable {
  /// What is wrong: an open set.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A length that a frame cannot have.
    package static let tooLong = Code(rawValue: "tooLong")
    /// JSON that is no message.
    package static let notAMessage = Code(rawValue: "notAMessage")
    /// Messages of another version.
    package static let version = Code(rawValue: "version")
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
