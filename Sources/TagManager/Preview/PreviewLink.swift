import Foundation
import Hits

/// A link that starts or ends a preview (TM-1000, TM-1001).
///
///     scheme form   tagmanager.c.<app id>://preview/p?id=<id>&gtm_auth=<token>&gtm_preview=<n>
///     link form     https://<container server>/preview/p?…
///     token         1 to 128 letters, digits, "_" or "-"
///     n             1 to 9 digits, or "env-" and these; empty ends the preview, and needs no token
///
/// Parameters come in any order, each once; unknown ones are ignored. A link has at most 2,048 bytes.
struct PreviewLink: Sendable, Hashable {
  var id: ContainerID
  var token: String
  /// Which version is shown; nil in a link that ends the preview.
  var version: String?

  static let longest = 2_048
  static let schemePrefix = "tagmanager.c."

  /// Reads a link.
  ///
  /// - Parameters:
  ///   - appID: the running app's id, if it is known.
  ///   - server: the configured server's address.
  static func read(_ text: String, appID: String?, server: WebURL?) throws(PreviewRefusal) -> PreviewLink {
    guard text.utf8.count <= longest, let (place, query) = split(text) else { throw .otherScheme }
    try check(place, appID: appID, server: server)
    let parameters = try parameters(query)
    guard let id = parameters["id"].map({ ContainerID($0) }), id.isValid else { throw .badContainerID }
    guard let version = parameters["gtm_preview"] else { throw .badVersion }
    if version.isEmpty { return PreviewLink(id: id, token: "", version: nil) }
    guard isVersion(version) else { throw .badVersion }
    guard let token = parameters["gtm_auth"], isToken(token) else { throw .missingToken }
    return PreviewLink(id: id, token: token, version: version)
  }

  private struct Place {
    let scheme: String
    let host: String
    let path: String
  }

  private static func split(_ text: String) -> (Place, query: Substring)? {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let address = rest.prefix { $0 != "?" }
    let host = address.prefix { $0 != "/" }
    return (
      Place(scheme: scheme, host: host.lowercased(), path: String(address[host.endIndex...])),
      rest[address.endIndex...].dropFirst()
    )
  }

  private static func check(_ place: Place, appID: String?, server: WebURL?) throws(PreviewRefusal) {
    if place.scheme.hasPrefix(schemePrefix) {
      if let appID, place.scheme != schemePrefix + appID.lowercased() { throw .wrongApp }
      guard place.host == "preview", place.path == "/p" else { throw .otherPath }
      return
    }
    guard place.scheme == "https" else { throw .otherScheme }
    guard let server, place.host == server.host + (server.port.map { ":\($0)" } ?? "") else { throw .wrongHost }
    guard place.path == server.path + "/preview/p" else { throw .otherPath }
  }

  private static func parameters(_ query: Substring) throws(PreviewRefusal) -> [String: String] {
    var parameters: [String: String] = [:]
    for part in query.split(separator: "&") {
      let name = part.prefix { $0 != "=" }
      let value = String(part[name.endIndex...].dropFirst())
      // What cannot be decoded stays as it is, and then fits no grammar.
      let decoded = (name: String(name).removingPercentEncoding ?? String(name), value.removingPercentEncoding ?? value)
      guard parameters.updateValue(decoded.1, forKey: decoded.name) == nil else { throw .duplicateParameter }
    }
    return parameters
  }

  private static func isVersion(_ text: String) -> Bool {
    let digits = text.hasPrefix("env-") ? text.dropFirst(4) : text[...]
    return (1...9).contains(digits.utf8.count) && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func isToken(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// Why a URL is no preview link of this app (TM-1002).
public enum PreviewRefusal: String, Error, Sendable, Hashable {
  /// No scheme of ours; most URLs an app gets.
  case otherScheme
  case otherPath
  case badContainerID
  case missingToken
  case badVersion
  case duplicateParameter
  /// The link is for another app.
  case wrongApp
  /// The link is for another server than the configured one.
  case wrongHost
}

/// What became of a preview link (TM-1002).
public enum PreviewResult: Sendable, Hashable {
  /// The draft of this container is shown from now on.
  case started(ContainerID)
  /// The preview of this container is over.
  case ended(ContainerID)
  /// The URL is not ours to handle.
  case notHandled(PreviewRefusal)
}
