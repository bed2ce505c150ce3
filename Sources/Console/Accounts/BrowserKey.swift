import Digests
import Hits

/// What a browser's cookie says: a secret that is a session's once somebody has signed in, and stands for nobody before.
///
/// Forms carry a token made of it, which no page of another site can know (CO-902). Nobody can choose it for another:
/// signing in replaces it.
struct BrowserKey: Sendable {
  static let cookie = "tagworks_session"
  /// The field of a form and the header of a script in which the token comes.
  static let field = "csrf"
  static let header = "Tagworks-CSRF"

  let text: String

  init(text: String) { self.text = text }

  /// Reads the cookie of a request; nil without one, or for what no server of ours has made.
  init?(_ headers: HTTPHeaders) {
    for header in headers.values(of: "Cookie") {
      for pair in header.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimming == Self.cookie else { continue }
        let value = parts[1].trimming
        guard value.hasPrefix(Secret.Kind.session.rawValue), value.utf8.count == 47 else { return nil }
        self.init(text: value)
        return
      }
    }
    return nil
  }

  var digest: SecretDigest { SecretDigest(of: text) }

  /// What its forms carry.
  var token: String { HexDigits.text(of: Digest.sha256("form of \(text)".utf8).prefix(16)) }

  /// Whether a token is its own, in a time that does not tell how much of it is right.
  func isToken(_ given: String?) -> Bool {
    guard let given, given.utf8.count == token.utf8.count else { return false }
    return zip(given.utf8, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The field of a response that gives it to a browser.
  func setting(isSecure: Bool) -> String {
    "\(Self.cookie)=\(text); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// The field of a response that takes it away.
  static func removal(isSecure: Bool) -> String {
    "\(cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }
}

extension Substring {
  fileprivate var trimming: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
