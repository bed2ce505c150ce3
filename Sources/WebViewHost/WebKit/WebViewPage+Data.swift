#if canImport(WebKit)
  import Foundation
  import WebKit
  import WebTags

  extension WebViewPage {
    private var store: WKWebsiteDataStore { view.configuration.websiteDataStore }

    func cookies() async -> [WebCookie] { await store.httpCookieStore.allCookies().map(WebCookie.init) }

    /// Puts a cookie into the jar; false for one that is none.
    func setCookie(_ cookie: WebCookie) async -> Bool {
      guard let cookie = HTTPCookie(cookie) else { return false }
      await store.httpCookieStore.setCookie(cookie)
      return true
    }

    func removeCookies(where isMeant: @Sendable (_ domain: String) -> Bool) async {
      for cookie in await store.httpCookieStore.allCookies() where isMeant(cookie.domain.lowercased()) {
        await store.httpCookieStore.deleteCookie(cookie)
      }
    }

    func eraseData() async {
      await store.removeData(ofTypes: WKWebsiteDataStore.allWebsiteDataTypes(), modifiedSince: .distantPast)
    }
  }

  extension WebCookie {
    init(_ cookie: HTTPCookie) {
      let sameSite: SameSite =
        switch cookie.sameSitePolicy {
        case .some(.sameSiteLax): .lax
        case .some(.sameSiteStrict): .strict
        default: .unset
        }
      self.init(
        name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path, expires: cookie.expiresDate,
        secure: cookie.isSecure, httpOnly: cookie.isHTTPOnly, sameSite: sameSite)
    }

    /// Whether a request to a URL carries it.
    func isSent(to url: URL) -> Bool {
      let (host, domain) = ((url.host ?? "").lowercased(), domain.lowercased())
      guard domain.hasPrefix(".") ? ("." + host).hasSuffix(domain) : host == domain else { return false }
      guard !secure || url.scheme == "https" else { return false }
      let place = url.path.isEmpty ? "/" : url.path
      return place == path || place.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
  }

  extension HTTPCookie {
    convenience init?(_ cookie: WebCookie) {
      guard !cookie.name.isEmpty, !cookie.domain.isEmpty else { return nil }
      var properties: [HTTPCookiePropertyKey: Any] = [
        .name: cookie.name, .value: cookie.value, .domain: cookie.domain, .path: cookie.path,
      ]
      if let expires = cookie.expires { properties[.expires] = expires }
      if cookie.secure { properties[.secure] = "TRUE" }
      if cookie.httpOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
      switch cookie.sameSite {
      case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax
      case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict
      case .none, .unset: break
      }
      self.init(properties: properties)
    }
  }
#endif
