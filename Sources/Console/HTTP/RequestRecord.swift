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

  private static func plain(_ text: String) -> String {
    let isPlain = text.utf8.count <= 128 && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    guard !isPlain else { return text }
    return text.unicodeScalars.prefix(128).reduce(into: "") { line, scalar in
      line += 0x21...0x7E ~= scalar.value ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
