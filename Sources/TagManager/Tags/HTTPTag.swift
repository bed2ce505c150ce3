import Hits

/// Sends a request: a GET as a hit, POST and PUT with a body (TM-846).
///
///     method                      GET, POST, PUT; = POST
///     url
///     headers                     map; those that frame the message or name the person are left out
///     body                        text, or a map in the format json (= default, sorted keys) or form
struct HTTPTag: BuiltInTag {
  private static let longestBody = 65_536
  // Length and transfer coding frame the message; a cookie names the person.
  private static let refusedHeaders: Set<String> = [
    "host", "cookie", "content-length", "connection", "transfer-encoding",
  ]

  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    let url = try TagURL(call.text("url"), policy: context.urlPolicy)
    switch call.text("method").uppercased() {
    case "GET": return url.effects(of: call)
    case "", "POST": return url.warnings(of: call) + [.request(try Self.request("POST", url, call))]
    case "PUT": return url.warnings(of: call) + [.request(try Self.request("PUT", url, call))]
    default: throw .other("method")
    }
  }

  private static func request(_ method: String, _ url: TagURL, _ call: TagCall) throws(TagFailure) -> HTTPRequest {
    let isForm = call.text("format").lowercased() == "form"
    let body = body(of: call, isForm: isForm)
    guard body.count <= longestBody else { throw .other("bodyTooLarge") }
    var headers = headers(of: call)
    if headers["Content-Type"] == nil, !body.isEmpty {
      headers["Content-Type"] = isForm ? "application/x-www-form-urlencoded" : "application/json"
    }
    return HTTPRequest(method: method, url: url.text, headers: headers, body: body)
  }

  private static func body(of call: TagCall, isForm: Bool) -> [UInt8] {
    switch call["body"] {
    case .map(let entries) where isForm:
      let items = entries.inByteOrder.filter { !$0.value.isAbsent }
      return Array(
        items.map { item in
          URIEscape.macro.escape(item.key) + "=" + URIEscape.macro.escape(item.value.text(call.semantics))
        }.joined(separator: "&").utf8)
    case .list(let items) where !isForm: return Value.list(items).jsonBytes
    case .map(let entries): return Value.map(entries).jsonBytes
    case let value: return Array((value?.text(call.semantics) ?? "").utf8)
    }
  }

  private static func headers(of call: TagCall) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in call.entries("headers") {
      let text = value.text(call.semantics)
      guard isToken(name), !refusedHeaders.contains(name.lowercased()), !text.isEmpty, isHeaderValue(text)
      else { continue }
      headers[name] = text
    }
    return headers
  }

  /// Whether a name is one token of HTTP (RFC 9110).
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  private static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { ($0 >= 0x20 || $0 == UInt8(ascii: "\t")) && $0 != 0x7F }
  }
}
