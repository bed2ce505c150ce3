import Hits

/// Where containers are fetched (TM-420, TM-435).
public enum ContainerServer: Sendable, Hashable {
  /// A server of this project, or static files it published, by the address before `/v1/containers/…`.
  case tagworks(String)
  /// A server of the original SDK's protocol, by the address before `/r?…`.
  case legacy(String)

  var base: String {
    switch self {
    case .tagworks(let base), .legacy(let base): base
    }
  }

  /// The address taken apart, without a slash at its end; nil when it is none.
  var url: WebURL? {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = WebURL(base), url.query == nil, url.fragment == nil else { return nil }
    return url
  }

  /// Scheme, host and port, which tell one server from another.
  var origin: String? {
    url.map { ($0.isSecure ? "https://" : "http://") + $0.host + ($0.port.map { ":\($0)" } ?? "") }
  }
}
