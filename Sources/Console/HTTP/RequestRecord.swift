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
  package var duration: Duration

  /// One line, whatever the client wrote: what is not visible ASCII is escaped, and a long path is cut.
  package var description: String {
    // By hand: a server writes many of these, and formatting would be most of what a small answer costs.
    let tenths =
      (duration.components.seconds * 10_000) + (duration.components.attoseconds + 50_000_000_000_000)
      / 100_000_000_000_000
    return "\(Self.plain(method)) \(Self.plain(path)) \(status) \(received) \(sent) \(tenths / 10).\(tenths % 10)ms"
  }

  fileprivate var milliseconds: Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
  }

  fileprivate static func plain(_ text: String) -> String {
    let isPlain = text.utf8.count <= 128 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    guard !isPlain else { return text }
    return text.unicodeScalars.prefix(128).reduce(into: "") { line, scalar in
      line += 0x21...0x7E ~= scalar.value ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
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
