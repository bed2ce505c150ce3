import Foundation
import Hits

/// The URLs of an instance (WT-130, WT-200).
enum PageAddress {
  static func pageURL(of configuration: WebTagsConfiguration) -> URL {
    if let url = configuration.pageURL { return url }
    if case .bundled(_, let base) = configuration.pageMode { return base }
    if configuration.universalTag.needsShell, let script = configuration.universalTag.scriptURL(of: configuration) {
      return URL(string: "/", relativeTo: script)?.absoluteURL ?? script
    }
    return published(configuration, profile: configuration.profile)
  }

  /// Where the settings are; nil where the documented defaults apply.
  ///
  /// A page of the app's own does not move them.
  static func settingsURL(of configuration: WebTagsConfiguration) -> URL? {
    if let url = configuration.settingsURL { return url }
    if let profile = configuration.settingsProfile { return published(configuration, profile: profile) }
    switch configuration.pageMode {
    case .bundled, .generated: return nil
    case .fetched, .direct: return published(configuration, profile: configuration.profile)
    }
  }

  /// Whether the page's own text has the settings.
  static func pageHasSettings(_ configuration: WebTagsConfiguration) -> Bool {
    configuration.pageMode == .fetched && settingsURL(of: configuration) == pageURL(of: configuration)
  }

  private static func published(_ configuration: WebTagsConfiguration, profile: String) -> URL {
    var url = configuration.deliveryBase
    for part in [configuration.account, profile, configuration.environment, "mobile.html"] {
      url.appendPathComponent(part)
    }
    return url
  }

  /// The page's URL with its parameters.
  ///
  /// - Parameter provided: what the app's providers gave, in their order; the items of one are sorted here.
  static func withQuery(
    _ url: URL, _ configuration: WebTagsConfiguration, device: any Device, wallSeconds: Int64,
    provided: [[URLQueryItem]]
  ) -> URL {
    var items = [
      ("platform", device.platform.lowercased()), ("device_os_version", device.osVersion),
      ("library_version", ProductInfo.version),
    ]
    if configuration.sessionCounting { items.append(("sdk_session_count", "true")) }
    for provider in provided {
      items += provider.sorted { $0.name.precedesInBytes($1.name) }.map { ($0.name, $0.value ?? "") }
    }
    if configuration.cacheBusting { items.append(("timestamp_unix", String(wallSeconds))) }

    var text = url.absoluteString
    var fragment = ""
    if let mark = text.firstIndex(of: "#") {
      fragment = String(text[mark...])
      text = String(text[..<mark])
    }
    let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] }
    var names = Set(
      (query ?? "").split(separator: "&").map { name in
        let name = String(name.prefix { $0 != "=" })
        return name.removingPercentEncoding ?? name
      })
    var parts: [String] = []
    for (name, value) in items where names.insert(name).inserted {
      parts.append(URIEscape.hit.escape(name) + "=" + URIEscape.hit.escape(value))
    }
    if !parts.isEmpty {
      let separator = query == nil ? "?" : query?.isEmpty == true || query?.hasSuffix("&") == true ? "" : "&"
      text += separator + parts.joined(separator: "&")
    }
    return URL(string: text + fragment) ?? url
  }

  /// A URL as it compares: scheme and host in lower case, no default port, no fragment, `/` for an empty path,
  /// unreserved characters unescaped (WT-303).
  static func normalised(_ text: String) -> String? {
    guard let url = WebURL(text) else { return nil }
    let port = url.port.flatMap { $0 == (url.isSecure ? 443 : 80) ? nil : ":\($0)" } ?? ""
    let path = url.path.isEmpty ? "/" : url.path
    return (url.isSecure ? "https://" : "http://") + url.host + port + unescaped(path)
      + (url.query.map { "?" + unescaped($0) } ?? "")
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2, let high = HexDigits.value(of: rest[rest.startIndex]),
        let low = HexDigits.value(of: rest[rest.startIndex + 1])
      else {
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
      let decoded = high << 4 | low
      switch decoded {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(decoded)
      default: bytes += [byte, HexDigits.upper(high), HexDigits.upper(low)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `scheme://host[:port]`, as scripts see it.
  static func origin(of url: String) -> String? {
    guard let url = WebURL(url) else { return nil }
    let port = url.port.flatMap { $0 == (url.isSecure ? 443 : 80) ? nil : ":\($0)" } ?? ""
    return (url.isSecure ? "https://" : "http://") + url.host + port
  }
}
