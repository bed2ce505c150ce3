import GzipFormat
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Own protocol") struct LineRoutesTests {
  let fixture = CollectorFixture(properties: CollectorFixture.keyed)

  static func id(_ letter: Character) -> String { "017a8506-518f-7abc-8def-00000000000\(letter)" }

  static func line(_ letter: Character, property: String = "p", more: String = "") -> String {
    #"{"id":"\#(id(letter))","kind":"exception","property":"\#(property)","client":"c","age":1000\#(more)}"#
  }

  @Test("HQ-1233, HQ-665: a, b, c, a and half an object; then the same body again")
  func repeated() async {
    let body = ["a", "b", "c", "a"].map { Self.line($0) }.joined(separator: "\n") + "\n{"
    let first = await fixture.sendLines(body)
    #expect(first.status == 200)
    #expect(first.headers["Content-Type"] == "application/vnd.tagworks.ack+json")
    #expect(
      first.text
        == #"{"accepted":3,"deferred":[],"duplicate":["\#(Self.id("a"))"],"received":5,"#
        + #""rejected":[{"code":"BAD_JSON","line":5}],"v":1}"#)
    let second = await fixture.sendLines(body)
    #expect(second.text.hasPrefix(#"{"accepted":0"#))
    #expect(second.headers["Tagworks-Duplicate"] == "4")
    #expect(second.headers["Tagworks-Rejected"] == "1")
    #expect(fixture.storage.state.withLock { $0.hits.count } == 3)
  }

  @Test("HQ-651, HQ-712, HQ-721: what a line says goes into its columns, the line itself is kept")
  func columns() async throws {
    let line = Self.line(
      "a",
      more: #","seq":7,"tracker":"shop","user":"u","time":1799999990000,"fields":{"exd":"ở","ua":"own"},"#
        + #""consent":{"ad_storage":"denied"},"lib":"tw1.0.0","new":1"#)
    #expect(await fixture.sendLines(line).status == 200)
    let hit = try #require(fixture.storage.state.withLock { $0.hits.first?.hit })
    #expect(hit.id.description == Self.id("a"))
    #expect(hit.property == "p")
    #expect(hit.kind == "exception")
    #expect(hit.client == "c")
    #expect(hit.user == "u")
    #expect(hit.occurred == 1_799_999_999_000)
    #expect(hit.received == 1_800_000_000_000)
    #expect(hit.clientTime == 1_799_999_990_000)
    #expect(hit.sequence == 7)
    #expect(hit.tracker == "shop")
    #expect(hit.source.rawValue == "v1")
    #expect(hit.userAgent == "own")
    #expect(hit.library == "tw1.0.0")
    #expect(hit.consent == #"{"ad_storage":"denied"}"#)
    #expect(hit.body == Array(line.utf8))
    let summary = IntakeSummary(PositionedHit(position: 1, hit: hit))
    #expect(summary.fields == ["exd": "ở", "ua": "own"])
  }

  @Test("HQ-651: a member that is null is not there; of one that comes twice, however it is written, the last counts")
  func repeatedMembers() async throws {
    let line = Self.line(
      "a",
      more: #","seq":7,"seq":8,"tracker":null,"user":"u","user":null,"\u0061ge":2000,"fields":{"exd":"1","exd":"2"}"#)
    #expect(await fixture.sendLines(line).status == 200)
    let hit = try #require(fixture.storage.state.withLock { $0.hits.first?.hit })
    #expect(hit.sequence == 8)
    #expect(hit.tracker == nil)
    #expect(hit.user == nil)
    #expect(hit.occurred == hit.received - 2000)
    #expect(IntakeSummary(PositionedHit(position: 1, hit: hit)).fields == ["exd": "2"])
  }

  @Test("HQ-713: an address that may not be kept is not in the line that is kept either")
  func address() async throws {
    #expect(
      await fixture.sendLines(Self.line("a", more: #","fields":{"uip":"198.51.100.9","exd":"x"}"#)).status == 200)
    let hit = try #require(fixture.storage.state.withLock { $0.hits.first?.hit })
    #expect(hit.address == "198.51.100.0")
    #expect(!String(decoding: hit.body, as: UTF8.self).contains("198.51.100.9"))
    #expect(IntakeSummary(PositionedHit(position: 1, hit: hit)).fields == ["exd": "x"])
  }

  @Test("HQ-115: a custom hit keeps its name and parameters")
  func custom() async throws {
    let line = Self.line("a").replacing("exception", with: "custom")
      .replacing("}", with: #","name":"level_up","params":{"level":3}}"#)
    #expect(await fixture.sendLines(line).headers["Tagworks-Accepted"] == "1")
    let hit = try #require(fixture.storage.state.withLock { $0.hits.first })
    let summary = IntakeSummary(hit)
    #expect(summary.kind == "custom")
    #expect(summary.name == "level_up")
    #expect(summary.parameters == ["level": 3])
  }

  @Test(
    "HQ-666: every reject code, with its field",
    arguments: [
      ("nonsense", "BAD_JSON", nil), (line("a").replacing(#","age":1000"#, with: ""), "MISSING_FIELD", "age"),
      (line("a").replacing("1000", with: "-1"), "BAD_VALUE", "age"),
      (line("a").replacing("exception", with: "beacon"), "UNKNOWN_KIND", "kind"),
      (line("a").replacing("exception", with: "screenview"), "MISSING_FIELD", "cd"),
      (line("a", property: "r"), "UNKNOWN_PROPERTY", "property"), (line("a", property: "a b"), "BAD_VALUE", "property"),
      (line("a", more: #","lib":"\#(String(repeating: "x", count: 32_768))""#), "HIT_TOO_LARGE", nil),
      (line("a").replacing("1000", with: "3888000001"), "TOO_OLD", "age"),
    ] as [(String, String, String?)])
  func rejected(line: String, code: String, field: String?) async {
    let response = await fixture.sendLines(Self.line("b") + "\n" + line)
    #expect(response.status == 200)
    #expect(response.headers["Tagworks-Accepted"] == "1")
    let rejections = (try? Value(json: response.body))?.map?["rejected"]?.list
    #expect(rejections?.count == 1)
    #expect(rejections?.first?.map?["code"] == .string(code))
    #expect(rejections?.first?.map?["field"] == field.map { .string($0) })
    #expect(rejections?.first?.map?["line"] == 2)
    #expect(fixture.storage.state.withLock { $0.rejected.map(\.code.rawValue) } == [code])
  }

  @Test("HQ-652, HQ-714: a key is needed, one that is known, and for the property; nothing is stored else")
  func keys() async {
    let body = Array(Self.line("a").utf8)
    let type: HTTPHeaders = ["Content-Type": "application/x-ndjson"]
    #expect(await fixture.send("POST", "/v1/hits", body: body, headers: type).status == 401)
    #expect(await fixture.sendLines(Self.line("a"), headers: ["Tagworks-Key": "x"]).refusal == "NO_KEY")
    let foreign = await fixture.sendLines(Self.line("b") + "\n" + Self.line("a", property: "q"))
    #expect(foreign.status == 403)
    #expect(foreign.refusal == "FORBIDDEN")
    #expect(fixture.storage.state.withLock { $0.hits.isEmpty })
    #expect(await fixture.sendLines(Self.line("a", property: "q"), headers: ["Tagworks-Key": "l"]).status == 200)
    // With no property registered there is no key, also where /collect takes all.
    #expect(await CollectorFixture().sendLines(Self.line("a")).status == 401)
  }

  @Test("HQ-714: with requireKey the other routes need a key too")
  func requiredKey() async {
    let fixture = CollectorFixture(
      properties: CollectorFixture.keyed, settings: CollectorSettings(requiresKey: true))
    let hit = Array("v=1&tid=p&cid=c&t=exception".utf8)
    for path in ["/collect", "/batch"] {
      #expect(await fixture.send("POST", path, body: hit).status == 401)
      #expect(await fixture.send("POST", path, body: hit, headers: ["Tagworks-Key": "l"]).status == 403)
      #expect(await fixture.send("POST", path, body: hit, headers: ["Tagworks-Key": "k"]).status == 200)
    }
  }

  @Test("HQ-652: the limits are published, and go with each 413")
  func limits() async {
    let published = #"{"body":1048576,"dedupeDays":45,"hit":32768,"hits":1000,"unpacked":4194304}"#
    #expect(await fixture.send("GET", "/v1/hits/limits").text == published)
    let many = [String](repeating: Self.line("a"), count: 1000).joined(separator: "\n")
    #expect(await fixture.sendLines(many).status == 200)
    let one = await fixture.sendLines(many + "\n" + Self.line("a"))
    #expect(one.status == 413)
    #expect(one.text.contains(#""limits":\#(published)"#))
    let long = await fixture.sendLines(String(repeating: " ", count: 1_048_577))
    #expect(long.status == 413)
    #expect(long.text.contains(#""limits":\#(published)"#))
  }

  @Test("HQ-650: a body may be gzip; a bomb is 413 and no more of it is unpacked than allowed")
  func gzip() async throws {
    let packed = try #require(Gzip.compress(Array(Self.line("a").utf8)))
    let headers: HTTPHeaders = [
      "Content-Type": "application/x-ndjson; charset=utf-8", "Tagworks-Key": "k", "Content-Encoding": "gzip",
    ]
    #expect(await fixture.send("POST", "/v1/hits", body: packed, headers: headers).headers["Tagworks-Accepted"] == "1")
    let bomb = try #require(Gzip.compress([UInt8](repeating: 0x20, count: 200 << 20)))
    #expect(bomb.count < 1 << 20)
    let refused = await fixture.send("POST", "/v1/hits", body: bomb, headers: headers)
    #expect(refused.status == 413)
    #expect(refused.refusal == "TOO_LARGE")
    for broken in [Array(packed.dropLast(4)), packed + [1], [1, 2, 3], []] {
      let response = await fixture.send("POST", "/v1/hits", body: broken, headers: headers)
      #expect(response.status == 400)
      #expect(response.refusal == "BAD_BODY")
    }
  }

  @Test("HQ-652: what cannot be a body of lines is 400, another type or encoding 415, another method 405")
  func forms() async {
    for body in ["", "\n\n", "\u{FEFF}" + Self.line("a")] {
      #expect(await fixture.sendLines(body).refusal == "BAD_BODY")
    }
    let headers: HTTPHeaders = ["Content-Type": "application/x-ndjson", "Tagworks-Key": "k"]
    #expect(await fixture.send("POST", "/v1/hits", body: [0xFF, 0xFE], headers: headers).status == 400)
    #expect(await fixture.sendLines(Self.line("a"), headers: ["Content-Type": "application/json"]).status == 415)
    #expect(await fixture.sendLines(Self.line("a"), headers: ["Content-Encoding": "br"]).status == 415)
    let get = await fixture.send("GET", "/v1/hits")
    #expect(get.status == 405)
    #expect(get.headers["Allow"] == "OPTIONS, POST")
    let preflight = await fixture.send("OPTIONS", "/v1/hits", headers: ["Origin": "https://shop.example"])
    #expect(preflight.status == 204)
    #expect(preflight.headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test("HQ-650: lines of Measurement Protocol v1 come as text/plain")
  func measurements() async {
    let response = await fixture.sendLines(
      "v=1&tid=p&cid=c&t=exception\nv=1&tid=q&cid=c&t=nothing", headers: ["Content-Type": "text/plain"])
    #expect(response.status == 200)
    #expect(response.headers["Tagworks-Accepted"] == "1")
    #expect(response.headers["Tagworks-Rejected"] == "1")
  }

  @Test("HQ-714: a key has its rate, whatever the addresses")
  func rate() async {
    let fixture = CollectorFixture(
      properties: CollectorFixture.keyed, rates: RateLimiter(perSecond: 1, burst: 2))
    let two = Self.line("a") + "\n" + Self.line("b")
    #expect(await fixture.sendLines(two).status == 200)
    let refused = await fixture.sendLines(Self.line("c"))
    #expect(refused.status == 429)
    #expect(refused.refusal == "RATE")
    #expect(refused.headers["Retry-After"] == "1")
  }

  @Test("HQ-724, HQ-725: storage that fails or is full is 503 or 507 here too")
  func failing() async {
    fixture.storage.state.withLock { $0.failure = StorageError(code: .failed, message: "no") }
    #expect(await fixture.sendLines(Self.line("a")).refusal == "BUSY")
    fixture.storage.state.withLock { $0.health = .full }
    #expect(await fixture.sendLines(Self.line("a")).refusal == "FULL")
  }

  @Test(
    "hostile lines end in a judgement each",
    arguments: [
      String(repeating: "[", count: 30_000), String(repeating: #"{"a":"#, count: 5_000), "\"", "1e999999",
      #"{"id":"# + String(repeating: "9", count: 30_000) + "}", "\0\0\0", #"{"id":"\ud800"}"#,
    ])
  func hostile(line: String) async {
    let response = await fixture.sendLines(line + "\n" + Self.line("a"))
    #expect(response.status == 200)
    #expect(response.headers["Tagworks-Accepted"] == "1")
    #expect(response.headers["Tagworks-Rejected"] == "1")
  }
}
