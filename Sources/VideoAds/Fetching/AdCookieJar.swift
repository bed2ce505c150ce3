import Foundation
import Hits

/// The cookies of one loader's servers, in memory alone (VA-205): the parts of RFC 6265 that ad servers use.
///
///     Set-Cookie: name=value; Domain=…; Path=…; Secure; Max-Age=60; Expires=Wed, 09 Jun 2027 10:18:14 GMT
///
/// Moments are milliseconds since 1970 UTC.
struct AdCookieJar: Sendable {
  private struct Cookie: Sendable {
    var name: String
    var value: String
    var domain: String
    var isHostOnly: Bool
    var path: String
    var isSecure: Bool
    /// When it ends; nil with the loader.
    var end: Int64?

    func isAlive(at now: Int64) -> Bool { end.map { now < $0 } ?? true }
  }

  private static let limit = 100
  /// Of a cookie, in seconds: over a century.
  private static let longestAge: Int64 = 1 << 32
  private var cookies: [Cookie] = []

  /// Keeps a cookie that a server sets, in the oldest one's place when the jar is full; one with a foreign domain or too
  /// long is ignored.
  mutating func store(_ text: String, from url: String, at now: Int64) {
    let reference = URLReference(url)
    guard let host = reference.host?.lowercased(), text.utf8.count <= 4_096 else { return }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
    guard let first = parts.first, let value = first.value, !first.name.isEmpty else { return }
    var cookie = Cookie(name: first.name, value: value, domain: host, isHostOnly: true, path: "/", isSecure: false)
    var age: Int64?
    for part in parts.dropFirst() {
      switch part.name.lowercased() {
      case "domain":
        let domain = (part.value ?? "").lowercased().drop { $0 == "." }
        // A domain of one label would be every site's.
        guard domain.contains("."), Self.isHost(host, in: String(domain)) else { return }
        cookie.domain = String(domain)
        cookie.isHostOnly = false
      case "path": if let path = part.value, path.hasPrefix("/") { cookie.path = path }
      case "secure": cookie.isSecure = true
      case "max-age": age = part.value.flatMap { Int64($0) } ?? age
      case "expires": cookie.end = part.value.flatMap(Self.moment) ?? cookie.end
      default: continue
      }
    }
    if let age { cookie.end = now + min(max(age, 0), Self.longestAge) * 1_000 }
    cookies.removeAll {
      $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path || !$0.isAlive(at: now)
    }
    guard cookie.isAlive(at: now) else { return }
    if cookies.count == Self.limit { cookies.removeFirst() }
    cookies.append(cookie)
  }

  private static func moment(_ text: String) -> Int64? {
    HTTPDate.read(text).flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1_000).rounded()) }
  }

  /// The field `Cookie` of a request; nil without a cookie.
  func header(for url: String, at now: Int64) -> String? {
    let reference = URLReference(url)
    guard let host = reference.host?.lowercased() else { return nil }
    let path = reference.path.isEmpty ? "/" : reference.path
    let fitting = cookies.filter { cookie in
      let isHost = cookie.isHostOnly ? host == cookie.domain : Self.isHost(host, in: cookie.domain)
      let isBelow = path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
      return cookie.isAlive(at: now) && isHost && (path == cookie.path || isBelow)
        && (!cookie.isSecure || reference.scheme == "https")
    }
    return fitting.isEmpty ? nil : fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func isHost(_ host: String, in domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }

  private static func pair(_ text: Substring) -> (name: String, value: String?) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = halves.first.map(trimmed) ?? ""
    return (name, halves.count == 2 ? trimmed(halves[1]) : nil)
  }

  private static func trimmed(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    return String(decoding: bytes[ASCII.trimmed(bytes.indices, in: bytes)], as: UTF8.self)
  }
}
