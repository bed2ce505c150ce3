import Hits
import TagManager
import Testing

@Suite struct HTTPTagTests {
  private func request(_ parameters: [String: Value]) throws -> HTTPRequest? {
    let rig = TagRig(parameters: ["url": "https://h/p"].merging(parameters) { $1 })
    for effect in try rig.effects(of: .http) {
      if case .request(let request) = effect { return request }
    }
    return nil
  }

  @Test("TM-846: a GET goes out as a beacon")
  func get() throws {
    let rig = TagRig(parameters: ["url": "http://h/p", "method": "get", "body": "x"])
    #expect(try rig.effects(of: .http).last == .send(.beacon("https://h/p"), tracker: nil))
    #expect(try rig.warnings(of: .http).count == 1)
  }

  @Test(
    "TM-846: bodies are JSON with sorted keys, forms or texts",
    arguments: [
      (["body": ["b": 1, "a": ["x", true, nil]]], #"{"a":["x",true,null],"b":1}"#, "application/json"),
      (
        ["body": ["b": "1 2", "a": "x&y", "n": nil], "format": "form"], "a=x%26y&b=1%202&n=",
        "application/x-www-form-urlencoded"
      ),
      (["body": #"{"raw":1}"#], #"{"raw":1}"#, "application/json"),
      (["body": "a=1", "format": "FORM"], "a=1", "application/x-www-form-urlencoded"),
      (["body": [1, 2]], "[1,2]", "application/json"), ([:], "", nil),
      (["body": "<x/>", "headers": ["content-type": "text/xml"]], "<x/>", "text/xml"),
    ] as [([String: Value], String, String?)])
  func bodies(parameters: [String: Value], body: String, type: String?) throws {
    let request = try #require(try request(parameters))
    #expect(request.method == "POST")
    #expect(request.url == "https://h/p")
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect(request.headers["Content-Type"] == type)
  }

  @Test("TM-846: PUT is sent as PUT, other methods fail the tag")
  func methods() throws {
    #expect(try request(["method": "PUT"])?.method == "PUT")
    for method in ["DELETE", "TRACE", "GET\r\n", "CONNECT"] {
      let rig = TagRig(parameters: ["url": "https://h/p", "method": .string(method)])
      #expect(rig.failure(of: .http) == .other("method"))
    }
  }

  @Test("TM-846: headers that frame the message, cookies and damaged headers are not sent")
  func headers() throws {
    let request = try #require(
      try request([
        "headers": [
          "X-Key": "k", "Host": "evil.com", "COOKIE": "a=1", "Content-Length": "0", "connection": "close",
          "Transfer-Encoding": "chunked", "X-Split": "a\r\nHost: evil.com", "Bad Name": "x", "": "x", "X-Number": 3,
          "X-Null": "a\u{0}b", "X:Y": "z",
        ]
      ]))
    #expect(
      Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) }) == ["X-Key": "k", "X-Number": "3"])
  }

  @Test("TM-846: a body of more than 64 KiB fails the tag")
  func longBody() throws {
    #expect(try request(["body": .string(String(repeating: "x", count: 65_536))])?.body.count == 65_536)
    let long = Value.string(String(repeating: "x", count: 65_537))
    #expect(TagRig(parameters: ["url": "https://h/", "body": long]).failure(of: .http) == .other("bodyTooLarge"))
  }
}
