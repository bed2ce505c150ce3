import Hits
import Testing

@testable import WebTags

@Suite struct HTTPCommandTests {
  private static let policy = HTTPCommandPolicy.allow(hosts: ["api.example", "*.cdn.example", "127.0.0.1"])

  private static func refusal(_ payload: JSONObject, _ policy: HTTPCommandPolicy = policy) -> Int? {
    do {
      _ = try HTTPCommand.request(payload, policy)
      return nil
    } catch {
      return error.status
    }
  }

  @Test(
    "WT-520, WT-521: payloads that are refused",
    arguments: [
      ([:], 400), (["url": "https://api.example/"], 400), (["method": "GET"], 400),
      (["url": 1, "method": "GET"], 400), (["url": "https://api.example/", "method": "TRACE"], 400),
      (["url": "https://api.example/", "method": "DELETE"], 403),
      (["url": "https://other.example/", "method": "GET"], 403),
      (["url": "http://api.example/", "method": "GET"], 403), (["url": "https://cdn.example/", "method": "GET"], 403),
      (["url": "https://api.example.evil/", "method": "GET"], 403),
      (["url": "file:///etc/passwd", "method": "GET"], 400),
      (["url": "https://u:p@api.example/", "method": "GET"], 400),
      (["url": "https://api.example/", "method": "GET", "headers": ["A\r\nB": "1"]], 400),
      (["url": "https://api.example/", "method": "GET", "headers": ["A": "1\r\nHost: x"]], 400),
      (["url": "https://api.example/", "method": "GET", "parameters": []], 400),
      (["url": "https://api.example/", "method": "GET", "authenticate": ["username": "u"]], 400),
      (["url": "https://api.example/", "method": "POST", "body": [1]], 400),
    ] as [(JSONObject, Int)])
  func refusals(payload: JSONObject, status: Int) {
    #expect(Self.refusal(payload) == status)
    #expect(Self.refusal(payload, .off) == 403)
  }

  @Test("WT-521: parameters are joined to the query, Basic is sent, own headers are left out (peer bug 56)")
  func request() throws {
    let request = try HTTPCommand.request(
      [
        "url": "https://api.example/p?a=1", "method": "post", "parameters": ["c": 2, "b": "x y&"],
        "headers": ["X-A": "1", "host": "evil", "Cookie": "c", "CONTENT-LENGTH": 9, "X-N": 3],
        "authenticate": ["username": "Aladdin", "password": "open sesame"], "body": ["k": "v w", "n": 1],
      ], Self.policy)
    #expect(request.method == "POST" && request.url == "https://api.example/p?a=1&b=x%20y%26&c=2")
    #expect(request.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(request.headers["X-A"] == "1" && request.headers["X-N"] == "3")
    #expect(request.headers["Host"] == nil && request.headers["Cookie"] == nil)
    #expect(request.headers["Content-Length"] == nil)
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(String(decoding: request.body, as: UTF8.self) == "k=v%20w&n=1")
    #expect(request.redirects.limit == 0 && request.responseLimit == 1 << 20)
  }

  @Test("WT-521: an object is JSON where the content type says so, and a text goes as it is")
  func bodies() throws {
    let json = try HTTPCommand.request(
      [
        "url": "https://x.cdn.example/", "method": "PUT", "headers": ["content-type": "application/json"],
        "body": ["a": ["b": 1]],
      ], Self.policy)
    #expect(String(decoding: json.body, as: UTF8.self) == #"{"a":{"b":1}}"#)
    let text = try HTTPCommand.request(
      ["url": "https://api.example/", "method": "POST", "body": "a=b&c"], Self.policy)
    #expect(String(decoding: text.body, as: UTF8.self) == "a=b&c" && text.headers["Content-Type"] == nil)
  }

  @Test("WT-520: http and private addresses are open to a host that is listed literally alone")
  func loopback() throws {
    let request = try HTTPCommand.request(["url": "http://127.0.0.1:8080/", "method": "GET"], Self.policy)
    #expect(request.addresses.allowsPrivate)
    let wildcard = try HTTPCommand.request(["url": "https://a.cdn.example/", "method": "GET"], Self.policy)
    #expect(!wildcard.addresses.allowsPrivate)
    #expect(Self.refusal(["url": "http://127.0.0.2/", "method": "GET"]) == 403)
  }

  @Test("WT-520: a redirect is checked as the first request was, and keeps no credentials for another host")
  func redirects() throws {
    let request = try HTTPCommand.request(
      [
        "url": "https://api.example/a", "method": "POST", "body": "b",
        "authenticate": ["username": "u", "password": "p"],
      ], Self.policy)
    func redirect(_ status: Int, _ place: String) throws -> HTTPRequest? {
      try HTTPCommand.redirect(of: request, HTTPResponse(status: status, headers: ["Location": place]), Self.policy)
    }
    let moved = try #require(try redirect(302, "/b"))
    #expect(moved.url == "https://api.example/b" && moved.method == "GET" && moved.body.isEmpty)
    #expect(moved.headers["Authorization"] != nil)
    let kept = try #require(try redirect(307, "https://x.cdn.example/c#f"))
    #expect(kept.url == "https://x.cdn.example/c" && kept.method == "POST" && kept.body == request.body)
    #expect(kept.headers["Authorization"] == nil)
    #expect(try redirect(200, "/b") == nil)
    #expect(throws: RemoteCommandRefusal.self) { try redirect(302, "https://169.254.169.254/") }
    #expect(throws: RemoteCommandRefusal.self) { try redirect(302, "http://api.example/") }
  }
}
