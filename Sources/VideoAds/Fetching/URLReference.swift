/// A URL reference taken apart, as RFC 3986 does in appendix B, of bytes that need not be legal yet.
struct URLReference {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    var rest = text[...]
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if rest.utf8.starts(with: "//".utf8) {
      let tail = rest.dropFirst(2)
      let slash = tail.utf8.firstIndex(of: UInt8(ascii: "/")) ?? tail.endIndex
      authority = String(tail[..<slash])
      rest = tail[slash...]
    }
    path = String(rest)
  }

  var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// The host of the authority, without user info and port.
  var host: String? {
    guard let authority else { return nil }
    let start = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) }
    let hostPort = authority[(start ?? authority.startIndex)...]
    if hostPort.utf8.first == UInt8(ascii: "[") {
      return hostPort.utf8.firstIndex(of: UInt8(ascii: "]")).map { String(hostPort[...$0]) } ?? String(hostPort)
    }
    return String(hostPort.prefix { $0 != ":" })
  }

  /// The absolute URL that the reference means inside the document of a URL (RFC 3986, section 5.2.2).
  func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil { return target }
    target.scheme = base.scheme
    if authority != nil { return target }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.hasPrefix("/") {
      target.path = Self.withoutDots(path)
    } else {
      let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
      target.path = Self.withoutDots(folder + path)
    }
    return target
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
    return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func withoutDots(_ path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for segment in segments {
      switch segment {
      case ".": continue
      case "..": if kept.count > 1 { kept.removeLast() }
      default: kept.append(segment)
      }
    }
    if let last = segments.last, last == "." || last == ".." { kept.append("") }
    return kept.joined(separator: "/")
  }
}
