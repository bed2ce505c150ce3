public import Foundation

/// A cookie in a page's jar.
public struct WebCookie: Sendable, Hashable, Codable {
  /// Whether requests from other sites carry the cookie.
  public enum SameSite: String, Sendable, Hashable, Codable {
    /// The attribute is not set.
    case unset
    case none
    case lax
    case strict
  }

  /// The name.
  public var name: String
  /// The value as it travels.
  public var value: String
  /// The host; with a leading dot for the hosts below it too.
  public var domain: String
  /// The path at and below which it counts.
  public var path: String
  /// When it ends; nil for the end of the session.
  public var expires: Date?
  /// Whether only https carries it.
  public var secure: Bool
  /// Whether scripts cannot see it.
  public var httpOnly: Bool
  /// Whether requests from other sites carry it.
  public var sameSite: SameSite

  /// Makes a cookie.
  public init(
    name: String, value: String, domain: String, path: String = "/", expires: Date? = nil, secure: Bool = false,
    httpOnly: Bool = false, sameSite: SameSite = .unset
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.path = path
    self.expires = expires
    self.secure = secure
    self.httpOnly = httpOnly
    self.sameSite = sameSite
  }
}
