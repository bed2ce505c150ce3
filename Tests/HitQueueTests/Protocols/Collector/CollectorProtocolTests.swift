import Hits
import Testing

@testable import HitQueue

@Suite struct CollectorProtocolTests {
  private let collector = CollectorProtocol(key: "k1")

  private func body(_ hits: [QueuedHit], tracker: String = "shop") throws -> String {
    var context = EncodedHit.context("https://c.example")
    context.tracker = tracker
    return String(decoding: try collector.encode(hits[...], context).body, as: UTF8.self)
  }

  @Test("HQ-650: the request carries the key, its own id, and a hit a line, compressed")
  func request() throws {
    let hits = [
      EncodedHit.make(.screenView, ["cd": "H"], number: 1), EncodedHit.make(.screenView, ["cd": "I"], number: 2),
    ]
    let request = try collector.encode(hits[...], EncodedHit.context("https://c.example"))
    #expect(request.method == "POST")
    #expect(request.url == "https://c.example/v1/hits")
    #expect(request.headers["Content-Type"] == "application/x-ndjson")
    #expect(request.headers["Tagworks-Key"] == "k1")
    #expect(request.headers["Tagworks-Request"] == EncodedHit.id(99).description)
    #expect(request.headers["Accept"] == "application/vnd.tagworks.ack+json")
    #expect(request.gzip)
    let lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2)
    var plain = EncodedHit.context("https://c.example")
    plain.allowsGzip = false
    #expect(try !collector.encode(hits[...], plain).gzip)
  }

  @Test("HQ-651: a line, byte for byte")
  func line() throws {
    var consent = ConsentSnapshot.granted
    consent[.adStorage] = .denied
    consent[.personalization] = .pending
    let hit = EncodedHit.make(.event, ["ec": "a\"b", "ea": "ở", "uid": "u", "an": "Shop"], number: 7, consent: consent)
    #expect(
      try body([hit])
        == #"{"id":"017a8506-518f-7abc-8def-000000000007","seq":7,"kind":"event","property":"p","tracker":"shop","#
        + #""client":"35009a79-1a05-49d7-b876-2b884d0f825b","user":"u","time":1800000000000,"age":2000,"#
        + #""fields":{"an":"Shop","ea":"ở","ec":"a\"b"},"consent":{"ad_personalization":"granted","#
        + #""ad_storage":"denied","ad_user_data":"granted","analytics_storage":"granted","#
        + #""functionality_storage":"granted","personalization_storage":"pending"},"lib":"tw1.0.0"}"#)
    let custom = EncodedHit.make(.custom("level_up"), parameters: ["level": 3])
    #expect(
      try body([custom], tracker: "")
        == #"{"id":"017a8506-518f-7abc-8def-000000000001","seq":1,"kind":"custom","property":"p","#
        + #""client":"35009a79-1a05-49d7-b876-2b884d0f825b","time":1800000000000,"age":2000,"#
        + #""name":"level_up","params":{"level":3},"lib":"tw1.0.0"}"#)
  }

  @Test(
    "HQ-651: what is written reads back",
    arguments: [
      EncodedHit.make(.event, ["ec": "a\"b\\", "ea": "50% 👍", "uid": "u"]),
      EncodedHit.make(.custom("level_up"), ["an": "x"], parameters: ["level": 3, "items": [["item_id": "A"]]]),
    ])
  func roundTrip(hit: QueuedHit) throws {
    let line = try #require(HitLine(hit, tracker: "shop", at: EncodedHit.now))
    #expect(try HitLine(Array(try body([hit]).utf8)) == line)
  }

  static let good =
    #""id":"017a8506-518f-7abc-8def-000000000001","kind":"exception","property":"p","client":"c","age":0"#

  @Test(
    "HQ-651, HQ-666: what is wrong with a line is named with its member",
    arguments: [
      ("{", "BAD_JSON", nil), ("[]", "BAD_JSON", nil), ("{} {}", "BAD_JSON", nil), ("\u{FEFF}{}", "BAD_JSON", nil),
      (String(repeating: #"{"a":"#, count: 9) + "1" + String(repeating: "}", count: 9), "BAD_JSON", nil),
      ("{}", "MISSING_FIELD", "id"), (#"{"id":"x"}"#, "BAD_VALUE", "id"), (#"{"id":7}"#, "BAD_VALUE", "id"),
      (good.replacing(#""property":"p","#, with: ""), "MISSING_FIELD", "property"),
      (good.replacing(#""property":"p""#, with: #""property":"""#), "MISSING_FIELD", "property"),
      (good.replacing(#""kind":"exception","#, with: ""), "MISSING_FIELD", "kind"),
      (good.replacing("exception", with: "beacon"), "UNKNOWN_KIND", "kind"),
      (good.replacing("exception", with: "custom"), "MISSING_FIELD", "name"),
      (
        good.replacing("exception", with: "custom") + #","name":"\#(String(repeating: "n", count: 41))""#,
        "BAD_VALUE", "name"
      ),
      (good.replacing(#""client":"c","#, with: ""), "MISSING_FIELD", "client"),
      (good.replacing(#","age":0"#, with: ""), "MISSING_FIELD", "age"),
      (good.replacing(#""age":0"#, with: #""age":-1"#), "BAD_VALUE", "age"),
      (good.replacing(#""age":0"#, with: #""age":"0""#), "BAD_VALUE", "age"),
      (good + #","seq":0"#, "BAD_VALUE", "seq"), (good + #","time":1.5"#, "BAD_VALUE", "time"),
      (good + #","fields":[]"#, "BAD_VALUE", "fields"), (good + #","fields":{"ev":3}"#, "BAD_VALUE", "fields.ev"),
      (good + #","params":3"#, "BAD_VALUE", "params"),
      (good + #","consent":{"ad_storage":"no"}"#, "BAD_VALUE", "consent"),
      (good + #","tracker":"\#(String(repeating: "t", count: 65))""#, "BAD_VALUE", "tracker"),
      (good + #","lib":"\#(String(repeating: "l", count: 33_000))""#, "HIT_TOO_LARGE", nil),
    ] as [(String, String, String?)])
  func faults(line: String, code: String, field: String?) {
    let text = line.hasPrefix("\"") ? "{\(line)}" : line
    let fault = #expect(throws: HitLineFault.self) { try HitLine(Array(text.utf8)) }
    #expect(fault?.code == code)
    #expect(fault?.field == field)
    if line.hasPrefix(#""id":"017"#), code != "HIT_TOO_LARGE" { #expect(fault?.id == EncodedHit.id(1)) }
  }

  @Test("HQ-651: unknown members are ignored, null is as if it were not there")
  func tolerance() throws {
    let line = try HitLine(Array(#"{\#(Self.good),"user":null,"new":[1,{"a":2}],"fields":{"exf":"1"}}"#.utf8))
    #expect(line.user == nil)
    #expect(line.fields == ["exf": "1"])
    #expect(line.kind == .exception)
  }

  @Test("HQ-138: the predicted size holds the line")
  func size() throws {
    let hit = QueuedHit(
      id: HitID(), sequence: .max - 1, created: HitTime(wallMilliseconds: 1, ageClock: 0, boot: BootID("a")),
      body: EncodedHit.make(.event, ["ec": "\u{1}\"", "ea": "\\👍"]).body)
    let now = HitTime(wallMilliseconds: 9_000_000_000_000_000, ageClock: 0, boot: BootID("b"))
    var context = EncodedHit.context("https://c")
    context.now = now
    context.tracker = String(repeating: "\"", count: 64)
    let body = try collector.encode([hit], context).body
    #expect(collector.size(of: hit, at: nil) >= body.count)
    #expect(collector.size(of: hit, at: now) >= body.count)
  }

  @Test("HQ-138, HQ-651: of whatever fields, a line reads back as its hit and is as long as was predicted at most")
  func anyFields() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "a", "Z9", "\"", "\\", "é", "👍", "%", "%41", "&", "=", "+", " ", "/", "\u{2028}", "~", "ở", "\u{10FFFF}",
    ]
    let names = ["ec", "ea", "el", "an", "cd", "cd1", "cd20", "dl", "uid", "x_1", "y.2", "exd", "ti"]
    func text(_ longest: Int) -> String {
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    var consent = ConsentSnapshot.granted
    for round in 0..<500 {
      if round == 400 { consent[.adUserData] = .pending }
      let fields = Dictionary(
        names.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)).map { ($0, text(60)) },
        uniquingKeysWith: { first, _ in first })
      let kind: HitKind = round % 7 == 0 ? .custom("level \"up\"") : .event
      let made = EncodedHit.make(
        kind, fields, parameters: ["p": .string(text(20))], property: "UA-1-1", consent: consent)
      let hit = QueuedHit(
        id: made.id, sequence: .max - 1,
        created: HitTime(wallMilliseconds: 253_402_300_799_999, ageClock: 0, boot: EncodedHit.boot), consent: consent,
        body: made.body)
      let now = HitTime(wallMilliseconds: .max / 2, ageClock: .max / 2, boot: EncodedHit.boot)
      let tracker = String(repeating: "\"", count: 64)
      var bytes: [UInt8] = []
      #expect(HitLine.append(hit, tracker: tracker, at: now, to: &bytes))
      #expect(try HitLine(bytes) == HitLine(hit, tracker: tracker, at: now))
      #expect(try #require(HitLine.bound(of: hit)) >= bytes.count)
      #expect(collector.size(of: hit, at: nil) >= bytes.count)
      #expect(collector.size(of: hit, at: now) >= bytes.count)
    }
  }

  @Test("HQ-138: bytes that no form has are no longer on a line than was predicted")
  func strangeBytes() throws {
    for byte in UInt8.min...UInt8.max {
      let body = [1] + Array("v=1&tid=p&cid=c&t=event&ea=".utf8) + [UInt8](repeating: byte, count: 2_000)
      let hit = QueuedHit(id: EncodedHit.id(1), sequence: 1, created: EncodedHit.created, body: body)
      var line: [UInt8] = []
      #expect(HitLine.append(hit, tracker: "shop", at: EncodedHit.now, to: &line))
      #expect(try #require(HitLine.bound(of: hit)) >= line.count)
    }
  }

  @Test("HQ-660, HQ-665: without an acknowledgement nothing is settled; statuses are those of the table")
  func answers() {
    let ids = [EncodedHit.id(1), EncodedHit.id(2)]
    let ack = HTTPResponse(
      status: 200, body: Array(#"{"v":1,"received":2,"accepted":1,"duplicate":["\#(ids[1])"]}"#.utf8))
    #expect(collector.verdict(ack, for: ids) == .settled(duplicates: [ids[1]]))
    #expect(collector.verdict(HTTPResponse(status: 200, body: Array("ok".utf8)), for: ids) == .retry(after: nil))
    #expect(collector.verdict(HTTPResponse(status: 400), for: ids) == .isolate)
    #expect(collector.verdict(HTTPResponse(status: 401), for: ids) == .park(.auth, .seconds(900)))
    #expect(collector.verdict(HTTPResponse(status: 413), for: ids) == .shrink)
    #expect(collector.verdict(HTTPResponse(status: 415), for: ids) == .withoutGzip)
    let busy = HTTPResponse(status: 503, headers: ["Retry-After": "7"])
    #expect(collector.verdict(busy, for: ids) == .retry(after: .seconds(7)))
  }

  @Test(
    "HQ-652: a hit of 45 days is the oldest; HQ-600: a destination needs a key that a header can hold",
    arguments: [("k", true), ("", false), ("a b", false), ("a\r\nb", false), ("é", false)])
  func key(key: String, isFine: Bool) {
    #expect(collector.traits.maxAge == 3_888_000)
    #expect(Destination.collector("https://c.example", key: key).isAllowed == isFine)
  }
}
