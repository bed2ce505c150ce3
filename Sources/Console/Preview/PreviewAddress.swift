import Foundation
import Hits
import TagManager

/// What a preview link says (CO-500, TM-1000), and its two forms.
///
///     app's form    tagmanager.c.<app id>://preview/p?id=<id>&gtm_auth=<token>&gtm_preview=<n>
///     link form     <public URL>/preview/p?id=<id>&gtm_auth=<token>&gtm_preview=<n>[&gtm_app=<app id>]
struct PreviewAddress: Sendable, Hashable {
  static let path = "/preview/p"

  var container: ContainerID
  var token: String
  /// The version's number, 0 for the draft, or an environment such as `env-2`.
  var version: String
  /// The app whose scheme the link is for, when it is known.
  var app: String?

  /// Whether a text can be an app's id: letters, digits, dots and hyphens.
  static func isAppID(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count)
      && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private var parameters: String { "id=\(container.text)&gtm_auth=\(token)&gtm_preview=\(version)" }

  /// The link that any browser opens.
  func link(of publicURL: String) -> String {
    "\(publicURL)\(Self.path)?\(parameters)" + (app.map { "&gtm_app=\($0)" } ?? "")
  }

  /// The link that the app opens; nil when the app is not known.
  var appLink: String? { app.map { "tagmanager.c.\($0)://preview/p?\(parameters)" } }

  /// Reads the query of a link of this server; nil unless each part is what it may be (TM-1001).
  init?(query: [UInt8]) {
    let fields = FormFields(query)
    guard let id = fields["id"].map({ ContainerID($0) }), id.isValid, let token = fields["gtm_auth"],
      (1...128).contains(token.utf8.count),
      token.utf8.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }),
      let version = fields["gtm_preview"], Self.isVersion(version), fields["gtm_app"].map(Self.isAppID) ?? true
    else { return nil }
    self.init(container: id, token: token, version: version, app: fields["gtm_app"])
  }

  init(container: ContainerID, token: String, version: String, app: String?) {
    self.container = container
    self.token = token
    self.version = version
    self.app = app
  }

  private static func isVersion(_ text: String) -> Bool {
    let digits = text.hasPrefix("env-") ? text.dropFirst(4) : text[...]
    return (1...9).contains(digits.utf8.count) && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}

extension Route {
  /// Leads from a preview link in a browser to the app (CO-500).
  static let previewLink = Route.reading(PreviewAddress.path) { request in
    guard let address = PreviewAddress(query: request.query) else {
      return refusal("this is no preview link", to: request)
    }
    guard let link = address.appLink else {
      return refusal(
        "this link names no app; open it in the app itself, or make a link with the app's ID", to: request)
    }
    return ServerResponse(status: 302, headers: ["Location": link, "Cache-Control": "no-store"])
  }

  /// Tells people in a page what programs are told as JSON.
  private static func refusal(_ message: String, to request: ServerRequest) -> ServerResponse {
    guard request.headers["Accept"]?.contains("text/html") == true else { return .error(400, "BAD_REQUEST", message) }
    return PageSite.secured(ErrorPage(error: .badRequest(message)).response(nil))
  }
}
