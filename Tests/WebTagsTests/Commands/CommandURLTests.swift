import Hits
import Testing

@testable import WebTags

@Suite struct CommandURLTests {
  private static func read(_ url: String) -> Result<CommandRequest, CommandRejection> {
    do throws(CommandRejection) { return .success(try CommandURL.read(url, scheme: "tealium")) } catch {
      return .failure(error)
    }
  }

  private static func encoded(_ text: String) -> String { URIEscape.hit.escape(text) }

  @Test(
    "WT-500, WT-1209: an id alone is a command",
    arguments: ["tealium://hello", "TEALIUM://hello", "tealium://hello/", "tealium://hello?request=%7B%7D"])
  func idAlone(url: String) {
    #expect(Self.read(url) == .success(CommandRequest(id: "hello")))
  }

  @Test(
    "WT-500: other schemes and forms are ordinary navigations (peer bug 60)",
    arguments: ["tealiumx://a", "tealium:foo", "tealium:/a", "https://tealium://a", " tealium://a", "", "tealium"])
  func noCommand(url: String) {
    #expect(Self.read(url) == .failure(.notACommand))
  }

  @Test(
    "WT-504: an id of other characters runs nothing",
    arguments: [
      "tealium://", "tealium:///a", "tealium://a.b", "tealium://a'b", "tealium://a%20b", "tealium://ä",
      "tealium://" + String(repeating: "a", count: 129), "tealium://a#b",
      "tealium://');window.pwn2=1;('?request=%7B%7D",
    ])
  func badID(url: String) {
    #expect(Self.read(url) == .failure(.badID))
  }

  @Test("WT-501: config, response id and payload are read; other members are ignored; plus stays plus")
  func request() {
    let text = #"{"config":{"response_id":"r-1.x","a":1},"payload":{"b":"c+d é"},"more":[1]}"#
    let request = CommandRequest(
      id: "c", responseID: "r-1.x", payload: ["b": "c+d é"], config: ["response_id": "r-1.x", "a": 1])
    #expect(Self.read("tealium://c?request=" + Self.encoded(text)) == .success(request))
    #expect(Self.read("tealium://c/?request=" + Self.encoded(text)) == .success(request))
    #expect(Self.read("tealium://c?request=" + Self.encoded("\"" + text + "\"")) == .success(request))
    #expect(
      Self.read("tealium://c?request=" + Self.encoded(text).replacing("%2B", with: "+")) == .success(request))
  }

  @Test(
    "WT-501, WT-504: a response id is a name or a whole number (peer bug 53)",
    arguments: [
      ("12", "12"), ("\"12\"", "12"), ("12.0", "12"), ("12.5", nil), ("\"a'b\"", nil), ("\"\"", nil), ("true", nil),
      ("-3", "-3"), ("9007199254740993", "9007199254740993"), ("null", nil), ("{}", nil),
    ] as [(String, String?)])
  func responseID(json: String, expected: String?) throws {
    let url = "tealium://c?request=" + Self.encoded(#"{"config":{"response_id":\#(json)}}"#)
    #expect(try Self.read(url).get().responseID == expected)
  }

  @Test(
    "WT-503, WT-1209: what cannot be read is answered with 400",
    arguments: [
      "%5B%5D", "%7B", "%", "%7", "%zz", "%FF", "1", "%7B%22config%22%3A1%7D", "%7B%22payload%22%3A%5B%5D%7D",
      "%22%22", "",
    ])
  func badRequest(value: String) {
    guard case .failure(.badRequest) = Self.read("tealium://c?request=" + value) else {
      Issue.record("\(value) was read")
      return
    }
  }

  @Test("WT-501: config and payload may be missing or null (peer bug 54)")
  func optionalParts() {
    #expect(
      Self.read("tealium://c?request=" + Self.encoded(#"{"config":null,"payload":null}"#))
        == .success(CommandRequest(id: "c")))
  }

  @Test("WT-500: a command's URL has at most 1 MiB")
  func longest() {
    #expect(Self.read("tealium://a?request=" + String(repeating: "a", count: 1 << 20)) == .failure(.badID))
  }

  @Test("WT-502: an answer of bytes that are no text is base64 and says so; 204 is a number (peer bugs 42, 64)")
  func answers() {
    let request = CommandRequest(id: "c", responseID: "1")
    #expect(
      PageAnswer(request, RemoteCommandAnswer()).argument
        == ["command": "c", "response_id": "1", "call": .absent, "status": 204, "body": nil, "encoding": .absent])
    let binary = PageAnswer(request, RemoteCommandAnswer(body: .init([0xFF, 0xFE])))
    #expect(binary.status == 200 && binary.body == "//4=" && binary.isBase64)
    let text = PageAnswer(request, RemoteCommandAnswer(status: 201, text: "');window.pwn2=1;('"))
    #expect(text.status == 201 && text.body == "');window.pwn2=1;('" && !text.isBase64)
    #expect(PageAnswer(request, RemoteCommandAnswer(status: 99)).status == 204)
    #expect(PageAnswer(request, RemoteCommandAnswer(status: 600, text: "")).status == 200)
  }
}
