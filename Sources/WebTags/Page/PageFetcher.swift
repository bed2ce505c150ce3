import Foundation
import Hits

/// A page as it was fetched (WT-211).
struct CachedPage: Sendable, Equatable {
  /// A page older than that is not used, in milliseconds.
  static let longestAge: Int64 = 30 * 86_400_000

  var url: String
  var etag: String?
  var lastModified: String?
  /// Milliseconds since 1970.
  var time: Int64
  var body: [UInt8]

  /// The page as it is stored: one line of JSON and the body.
  var stored: [UInt8] {
    let head: Value = [
      "url": .string(url), "etag": etag.map { .string($0) } ?? .null,
      "lastModified": lastModified.map { .string($0) } ?? .null, "time": .int(time),
    ]
    return head.jsonBytes + [UInt8(ascii: "\n")] + body
  }

  init(url: String, etag: String?, lastModified: String?, time: Int64, body: [UInt8]) {
    self.url = url
    self.etag = etag
    self.lastModified = lastModified
    self.time = time
    self.body = body
  }

  init?(stored: [UInt8]) {
    guard let end = stored.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? Value(json: Array(stored[..<end])).map, let url = head["url"]?.string,
      case .int(let time)? = head["time"]
    else { return nil }
    self.init(
      url: url, etag: head["etag"]?.string, lastModified: head["lastModified"]?.string, time: time,
      body: Array(stored[(end + 1)...]))
  }
}

/// Fetches pages and settings natively, without cookies (WT-201, WT-210).
struct PageFetcher: Sendable {
  let configuration: WebTagsConfiguration
  let transport: any HTTPTransport
  let userAgent: String

  /// An answer that counts.
  enum Answer: Sendable {
    case new(HTTPResponse)
    case unchanged
  }

  /// Why there is none.
  enum Failure: Error, Sendable, Equatable {
    /// Another try may help; the cached page may serve.
    case temporary(PageFailure, retryAfter: Int64?)
    case permanent(PageFailure)

    var failure: PageFailure {
      switch self {
      case .temporary(let failure, _), .permanent(let failure): failure
      }
    }
  }

  /// The hosts from which a page may come.
  static func pageHosts(_ configuration: WebTagsConfiguration) -> [HostPattern] {
    if let hosts = configuration.network.pageHosts { return hosts }
    return [PageAddress.pageURL(of: configuration), configuration.deliveryBase].compactMap {
      WebURL($0.absoluteString).map { HostPattern($0.host) }
    }
  }

  /// Whether the page or a redirect of it may come from a URL.
  static func mayComeFrom(_ url: String, _ configuration: WebTagsConfiguration, hosts: [HostPattern]) -> Bool {
    guard let parts = WebURL(url) else { return false }
    let isSecure = parts.isSecure || (parts.isLoopback || configuration.network.allowInsecure)
    return isSecure && hosts.contains { $0.matches(parts.host) }
  }

  /// GETs a URL, up to five redirects inside the allowed hosts.
  func get(
    _ url: URL, etag: String?, lastModified: String?, hosts: [HostPattern], timeout: Duration
  ) async throws(Failure) -> Answer {
    var headers: HTTPHeaders = ["User-Agent": userAgent]
    headers["If-None-Match"] = etag
    headers["If-Modified-Since"] = lastModified
    var target = url.absoluteString
    for _ in 0...5 {
      let request = HTTPRequest(
        url: target, headers: headers, timeout: timeout, responseLimit: PublishSettings.longestText)
      let response: HTTPResponse
      do {
        response = try await transport.send(request)
      } catch {
        if error.code.isDistrust { throw .permanent(PageFailure(.tls, error.message)) }
        if error.code == .tooLarge { throw .permanent(PageFailure(.badDocument, "the answer has more than 2 MiB")) }
        throw .temporary(PageFailure(.loadFailed, error.message), retryAfter: nil)
      }
      switch response.status {
      case 304 where etag != nil || lastModified != nil: return .unchanged
      case 200: return .new(response)
      case 301, 302, 303, 307, 308:
        guard let place = response.headers["Location"], let base = URL(string: target),
          let next = URL(string: place, relativeTo: base)?.absoluteURL,
          Self.mayComeFrom(next.absoluteString, configuration, hosts: hosts)
        else { throw .permanent(PageFailure(.blocked, "the page is redirected to where it may not come from")) }
        target = next.absoluteString
      case 408, 429, 500...599:
        throw .temporary(
          PageFailure(.httpStatus, "the page was answered with \(response.status)"),
          retryAfter: RetryAfter.read(response.headers).map { Int64($0.components.seconds * 1000) })
      default: throw .permanent(PageFailure(.httpStatus, "the page was answered with \(response.status)"))
      }
    }
    throw .permanent(PageFailure(.blocked, "the page is redirected more than five times"))
  }

  /// Whether an answer is a page.
  static func isPage(_ response: HTTPResponse) -> Bool {
    let type = mediaType(response)
    return type == "text/html" || type == "application/xhtml+xml"
  }

  static func mediaType(_ response: HTTPResponse) -> String {
    let type = response.headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
    return type.trimmingCharacters(in: .whitespaces)
  }
}

extension WebCookie {
  /// The cookies that an answer sets for its own host and no other (WT-708).
  static func cookies(set response: HTTPResponse, for url: URL, now: Date) -> [WebCookie] {
    guard let host = url.host?.lowercased() else { return [] }
    return response.headers.values(of: "Set-Cookie").compactMap { cookie($0, host: host, now: now) }
  }

  private static func cookie(_ text: String, host: String, now: Date) -> WebCookie? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard let pair = parts.first, let mark = pair.firstIndex(of: "="), mark > pair.startIndex else { return nil }
    var cookie = WebCookie(name: String(pair[..<mark]), value: String(pair[pair.index(after: mark)...]), domain: host)
    var maxAge: Double?
    for part in parts.dropFirst() {
      let name = part.prefix { $0 != "=" }.lowercased()
      let value = String(part.dropFirst(name.count + 1))
      switch name {
      case "domain":
        let domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        guard domain == host else { return nil }
        cookie.domain = "." + domain
      case "path": if value.hasPrefix("/") { cookie.path = value }
      case "max-age": maxAge = Double(value)
      case "expires": cookie.expires = HTTPDate.read(value)
      case "secure": cookie.secure = true
      case "httponly": cookie.httpOnly = true
      case "samesite": cookie.sameSite = SameSite(rawValue: value.lowercased()) ?? .unset
      default: break
      }
    }
    if let maxAge { cookie.expires = now.addingTimeInterval(min(max(maxAge, 0), 34_560_000)) }
    return cookie
  }
}
