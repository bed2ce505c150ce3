/// What a page may reach (WT-810).
///
/// Only https and wss ever leave, whatever the host, but for loopback hosts with `allowInsecure`. Hosts in private
/// ranges are refused unless they are listed (WT-811).
public struct NetworkPolicy: Sendable, Hashable, Codable {
  /// The only hosts that may be reached; nil for any.
  public var allowed: [HostPattern]?
  /// Hosts that are never reached.
  public var blocked: [HostPattern]
  /// The hosts from which the page itself may come (WT-210); nil for those of the page's URL and the delivery base.
  public var pageHosts: [HostPattern]?
  /// Whether http and ws to a loopback host are allowed.
  public var allowInsecure: Bool
  /// Which scripts a host may give; nil for all (WT-830).
  package var scripts: ScriptRule?

  /// The only scripts that may come from a host.
  package struct ScriptRule: Sendable, Hashable, Codable {
    /// The host.
    package var host: String
    /// The URLs of the scripts.
    package var allowed: [String]
  }

  /// Makes a policy.
  public init(
    allowed: [HostPattern]? = nil, blocked: [HostPattern] = [], pageHosts: [HostPattern]? = nil,
    allowInsecure: Bool = false
  ) {
    self.allowed = allowed
    self.blocked = blocked
    self.pageHosts = pageHosts
    self.allowInsecure = allowInsecure
  }

  /// Any host, over https.
  public static let open = NetworkPolicy()

  /// The listed hosts alone.
  public static func allow(_ hosts: [HostPattern]) -> NetworkPolicy { NetworkPolicy(allowed: hosts) }
}

/// A host, or all hosts below one: `host` or `*.host`, in lower case.
public struct HostPattern: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The host without `*.`.
  public let host: String
  /// Whether it stands for the hosts below it, itself not included.
  public let isWildcard: Bool

  /// Reads a pattern; compares labels exactly, without case.
  public init(_ text: String) {
    let text = text.lowercased()
    isWildcard = text.hasPrefix("*.")
    host = isWildcard ? String(text.dropFirst(2)) : text
  }

  /// Reads a pattern.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether a host is meant.
  public func matches(_ host: String) -> Bool {
    let host = host.lowercased()
    return isWildcard ? host.hasSuffix("." + self.host) : host == self.host
  }

  /// The pattern as text.
  public var description: String { isWildcard ? "*." + host : host }
}
