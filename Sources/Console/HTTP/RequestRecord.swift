import Foundation
import Hits

/// One answered request for the log: no query, no body, no header, no client (CO-105).
package struct RequestRecord: Sendable, CustomStringConvertible {
  package var method: String
  package var path: String
  /// The path of the route that answered; nil for a path that leads nowhere.
  package var route: String?
  package var status: Int
  /// Bytes of the request's body and of the answer's.
  package var received: Int
  package var sent: Int
  package var nanoseconds: Int64

  /// One line, whatever the client wrote: what is not visible ASCII is escaped, and a long path is cut.
  package var description: String {
    let method = Self.plain(method)
    let path = Self.plain(path)
    // By hand: a server writes many of these, and formatting would be most of what a small answer costs.
    return String(unsafeUninitializedCapacity: method.utf8.count + path.utf8.count + 96) { buffer in
      var line = LineBytes(buffer)
      line.append(method)
      line.append(UInt8(ascii: " "))
      line.append(path)
      line.append(UInt8(ascii: " "))
      line.append(Int64(status))
      line.append(UInt8(ascii: " "))
      line.append(Int64(received))
      line.append(UInt8(ascii: " "))
      line.append(Int64(sent))
      let tenths = (nanoseconds + 50_000) / 100_000
      line.append(UInt8(ascii: " "))
      line.append(tenths / 10)
      line.append(UInt8(ascii: "."))
      line.append(tenths % 10)
      line.append("ms")
      return line.count
    }
  }

  fileprivate var milliseconds: Double { Double(nanoseconds) / 1e6 }

  fileprivate static func plain(_ text: String) -> String {
    let isPlain = text.utf8.withContiguousStorageIfAvailable {
      $0.count <= 128 && $0.allSatisfy { 0x21...0x7E ~= $0 }
    }
    if isPlain == true { return text }
    return text.unicodeScalars.prefix(128).reduce(into: "") { line, scalar in
      line += 0x21...0x7E ~= scalar.value ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}

/// The bytes of a line, in room that is known to be enough.
private struct LineBytes {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  mutating func append(_ text: String) {
    let isCopied: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress, bytes.count <= room.count - count else { return }
      room.baseAddress?.advanced(by: count).update(from: start, count: bytes.count)
      count += bytes.count
    }
    if isCopied == nil { for byte in text.utf8 { append(byte) } }
  }

  /// Appends a number's decimal digits.
  mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    room[start..<count].reverse()
  }

  mutating func append(_ byte: UInt8) {
    guard count < room.count else { return }
    room[count] = byte
    count += 1
  }
}

extension LogFormat {
  /// The line of an answered request.
  func line(_ record: RequestRecord) -> String {
    guard self == .json else { return record.description }
    let value: Value = [
      "method": .string(RequestRecord.plain(record.method)), "path": .string(RequestRecord.plain(record.path)),
      "status": .int(Int64(record.status)), "received": .int(Int64(record.received)), "sent": .int(Int64(record.sent)),
      "milliseconds": .double((record.milliseconds * 10).rounded() / 10), "time": .string(Self.now),
    ]
    return value.jsonText
  }

  /// The line of a message about the server's own work.
  func line(_ message: String) -> String {
    guard self == .json else { return message }
    return Value.map(["message": .string(message), "time": .string(Self.now)]).jsonText
  }

  private static var now: String { Date().formatted(.iso8601.time(includingFractionalSeconds: true)) }
}
