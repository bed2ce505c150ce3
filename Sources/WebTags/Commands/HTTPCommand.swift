import Foundation
import Hits

/// What the command `_http` may do for a page (WT-520).
public enum HTTPCommandPolicy: Sendable, Hashable {
  /// Nothing: 403.
  case off
  /// Requests of these methods to these hosts, over https; over http only to a loopback host that is listed literally.
  case allow(hosts: [HostPattern], methods: Set<String> = ["GET", "POST", "PUT"])
}

/// Makes requests of the payloads of `_http` (WT-521).
enum HTTPCommand {
  static let id = "_http"
  private static let methods: Set<String> = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"]
  private static let refusedHeaders = ["host", "cookie", "content-length", "connection", "transfer-encoding"]
  /// The most bytes of a request's body and of an answer.
  static let longestBody = 1 << 20

  static func request(_ payload: JSONObject, _ policy: HTTPCommandPolicy) throws(RemoteCommandRefusal) -> HTTPRequest {
    guard case .allow(let hosts, let allowed) = policy else {
      throw RemoteCommandRefusal(status: 403, reason: "HTTP commands are off")
    }
    guard let text = payload["url"]?.string, var url = WebURL(text) else {
      throw RemoteCommandRefusal(reason: "url is no absolute URL")
    }
    guard let method = payload["method"]?.string?.uppercased(), methods.contains(method) else {
      throw RemoteCommandRefusal(reason: "method is missing or unknown")
    }
    guard allowed.contains(method) else {
      throw RemoteCommandRefusal(status: 403, reason: "the method is not allowed")
    }
    let isLiteral = hosts.contains { !$0.isWildcard && $0.matches(url.host) }
    guard hosts.contains(where: { $0.matches(url.host) }), url.isSecure || (url.isLoopback && isLiteral) else {
      throw RemoteCommandRefusal(status: 403, reason: "the target is not allowed")
    }
    if let parameters = payload["parameters"] {
      guard let parameters = parameters.map else { throw RemoteCommandRefusal(reason: "parameters is no object") }
      let pairs = form(parameters)
      if !pairs.isEmpty { url.query = url.query.map { $0.isEmpty ? pairs : $0 + "&" + pairs } ?? pairs }
    }
    var headers = try self.headers(payload["headers"])
    if let credentials = payload["authenticate"], credentials != .null {
      guard let name = credentials.map?["username"]?.string, let password = credentials.map?["password"]?.string else {
        throw RemoteCommandRefusal(reason: "authenticate needs username and password")
      }
      headers["Authorization"] = "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()
    }
    let body = try self.body(payload["body"], &headers)
    guard body.count <= longestBody else { throw RemoteCommandRefusal(reason: "the body has more than 1 MiB") }
    // Redirects are followed here only to hosts of the list; every address is checked after resolution.
    return HTTPRequest(
      method: method, url: url.text, headers: headers, body: body, timeout: .seconds(30), redirects: .none,
      addresses: AddressRule(allowsPrivate: isLiteral), responseLimit: longestBody)
  }

  /// The request of a redirect; nil where the answer is none that is followed.
  static func redirect(
    of request: HTTPRequest, _ response: HTTPResponse, _ policy: HTTPCommandPolicy
  ) throws(RemoteCommandRefusal) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let place = response.headers["Location"],
      let base = URL(string: request.url), let target = URL(string: place, relativeTo: base)?.absoluteURL
    else { return nil }
    let turnsToGet = response.status == 303 || (response.status < 303 && request.method == "POST")
    var payload: JSONObject = [
      "url": .string(target.absoluteString), "method": .string(turnsToGet ? "GET" : request.method),
    ]
    if let fragment = target.fragment {
      payload["url"] = .string(String(target.absoluteString.dropLast(fragment.count + 1)))
    }
    var next = try Self.request(payload, policy)
    next.headers = request.headers
    if WebURL(request.url)?.host != WebURL(next.url)?.host { next.headers["Authorization"] = nil }
    if turnsToGet { next.headers["Content-Type"] = nil } else { next.body = request.body }
    return next
  }

  private static func headers(_ value: Value?) throws(RemoteCommandRefusal) -> HTTPHeaders {
    var headers = HTTPHeaders()
    guard let value, value != .null else { return headers }
    guard let entries = value.map else { throw RemoteCommandRefusal(reason: "headers is no object") }
    for (name, value) in entries.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      let value = text(value)
      guard CommandURL.isID(name), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw RemoteCommandRefusal(reason: "a header has characters that headers cannot have")
      }
      if !refusedHeaders.contains(name.lowercased()) { headers.add(value, for: name) }
    }
    return headers
  }

  private static func body(_ value: Value?, _ headers: inout HTTPHeaders) throws(RemoteCommandRefusal) -> [UInt8] {
    switch value {
    case nil, .null, .absent: return []
    case .string(let text): return Array(text.utf8)
    case .map(let fields):
      if headers["Content-Type"]?.lowercased().hasPrefix("application/json") == true { return value?.jsonBytes ?? [] }
      if headers["Content-Type"] == nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
      return Array(form(fields).utf8)
    default: throw RemoteCommandRefusal(reason: "body is neither a text nor an object")
    }
  }

  private static func form(_ fields: JSONObject) -> String {
    fields.sorted { $0.key.precedesInBytes($1.key) }
      .map { URIEscape.hit.escape($0.key) + "=" + URIEscape.hit.escape(text($0.value)) }.joined(separator: "&")
  }

  private static func text(_ value: Value) -> String { value.string ?? value.jsonText }
}
