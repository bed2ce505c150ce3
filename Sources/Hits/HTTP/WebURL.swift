/// An absolute http or https URL, taken apart without any leniency (TM-841, HQ-116).
///
///     url  = ( "http" / "https" ) "://" host [ ":" port ] [ "/" path ] [ "?" query ] [ "#" fragment ]
///     host = label *( "." label ) [ "." ] / "[" hex digits, ":" and "." "]"
///
/// A user name is refused, and so are control characters, blanks, bytes outside ASCII and the marks that RFC 3986 keeps
/// out of URLs, for servers and proxies disagree about them.
package struct WebURL: Sendable, Hashable {
  /// Whether the scheme is https.
  package var isSecure: Bool
  /// The host in lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The port, if the text names one.
  package var port: UInt16?
  /// The path as it is written; may be empty.
  package let path: String
  /// The query without its `?`; nil without one.
  package var query: String?
  /// The fragment without its `#`; nil without one.
  package let fragment: String?

  /// The most bytes of a URL.
  package static let longest = 8_192

  /// Reads a URL; nil when it is none of this grammar, or too long.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    guard let mark = text.firstRange(of: "://") else { return nil }
    switch text[..<mark.lowerBound].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    let rest = text[mark.upperBound...]
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<authorityEnd]) else { return nil }
    self.host = host
    self.port = port
    var tail = rest[authorityEnd...]
    let fragmentStart = tail.firstIndex(of: "#")
    fragment = fragmentStart.map { String(tail[tail.index(after: $0)...]) }
    tail = tail[..<(fragmentStart ?? tail.endIndex)]
    let queryStart = tail.firstIndex(of: "?")
    query = queryStart.map { String(tail[tail.index(after: $0)...]) }
    path = String(tail[..<(queryStart ?? tail.endIndex)])
  }

  /// The URL as text.
  package var text: String {
    (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
  package var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func authority(_ text: Substring) -> (host: String, port: UInt16?)? {
    var host = text
    var port: UInt16?
    let bracket = text.lastIndex(of: "]")
    if let colon = text.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
      let digits = text[text.index(after: colon)...]
      guard digits.allSatisfy(\.isNumber), let number = UInt16(digits), number > 0 else { return nil }
      port = number
      host = text[..<colon]
    }
    let name = host.lowercased()
    return isHost(name) ? (name, port) : nil
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.utf8.count > 3 else { return false }
      return host.dropFirst().dropLast().utf8.allSatisfy {
        HexDigits.value(of: $0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
      }
    }
    guard (1...253).contains(host.utf8.count), host != "." else { return false }
    let labels = (host.hasSuffix(".") ? host.dropLast() : host[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy { byte in
          UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
  }

  /// Whether a byte may stand in a URL at all.
  package static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: 0x21...0x7E ~= byte
    }
  }
}
