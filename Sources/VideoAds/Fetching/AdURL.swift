import Hits

/// A URL of an ad, made fit to be requested: repaired, its macros expanded, of an allowed scheme (VA-201, VA-202).
///
///     written → 1 white space → 2 CDATA marks → 3 &amp; → 4 base → macros → 5 forbidden bytes → 6 stray % → 7 host → scheme
///
/// Nothing else changes: nested URLs, `//` in paths, empty parameters and the parameters' order stay.
struct AdURL: Sendable, Hashable {
  /// Why a URL is never requested.
  enum Refusal: Error, Sendable, Hashable {
    case blank
    /// A relative URL, and no document's URL to resolve it against (VA-102).
    case relative
    /// A scheme other than http and https (VA-207).
    case scheme
    case noHost
    case tooLong

    /// The end of a sentence about the URL.
    var reason: String {
      switch self {
      case .blank: "it is blank"
      case .relative: "it is relative to no document"
      case .scheme: "its scheme is neither http nor https"
      case .noHost: "it has no host"
      case .tooLong: "it is longer than \(AdURL.longest) bytes"
      }
    }
  }

  /// The most bytes of a URL after expansion (VA-807).
  static let longest = 8_192

  /// The URL as it is sent.
  let text: String
  /// Whether it differs from what was written by more than its macros.
  let isRepaired: Bool

  /// Makes a URL of what a document, at a base URL, or an app has written.
  ///
  /// - Parameter expand: gives the text with macros expanded.
  init(_ written: String, base: String?, expand: (String) -> String = { $0 }) throws(Refusal) {
    // Nearly all URLs are as they should be: one look at their bytes tells.
    if written.utf8.count <= Self.longest, Self.isPerfect(written) {
      (text, isRepaired) = (written, false)
      return
    }
    let clean = Self.cleaned(written)
    guard !clean.isEmpty else { throw .blank }
    let absolute = try Self.absolute(clean, base: base)
    let expanded = expand(absolute)
    guard expanded.utf8.count <= Self.longest else { throw .tooLong }
    let legal = Self.legal(expanded)
    let reference = URLReference(legal)
    guard reference.scheme == "http" || reference.scheme == "https" else { throw .scheme }
    guard let host = reference.host, !host.isEmpty else { throw .noHost }
    guard legal.utf8.count <= Self.longest else { throw .tooLong }
    text = legal
    isRepaired = clean != written || legal != expanded || Self.lacksScheme(clean)
  }

  /// Whether a URL of a document is absolute, or relative in scheme alone, and of a scheme that is fetched (VA-207).
  static func isFetchable(_ written: String) -> Bool {
    let reference = URLReference(cleaned(written))
    guard let scheme = reference.scheme else { return reference.authority != nil }
    return (scheme == "http" || scheme == "https") && reference.host?.isEmpty == false
  }

  /// Steps 1 to 3.
  static func cleaned(_ written: String) -> String {
    var bytes = written.utf8.filter { $0 != 0x0D && $0 != 0x0A && $0 != 0x09 }
    bytes = Array(bytes[ASCII.trimmed(bytes.indices, in: bytes)])
    for mark in ["<![CDATA[", "![CDATA[", "[CDATA["] where bytes.starts(with: mark.utf8) {
      bytes.removeFirst(mark.utf8.count)
      break
    }
    for mark in ["]]>", "]]"] where bytes.suffix(mark.utf8.count).elementsEqual(mark.utf8) {
      bytes.removeLast(mark.utf8.count)
      break
    }
    return String(decoding: unescaped(bytes[ASCII.trimmed(bytes.indices, in: bytes)]), as: UTF8.self)
  }

  /// Step 3.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let isEscaped = bytes[at] == UInt8(ascii: "&") && bytes[at...].starts(with: "&amp;".utf8)
      result.append(bytes[at])
      at += isEscaped ? 5 : 1
    }
    return result
  }

  /// Whether a text is an http URL with a plain host, without anything that any step or macro would change.
  static func isPerfect(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      for scheme in schemes where bytes.starts(with: scheme) {
        let rest = bytes.dropFirst(scheme.count)
        let host = rest.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2E }
        guard !host.isEmpty, host.endIndex == bytes.endIndex || "/?#".utf8.contains(bytes[host.endIndex]) else {
          return false
        }
        let plain = plainBytes
        for at in host.endIndex..<bytes.endIndex {
          if !plain[Int(bytes[at])] { return false }
          if bytes[at] == UInt8(ascii: "&"), bytes[at...].starts(with: "&amp;".utf8) { return false }
        }
        return true
      }
      return false
    } ?? false
  }

  static let schemes = [Array("https://".utf8), Array("http://".utf8)]
  private static let plainBytes = (0...255).map { isPlain(UInt8($0)) }

  /// Step 4, and relative URLs (VA-410).
  private static func absolute(_ text: String, base: String?) throws(Refusal) -> String {
    let reference = URLReference(text)
    if reference.scheme != nil { return text }
    if let base { return reference.resolved(against: URLReference(base)).text }
    guard reference.authority != nil else { throw .relative }
    return "https:" + text
  }

  /// Whether step 4 gives a text the scheme that it leaves out.
  static func lacksScheme(_ clean: String) -> Bool { clean.hasPrefix("//") }

  /// Steps 5 to 7: percent-encodes what RFC 3986 forbids, never a second time.
  static func legal(_ text: String) -> String {
    guard text.utf8.contains(where: { !isPlain($0) }) else { return text }
    var reference = URLReference(text)
    reference.authority = reference.authority.map(asciiAuthority)
    reference.path = escaped(reference.path)
    reference.query = reference.query.map(escaped)
    reference.fragment = reference.fragment.map(escaped)
    return reference.text
  }

  /// Whether a byte is legal wherever it stands in a URL.
  private static func isPlain(_ byte: UInt8) -> Bool {
    WebURL.isAllowed(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
  }

  private static func escaped(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for (at, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && at + 2 < bytes.count && HexDigits.value(of: bytes[at + 1]) != nil
        && HexDigits.value(of: bytes[at + 2]) != nil
      if isPlain(byte) || isEscape {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), HexDigits.upper(byte >> 4), HexDigits.upper(byte & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a byte may stand in an IPv6 address.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    HexDigits.value(of: byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// The authority with an international host as A-labels.
  private static func asciiAuthority(_ authority: String) -> String {
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    guard var last = parts.last.map(String.init) else { return authority }
    let hostEnd = last.hasPrefix("[") ? last.firstIndex(of: "]").map { last.index(after: $0) } : nil
    let isAddress = hostEnd.map { last[..<$0].dropFirst().dropLast().utf8.allSatisfy(isAddressByte) } ?? false
    if isAddress, let hostEnd {
      last = last[..<hostEnd] + escaped(String(last[hostEnd...]))
    } else {
      let host = last.prefix { $0 != ":" }
      let isInternational = host.utf8.contains { $0 >= 0x80 }
      last =
        escaped(isInternational ? ALabel.host(String(host)) : String(host)) + escaped(String(last[host.endIndex...]))
    }
    return (parts.dropLast().map { escaped(String($0)) } + [last]).joined(separator: "@")
  }
}
