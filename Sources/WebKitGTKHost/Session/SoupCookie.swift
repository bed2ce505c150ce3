import CWebKitGTK
import Foundation
import WebTags

/// A cookie as libsoup has it.
@WebKitActor
final class SoupCookie {
  let pointer: OpaquePointer

  private init(taking pointer: OpaquePointer) { self.pointer = pointer }

  /// Makes one; nil when there is no name or domain.
  init?(_ cookie: WebCookie) {
    guard !cookie.name.isEmpty, !cookie.domain.isEmpty,
      let pointer = soup_cookie_new(cookie.name, cookie.value, cookie.domain, cookie.path, -1)
    else { return nil }
    self.pointer = pointer
    soup_cookie_set_secure(pointer, cookie.secure ? 1 : 0)
    soup_cookie_set_http_only(pointer, cookie.httpOnly ? 1 : 0)
    if let expires = cookie.expires, let date = Self.date(of: expires) {
      soup_cookie_set_expires(pointer, date)
      g_date_time_unref(date)
    }
    let policy: SoupSameSitePolicy? =
      switch cookie.sameSite {
      case .unset: nil
      case .none: SOUP_SAME_SITE_POLICY_NONE
      case .lax: SOUP_SAME_SITE_POLICY_LAX
      case .strict: SOUP_SAME_SITE_POLICY_STRICT
      }
    if let policy { soup_cookie_set_same_site_policy(pointer, policy) }
  }

  isolated deinit { soup_cookie_free(pointer) }

  /// Takes the cookies of a list, and frees the list.
  static func take(_ list: UnsafeMutablePointer<GList>?) -> [SoupCookie] {
    defer { g_list_free(list) }
    return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }.compactMap { item in
      item?.pointee.data.map { SoupCookie(taking: OpaquePointer($0)) }
    }
  }

  var cookie: WebCookie {
    WebCookie(
      name: text(soup_cookie_get_name(pointer)), value: text(soup_cookie_get_value(pointer)),
      domain: text(soup_cookie_get_domain(pointer)), path: text(soup_cookie_get_path(pointer)),
      expires: soup_cookie_get_expires(pointer).map { Date(timeIntervalSince1970: Double(g_date_time_to_unix($0))) },
      secure: soup_cookie_get_secure(pointer) != 0, httpOnly: soup_cookie_get_http_only(pointer) != 0,
      sameSite: sameSite)
  }

  private var sameSite: WebCookie.SameSite {
    switch soup_cookie_get_same_site_policy(pointer) {
    case SOUP_SAME_SITE_POLICY_LAX: .lax
    case SOUP_SAME_SITE_POLICY_STRICT: .strict
    default: .none
    }
  }

  private func text(_ chars: UnsafePointer<CChar>?) -> String { chars.map { String(cString: $0) } ?? "" }

  /// libsoup's years have four digits.
  private static func date(of date: Date) -> OpaquePointer? {
    g_date_time_new_from_unix_utc(Int(min(max(0, date.timeIntervalSince1970), 253_402_300_799)))
  }
}
