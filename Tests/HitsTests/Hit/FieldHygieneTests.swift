import Hits
import Testing

@Suite struct FieldHygieneTests {
  private let event = ["ec": "Video", "ea": "Play"]

  private func clean(_ fields: [String: String], _ kind: HitKind = .event) -> FieldHygiene {
    FieldHygiene(fields, kind: kind)
  }

  private func cleanEvent(_ name: String, _ value: String) -> FieldHygiene {
    clean(event.merging([name: value]) { $1 })
  }

  @Test("HQ-1222: NaN and words for an event's value go, a number with blanks stays")
  func eventValue() {
    for value in ["NaN", "abc", "inf", "-1", "1.5", "99999999999999999999"] {
      let hit = cleanEvent("ev", value)
      #expect(hit.fields == event)
      #expect(hit.refusal == nil)
      #expect(hit.refused == 1)
      #expect(hit.warnings == [FieldWarning(field: "ev", reason: .wrongType)])
    }
    #expect(cleanEvent("ev", " 12 ").fields["ev"] == "12")
    let timing = clean(["utc": "c", "utv": "v", "utt": "inf"], .timing)
    #expect(timing.refusal == .invalidValue("utt"))
    #expect(timing.refused == 1)
  }

  @Test(
    "HQ-132, HQ-133: values are coerced when exact",
    arguments: [
      ("ev", "3.0", "3"), ("ev", "1e2", "100"), ("ev", "+007", "7"), ("ev", "-0", "0"), ("ev", "true", "1"),
      ("ev", "No", "0"), ("ev", "9223372036854775807", "9223372036854775807"), ("ni", "yes", "1"), ("ni", "FALSE", "0"),
      ("ni", "1.0", "1"), ("ni", "0", "0"), ("cm3", "15.470", "15.47"), ("cm3", "1e-7", "0"), ("cm3", "-0", "0"),
      ("cm3", "1e21", "1000000000000000000000"), ("pr1pr", "\t3.50\n", "3.5"), ("sc", " start ", "start"),
      ("pr2ps", "2", "2"), ("cos", "1", "1"),
    ])
  func coerced(name: String, value: String, wire: String) {
    let hit = cleanEvent(name, value)
    #expect(hit.fields[name] == wire)
    #expect(hit.refused == 0)
  }

  @Test(
    "HQ-131, HQ-132: an optional value of the wrong type is left out with a warning",
    arguments: [
      ("ni", "2"), ("ni", "perhaps"), ("cm3", "nan"), ("cm3", "1e999"), ("pr1pr", "1e13"), ("sc", "stop"), ("cos", "0"),
      ("promoa", "hover"), ("pa", "steal"), ("aip", "2"),
    ])
  func wrongType(name: String, value: String) {
    let hit = cleanEvent(name, value)
    #expect(hit.fields == event)
    #expect(hit.refused == 1)
    #expect(hit.warnings == [FieldWarning(field: name, reason: .wrongType)])
    #expect(hit.refusal == nil)
  }

  @Test("HQ-216: aip is sent as 1 or not at all")
  func presence() {
    #expect(cleanEvent("aip", "true").fields["aip"] == "1")
    let off = cleanEvent("aip", "0")
    #expect(off.fields == event)
    #expect(off.warnings.isEmpty)
  }

  @Test("HQ-137: an empty value is not sent", arguments: ["", " ", "\n", "\u{7F}"])
  func empty(value: String) {
    for name in ["el", "ev", "ni", "cm1", "sc", "pr1pr"] {
      let hit = cleanEvent(name, value)
      #expect(hit.fields == event)
      #expect(hit.refused == 0)
    }
    #expect(clean(["ec": value, "ea": "a"]).refusal == .missingField("ec"))
    #expect(clean(["utc": "c", "utv": "v", "utt": value], .timing).refusal == .missingField("utt"))
  }

  @Test(
    "HQ-110: a hit without a field that its kind requires is refused",
    arguments: [
      (HitKind.screenView, [:], "cd"), (.pageView, [:], "dl"), (.pageView, ["dh": "h"], "dl"),
      (.event, ["ec": "c"], "ea"),
      (.event, ["ea": "a"], "ec"), (.timing, ["utc": "c", "utv": "v"], "utt"),
      (.timing, ["utv": "v", "utt": "1"], "utc"),
      (.social, ["sn": "n", "sa": "a"], "st"), (.transaction, [:], "ti"), (.item, ["ti": "t"], "in"),
      (.custom(" "), [:], "name"), (.beacon, [:], "url"), (.screenView, ["cd": "c", "pa": "purchase"], "ti"),
    ] as [(HitKind, [String: String], String)])
  func required(kind: HitKind, fields: [String: String], missing: String) {
    #expect(clean(fields, kind).refusal == .missingField(missing))
  }

  @Test(
    "HQ-110: a hit with what its kind requires is taken",
    arguments: [
      (.screenView, ["cd": "c"]), (.pageView, ["dl": "https://h/"]), (.pageView, ["dh": "h", "dp": "/"]),
      (.event, ["ec": "c", "ea": "a"]), (.timing, ["utc": "c", "utv": "v", "utt": "0"]),
      (.social, ["sn": "n", "sa": "a", "st": "t"]), (.transaction, ["ti": "t"]), (.item, ["ti": "t", "in": "n"]),
      (.exception, ["exf": "1"]), (.custom("level_up"), [:]), (.beacon, ["url": "https://h/p?q=1"]),
      (.screenView, ["cd": "c", "pa": "refund", "ti": "t"]),
    ] as [(HitKind, [String: String])])
  func complete(kind: HitKind, fields: [String: String]) {
    let hit = clean(fields, kind)
    #expect(hit.refusal == nil)
    #expect(hit.fields == fields)
    #expect(hit.warnings.isEmpty)
  }

  @Test("HQ-110: an exception always says whether it is fatal")
  func exception() {
    #expect(clean([:], .exception).fields == ["exf": "0"])
    #expect(clean(["exf": "true"], .exception).fields == ["exf": "1"])
  }

  @Test(
    "HQ-116: a beacon needs an absolute http or https URL of at most 8,192 bytes",
    arguments: [
      ("ftp://h/", Refusal.invalidValue("url")), ("/p", .invalidValue("url")),
      ("https://h/\r\nX: y", .invalidValue("url")),
      ("https://h/" + String(repeating: "a", count: 8_183), .tooLarge(bytes: 8_193, limit: 8_192)),
    ])
  func beacon(url: String, refusal: Refusal) {
    #expect(clean(["url": url], .beacon).refusal == refusal)
  }

  @Test("HQ-134: cut texts are counted")
  func truncated() {
    let hit = clean(["ec": String(repeating: "é", count: 100), "ea": String(repeating: "a", count: 501)])
    #expect(hit.fields["ec"]?.utf8.count == 150)
    #expect(hit.fields["ea"]?.utf8.count == 500)
    #expect(hit.truncated == 2)
    #expect(hit.refusal == nil)
  }

  @Test(
    "HQ-112: names outside the grammar and indexes outside their range are left out",
    arguments: [
      ("", FieldWarning.Reason.invalidName), ("1a", .invalidName), ("a b", .invalidName), ("a&b", .invalidName),
      ("é", .invalidName), (".a", .invalidName), ("cd#", .invalidName),
      (String(repeating: "a", count: 65), .invalidName),
      ("cd0", .indexOutOfRange), ("cd201", .indexOutOfRange), ("cg11", .indexOutOfRange), ("il31nm", .indexOutOfRange),
      ("il1pi201id", .indexOutOfRange), ("promo999999id", .indexOutOfRange), ("z", .reserved), ("_s", .reserved),
      ("t", .reserved),
    ])
  func names(name: String, reason: FieldWarning.Reason) {
    let hit = cleanEvent(name, "1")
    #expect(hit.fields == event)
    #expect(hit.warnings == [FieldWarning(field: name, reason: reason)])
    #expect(hit.refusal == nil)
  }

  @Test("HQ-112: unknown names pass with values of at most 2,048 bytes")
  func unknown() {
    let hit = cleanEvent("_my.own2", String(repeating: "v", count: 3_000))
    #expect(hit.fields["_my.own2"]?.utf8.count == 2_048)
    #expect(hit.warnings == [FieldWarning(field: "_my.own2", reason: .unknownName)])
    #expect(hit.truncated == 1)
    #expect(cleanEvent("cd01", "x").fields["cd01"] == "x")
  }

  @Test("HQ-112: of more than 40 unknown names the first in byte order stay")
  func surplus() {
    var fields = event
    for number in 10..<60 { fields["x_\(number)"] = "v" }
    let hit = clean(fields)
    #expect(hit.fields.count == 42)
    #expect(hit.fields["x_49"] == "v")
    #expect(hit.fields["x_50"] == nil)
    #expect(hit.refused == 10)
    #expect(hit.warnings.count { $0.reason == .tooManyUnknown } == 10)
  }

  @Test("HQ-112: a parameter of another kind is sent, with a warning")
  func otherKind() {
    let hit = clean(["cd": "Home", "ec": "c", "ti": "1"], .screenView)
    #expect(hit.fields == ["cd": "Home", "ec": "c", "ti": "1"])
    #expect(Set(hit.warnings.map(\.field)) == ["ec", "ti"])
    #expect(clean(["cd": "Home", "pa": "detail", "ta": "1"], .screenView).warnings.isEmpty)
  }

  @Test("the transport switch of the original is accepted and never sent")
  func local() {
    let hit = cleanEvent("useSecure", "1")
    #expect(hit.fields == event)
    #expect(hit.warnings.isEmpty)
  }

  @Test("what is clean stays as it is, and cleaning twice changes nothing")
  func idempotent() {
    let fields = [
      "ec": "Trò chơi", "ea": "Mở & chạy", "el": "50% 👍", "ev": "3", "ni": "1", "cd7": "x", "cm2": "1.5", "an": "Shop",
      "aid": "com.example.shop", "ul": "vi-vn", "pr1pr": "15.47",
    ]
    #expect(clean(fields).fields == fields)
    #expect(clean(fields).warnings.isEmpty)
    let dirty = clean(["ec": " a\u{0}\tb ", "ea": "x\ny", "ev": " 3.0"])
    #expect(dirty.fields == ["ec": "a b", "ea": "x y", "ev": "3"])
    #expect(clean(dirty.fields).fields == dirty.fields)
  }
}
