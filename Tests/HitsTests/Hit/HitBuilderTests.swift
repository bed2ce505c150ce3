import Hits
import Testing

@Suite struct HitBuilderTests {
  @Test(
    "HQ-110: a builder for every kind fills the fields of the protocol",
    arguments: [
      (.screenView("Home"), .screenView, ["cd": "Home"]), (.screenView(), .screenView, [:]),
      (.pageView(location: "https://h/", title: "T"), .pageView, ["dl": "https://h/", "dt": "T"]),
      (.event(category: "c", action: "a", label: "l", value: 7), .event, ["ec": "c", "ea": "a", "el": "l", "ev": "7"]),
      (.event(category: "c", action: "a"), .event, ["ec": "c", "ea": "a"]),
      (.exception(description: "d", isFatal: true), .exception, ["exd": "d", "exf": "1"]),
      (.exception(isFatal: false), .exception, ["exf": "0"]),
      (
        .timing(category: "c", variable: "v", milliseconds: 20, label: "l"), .timing,
        ["utc": "c", "utv": "v", "utt": "20", "utl": "l"]
      ),
      (.social(network: "n", action: "a", target: "t"), .social, ["sn": "n", "sa": "a", "st": "t"]),
      (
        .transaction(id: "1", affiliation: "s", revenue: 15.470, tax: 1, shipping: 0.5, currency: "EUR"), .transaction,
        ["ti": "1", "ta": "s", "tr": "15.47", "tt": "1", "ts": "0.5", "cu": "EUR"]
      ),
      (
        .item(transactionID: "1", name: "n", sku: "s", category: "c", price: 2.5, quantity: 3, currency: "EUR"), .item,
        ["ti": "1", "in": "n", "ic": "s", "iv": "c", "ip": "2.5", "iq": "3", "cu": "EUR"]
      ),
      (.custom(name: "level_up", parameters: ["level": 3]), .custom("level_up"), [:]),
      (.beacon("https://h/"), .beacon, ["url": "https://h/"]),
    ] as [(HitBuilder, HitKind, [String: String])])
  func factories(builder: HitBuilder, kind: HitKind, fields: [String: String]) {
    #expect(builder.kind == kind)
    #expect(builder.build() == fields)
  }

  @Test("HQ-111: a later set overrides, nil removes and keeps the tracker's value out, get reads")
  func set() {
    let event = HitBuilder.event(category: "c", action: "a", label: "l")
    #expect(event.set("other", for: "ea").get("ea") == "other")
    let removed = event.set(nil, for: "el")
    #expect(removed.get("el") == nil)
    #expect(removed.suppressed == ["el"])
    #expect(removed.set("again", for: "el").suppressed.isEmpty)
    #expect(event.get("el") == "l")
  }

  @Test("HQ-112: a leading & is accepted and removed")
  func ampersand() {
    #expect(HitBuilder.screenView("Home").set("x", for: "&dt").get("dt") == "x")
    #expect(HitBuilder.screenView("Home").get("&cd") == "Home")
    #expect(HitBuilder(kind: .event, fields: ["&ec": "c", "ea": "a"]).fields == ["ec": "c", "ea": "a"])
    #expect(
      HitBuilder.screenView("Home").set(all: ["&dt": "x", "dp": "/"]).fields.keys.sorted() == ["cd", "dp", "dt"])
  }

  @Test("HQ-111: values of any type are coerced, null removes, lists and maps are noted")
  func setAll() {
    let values: [String: Value] = [
      "&el": "l", "ev": 12, "cm1": 1.5, "ni": true, "ea": nil, "cd1": ["a"], "cd2": ["k": "v"], "cd3": .absent,
    ]
    let builder = HitBuilder.event(category: "c", action: "a").set(all: values)
    #expect(builder.fields == ["ec": "c", "el": "l", "ev": "12", "cm1": "1.5", "ni": "1"])
    #expect(builder.suppressed == ["ea"])
    #expect(builder.ignored == [.init(name: "cd1", reason: .noScalar), .init(name: "cd2", reason: .noScalar)])
  }

  @Test("HQ-1225: copies of one template differ by what is set on them")
  func copies() {
    let timing = HitBuilder.timing(category: "Load", variable: "x", milliseconds: 5)
    #expect(timing.set("10", for: .timingVariable).get("utv") == "10")
    #expect(timing.set("20", for: .timingVariable).get("utv") == "20")
    #expect(timing.get(.timingVariable) == "x")
  }

  @Test("HQ-130: typed fields take values of their type only")
  func typed() {
    let builder = HitBuilder.screenView("Home")
      .set("Sand Sea", for: .customDimension(3)).set(1.5, for: .customMetric(2)).set(true, for: .anonymizeIP)
      .set(42, for: .eventValue).set(15.470, for: .revenue).set("g", for: .contentGroup(1)).set(nil, for: .screenName)
    #expect(
      builder.fields == ["cd3": "Sand Sea", "cm2": "1.5", "aip": "1", "ev": "42", "tr": "15.47", "cg1": "g"])
    #expect(builder.suppressed == ["cd"])
    let nan = FieldHygiene(HitBuilder.screenView("x").set(.nan, for: .customMetric(1)).fields, kind: .screenView)
    #expect(nan.fields == ["cd": "x"])
  }
}
