import CWebKitGTK
import Foundation
import WebTags

extension NetworkSession {
  /// The cookies that a request to a URL would carry, or all.
  func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] {
    try use()
    defer { close() }
    return try await read(for: url).map { cookies in cookies.map(\.cookie) }.get()
  }

  /// Puts a cookie into the jar.
  func set(_ cookie: WebCookie) async throws(PageHostError) {
    guard let soup = SoupCookie(cookie) else {
      throw PageHostError(.blocked, "a cookie needs a name and a domain")
    }
    try use()
    defer { close() }
    try await change(soup, webkit_cookie_manager_add_cookie, webkit_cookie_manager_add_cookie_finish)
  }

  /// Removes the cookies of a URL's host and of its parent domains, or all.
  func removeCookies(for url: URL?) async throws(PageHostError) {
    try use()
    defer { close() }
    let host = url.map { ($0.host ?? "").lowercased() }
    for soup in try await read(for: nil).get() {
      let domain = soup.cookie.domain.lowercased()
      let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
      guard host.map({ $0 == bare || $0.hasSuffix("." + bare) }) ?? true else { continue }
      try await change(soup, webkit_cookie_manager_delete_cookie, webkit_cookie_manager_delete_cookie_finish)
    }
  }

  private func read(for url: URL?) async -> Result<[SoupCookie], PageHostError> {
    let manager = cookies
    return await asyncCall { callback, context in
      if let url {
        webkit_cookie_manager_get_cookies(manager, url.absoluteString, nil, callback, context)
      } else {
        webkit_cookie_manager_get_all_cookies(manager, nil, callback, context)
      }
    } finish: { _, result in
      var error: UnsafeMutablePointer<GError>?
      let list =
        url == nil
        ? webkit_cookie_manager_get_all_cookies_finish(manager, result, &error)
        : webkit_cookie_manager_get_cookies_finish(manager, result, &error)
      if let error { return .failure(Self.failure(takeMessage(error))) }
      return .success(SoupCookie.take(list))
    }
  }

  private typealias Change = (
    OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<GCancellable>?, GAsyncReadyCallback?, gpointer?
  ) -> Void
  private typealias ChangeEnd =
    @Sendable (
      OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> gboolean

  private func change(_ soup: SoupCookie, _ start: Change, _ end: @escaping ChangeEnd) async throws(PageHostError) {
    let manager = cookies
    let failure: String? = await asyncCall { callback, context in
      start(manager, soup.pointer, nil, callback, context)
    } finish: { _, result in
      var error: UnsafeMutablePointer<GError>?
      return end(manager, result, &error) != 0 ? nil : takeMessage(error)
    }
    if let failure { throw Self.failure(failure) }
  }

  nonisolated private static func failure(_ message: String) -> PageHostError {
    PageHostError(.engineFailed, "the cookie jar failed: \(message)")
  }
}
