import Hits

/// The URL a tag asks for, after the rules that hold for all tags (TM-841).
///
/// Authors paste values into URLs, so what may not stand in one is percent-encoded first; control characters never get
/// through. Then the URL is read strictly, http becomes https, and the host is checked.
struct TagURL {
  /// The URL as it is requested.
  let text: String
  /// Whether it was http and became https.
  let isUpgraded: Bool

  /// Reads a tag's URL and appends items to its query; an existing query and fragment stay.
  init(_ text: String, query: [(key: String, value: String)] = [], policy: TagURLPolicy) throws(TagFailure) {
    guard text.utf8.count <= WebURL.longest, var url = WebURL(Self.encodingStrayBytes(text)) else { throw .url }
    if let hosts = policy.allowedHosts, !hosts.contains(url.host) { throw .url }
    isUpgraded = !url.isSecure && !url.isLoopback && !policy.allowsInsecureRequests
    if isUpgraded {
      url.isSecure = true
      if url.port == 80 { url.port = nil }
    }
    if !query.isEmpty { url.query = Self.append(query, to: url.query) }
    self.text = url.text
    guard self.text.utf8.count <= WebURL.longest else { throw .url }
  }

  /// The tag's one hit, preceded by what its author should know.
  func effects(of call: TagCall) -> [TagEffect] { warnings(of: call) + [.send(.beacon(text), tracker: nil)] }

  /// Tells the author that http became https.
  func warnings(of call: TagCall) -> [TagEffect] {
    guard isUpgraded else { return [] }
    let message = "Tag '\(call.name)' asks for an http URL; https is used. Write https, or allow insecure tag requests."
    return [.warn(Diagnostic(.warning, .insecureURLUpgraded, message, at: call.name))]
  }

  private static func append(_ items: [(key: String, value: String)], to query: String?) -> String {
    let added = items.map { URIEscape.macro.escape($0.key) + "=" + URIEscape.macro.escape($0.value) }
    guard let query, !query.isEmpty else { return added.joined(separator: "&") }
    return query + (query.hasSuffix("&") ? "" : "&") + added.joined(separator: "&")
  }

  private static func encodingStrayBytes(_ text: String) -> String {
    guard !text.utf8.allSatisfy(WebURL.isAllowed) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if WebURL.isAllowed(byte) || byte < 0x20 || byte == 0x7F {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), HexDigits.upper(byte >> 4), HexDigits.upper(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
