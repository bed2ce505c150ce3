import Hits

/// What becomes of an answer that names another place.
///
/// A hop never changes the method: a 301, 302 or 303 to anything but GET and HEAD is itself the answer, since a POST
/// that turned into a GET would look delivered.
enum RedirectStep: Equatable {
  /// It is the answer.
  case answer
  /// The target is asked next.
  case follow
  /// The rule forbids the target, it was asked before, or too many hops were made.
  case refuse(String)

  /// Decides by the request's rule; the target is nil when the answer names none that can be read.
  ///
  /// - Parameter isRepeated: whether the target was asked before: its answer is known, and it leads here.
  init(status: Int, target: Origin?, method: String, hopsMade: Int, isRepeated: Bool = false, rule: RedirectRule) {
    guard rule.limit > 0, Self.isRedirect(status, method: method), let target else {
      self = .answer
      return
    }
    if hopsMade >= rule.limit {
      self = .refuse("more than \(rule.limit) redirects")
    } else if isRepeated {
      self = .refuse("redirects in a circle")
    } else if !rule.schemes.contains(target.scheme) {
      self = .refuse("redirect to the scheme \(target.scheme)")
    } else if let hosts = rule.hosts, !hosts.contains(where: { $0.lowercased() == target.host }) {
      self = .refuse("redirect to the host \(target.host)")
    } else {
      self = .follow
    }
  }

  private static func isRedirect(_ status: Int, method: String) -> Bool {
    switch status {
    case 307, 308: true
    case 301, 302, 303: method == "GET" || method == "HEAD"
    default: false
    }
  }
}

/// Scheme, host and port, in lower case: what a connection and its credentials belong to.
struct Origin: Hashable {
  var scheme: String
  var host: String
  var port: Int

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }
}

extension HTTPHeaders {
  /// The fields that may go to another origin: none that proves who is asking.
  func withoutCredentials() -> HTTPHeaders {
    var kept = self
    for name in ["Authorization", "Cookie", "Proxy-Authorization", "Tagworks-Key"] { kept[name] = nil }
    return kept
  }
}
