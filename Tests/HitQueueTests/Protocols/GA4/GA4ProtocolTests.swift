import Foundation
import Hits
import Testing

@testable import HitQueue

@Suite struct GA4ProtocolTests {
  private static let app = GA4Protocol(stream: .app("1:1234:ios:321abc"), secret: "s/1")
  private static let web = GA4Protocol(stream: .web("G-1"), secret: "s")
  private static let endpoint = "https://www.google-analytics.com/mp/collect?measurement_id=G-1"

  private func payload(
    _ language: GA4Protocol, _ hits: [QueuedHit], consent: ConsentSnapshot = .granted
  ) throws -> Value {
    let request = try language.encode(hits[...], EncodedHit.context(Self.endpoint, consent: consent))
    return try Value(json: request.body)
  }

  private func events(_ language: GA4Protocol, _ hits: [QueuedHit]) throws -> [[String: Value]] {
    let payload = try payload(language, hits)
    let events = try #require(payload.map?["events"]?.list)
    return events.compactMap(\.map)
  }

  /// The event's parameters without those of the library.
  private func own(_ event: [String: Value]) -> [String: Value] {
    var parameters = event["params"]?.map ?? [:]
    for name in ["session_id", "engagement_time_msec", "tw_hit_id"] { parameters[name] = nil }
    return parameters
  }

  @Test("HQ-630: the request has the stream and the secret in its address and its keys in order")
  func request() throws {
    let destination = Destination.ga4(app: "1:1234:ios:321abc", secret: "s/1")
    let base = "https://www.google-analytics.com/mp/collect?firebase_app_id=1%3A1234%3Aios%3A321abc"
    #expect(destination.endpoint == base)
    #expect(destination.isAllowed)
    let hit = EncodedHit.make(.event, ["ec": "Video", "ea": "Play", "ev": "3", "uid": "u", "_sid": "1799990000"])
    let request = try Self.app.encode([hit], EncodedHit.context(base))
    #expect(request.method == "POST")
    #expect(request.url == base + "&api_secret=s%2F1")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(!request.gzip)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"app_instance_id":"35009a791a0549d7b8762b884d0f825b","user_id":"u","timestamp_micros":1800000000000000,"#
        + #""consent":{"ad_user_data":"GRANTED","ad_personalization":"GRANTED"},"events":[{"name":"play","params":{"#
        + #""session_id":1799990000,"engagement_time_msec":1,"tw_hit_id":"017a8506-518f-7abc-8def-000000000001","#
        + #""event_action":"Play","event_category":"Video","event_value":3},"timestamp_micros":1800000000000000}]}"#)
  }

  @Test("HQ-630: a web stream names its client as it is")
  func web() throws {
    let payload = try payload(Self.web, [EncodedHit.make(.screenView, ["cd": "Home"])])
    #expect(payload.map?["client_id"] == .string(EncodedHit.client))
    #expect(payload.map?["app_instance_id"] == nil)
    #expect(Destination.ga4(web: "G-1", secret: "s").endpoint == Self.endpoint)
  }

  @Test(
    "HQ-634: ids that cannot be ones are a configuration error",
    arguments: [
      ("1:1234:ios:321abc", "s", true), ("1:1234:ios:321abc", "", false), ("1:1234:ios:", "s", false),
      ("x:1:ios:a", "s", false), ("1:1234:i0s:a", "s", false), ("", "s", false),
    ])
  func configuration(id: String, secret: String, isFine: Bool) {
    #expect(Destination.ga4(app: id, secret: secret).isAllowed == isFine)
  }

  static let mapped: [(HitKind, [String: String], String, [String: Value])] = [
    (
      .pageView, ["dl": "https://a/b", "dt": "T", "dr": "https://r"], "page_view",
      ["page_location": "https://a/b", "page_title": "T", "page_referrer": "https://r"]
    ),
    (
      .event, ["ec": "C", "ea": "Start Pressed!", "el": "L", "ev": "7"], "start_pressed",
      ["event_category": "C", "event_action": "Start Pressed!", "event_label": "L", "event_value": 7]
    ),
    (.exception, ["exd": "boom", "exf": "1"], "exception", ["description": "boom", "fatal": 1]),
    (
      .timing, ["utc": "a", "utv": "b", "utt": "12", "utl": "l"], "timing_complete",
      ["timing_category": "a", "timing_var": "b", "timing_value": 12, "timing_label": "l"]
    ),
    (
      .social, ["sn": "x", "sa": "like", "st": "/a"], "share",
      ["method": "x", "content_type": "like", "item_id": "/a"]
    ),
    (
      .transaction, ["ti": "T1", "ta": "A", "tr": "9.5", "tt": "1", "ts": "2", "cu": "EUR"], "purchase",
      ["transaction_id": "T1", "affiliation": "A", "value": 9.5, "tax": 1, "shipping": 2, "currency": "EUR"]
    ),
    (.transaction, ["ti": "T1", "tr": "9.5"], "purchase", ["transaction_id": "T1"]),
    (.transaction, ["ti": "T1", "tr": "9.5", "cu": "Euro"], "purchase", ["transaction_id": "T1"]),
    (
      .item, ["ti": "T1", "in": "N", "ic": "S", "ip": "2.5", "iq": "3", "iv": "c"], "transaction_item",
      ["transaction_id": "T1", "item_name": "N", "item_id": "S", "price": 2.5, "quantity": 3, "item_category": "c"]
    ),
    (
      .screenView,
      [
        "cd": "Home", "cd3": "x", "cm2": "1.5", "cg1": "g", "cg2": "h", "cn": "n", "cs": "s", "cm": "m",
        "ck": "k", "cc": "c", "ci": "i",
      ], "screen_view",
      [
        "screen_name": "Home", "dimension3": "x", "metric2": 1.5, "content_group": "g", "content_group2": "h",
        "campaign": "n", "source": "s", "medium": "m", "term": "k", "content": "c", "campaign_id": "i",
      ]
    ),
  ]

  @Test("HQ-631, HQ-633: each kind has its event and parameters", arguments: mapped)
  func kinds(kind: HitKind, fields: [String: String], name: String, parameters: [String: Value]) throws {
    let events = try events(Self.app, [EncodedHit.make(kind, fields)])
    #expect(events.count == 1)
    #expect(events.first?["name"] == .string(name))
    #expect(events.first.map(own) == parameters)
    #expect(events.first?["timestamp_micros"] == 1_800_000_000_000_000)
  }

  @Test("HQ-631: a screen is a page on a web stream, at the page's address or the app's")
  func screens() throws {
    let page = try events(Self.web, [EncodedHit.make(.screenView, ["cd": "Home", "aid": "com.example"])])
    #expect(page.first?["name"] == "page_view")
    #expect(page.first.map(own) == ["page_title": "Home", "page_location": "app://com.example/Home"])
    let located = try events(Self.web, [EncodedHit.make(.screenView, ["cd": "Home", "dl": "https://a/b"])])
    #expect(located.first.map(own)?["page_location"] == "https://a/b")
  }

  @Test("HQ-631: names of custom dimensions come from the destination")
  func names() throws {
    var language = Self.app
    language.names = ["cd3": "plan", "cm1": "score"]
    let events = try events(language, [EncodedHit.make(.screenView, ["cd": "H", "cd3": "pro", "cm1": "2"])])
    #expect(events.first.map(own) == ["screen_name": "H", "plan": "pro", "score": 2])
  }

  @Test("HQ-631: the items of a transaction in the same request are told with it; an orphan is an event")
  func items() throws {
    let events = try events(
      Self.app,
      [
        EncodedHit.make(.item, ["ti": "T1", "in": "early"], number: 1),
        EncodedHit.make(.transaction, ["ti": "T1"], number: 2),
        EncodedHit.make(.item, ["ti": "T1", "in": "N", "ic": "S", "ip": "2.5", "iq": "3", "iv": "c"], number: 3),
        EncodedHit.make(.item, ["ti": "T2", "in": "other"], number: 4),
      ])
    #expect(events.map { $0["name"] } == ["transaction_item", "purchase", "transaction_item"])
    #expect(
      own(events[1])["items"]
        == [["item_name": "N", "item_id": "S", "price": 2.5, "quantity": 3, "item_category": "c"]])
  }

  static let actions: [(String, [String: String], String, [String: Value])] = [
    ("detail", [:], "view_item", [:]), ("click", ["pal": "L"], "select_item", ["item_list_name": "L"]),
    ("add", [:], "add_to_cart", [:]), ("remove", [:], "remove_from_cart", [:]),
    ("checkout", ["cos": "1", "col": "V"], "begin_checkout", ["checkout_step": 1, "checkout_option": "V"]),
    ("checkout", ["cos": "2"], "checkout_progress", ["checkout_step": 2]),
    ("checkout_option", ["cos": "1", "col": "V"], "checkout_progress", ["checkout_step": 1, "checkout_option": "V"]),
    (
      "purchase", ["ti": "T", "tr": "3", "cu": "EUR", "tcc": "X"], "purchase",
      ["transaction_id": "T", "value": 3, "currency": "EUR", "coupon": "X"]
    ),
    ("refund", ["ti": "T"], "refund", ["transaction_id": "T"]),
  ]

  @Test("HQ-631, HQ-632: a product action follows its base event", arguments: actions)
  func action(action: String, fields: [String: String], name: String, parameters: [String: Value]) throws {
    let hit = EncodedHit.make(
      .event,
      fields.merging(
        [
          "ec": "e", "ea": "a", "pa": action, "pr1id": "S", "pr1nm": "N", "pr1br": "B", "pr1ca": "x/y/z/4/5/6",
          "pr1va": "V", "pr1pr": "2.5", "pr1qt": "2", "pr1cc": "C", "pr1ps": "4", "pr1cd2": "d", "pr1cm3": "1",
          "pr2nm": "M",
        ]) { first, _ in first })
    let events = try events(Self.app, [hit])
    #expect(events.map { $0["name"] } == ["a", .string(name)])
    var product: [String: Value] = [
      "item_id": "S", "item_name": "N", "item_brand": "B", "item_variant": "V", "price": 2.5, "quantity": 2,
      "coupon": "C", "index": 4, "item_category": "x", "item_category2": "y", "item_category3": "z",
      "item_category4": "4", "item_category5": "5", "dimension2": "d", "metric3": 1,
    ]
    var second: [String: Value] = ["item_name": "M"]
    if let list = fields["pal"] {
      product["item_list_name"] = .string(list)
      second["item_list_name"] = .string(list)
    }
    #expect(own(events[1]) == parameters.merging(["items": [.map(product), .map(second)]]) { first, _ in first })
  }

  @Test("HQ-631, HQ-632: a view of each list and of each promotion, a selection on click")
  func lists() throws {
    let hit = EncodedHit.make(
      .screenView,
      [
        "cd": "H", "il1nm": "Top", "il1pi1id": "A", "il1pi2id": "B", "il2pi1nm": "C", "promo1id": "P",
        "promo1nm": "Sale",
        "promo1cr": "c", "promo1ps": "s", "promo2id": "Q",
      ])
    let events = try events(Self.app, [hit])
    #expect(
      events.map { $0["name"] }
        == ["screen_view", "view_item_list", "view_item_list", "view_promotion", "view_promotion"])
    #expect(
      own(events[1]) == [
        "item_list_name": "Top",
        "items": [
          ["item_id": "A", "item_list_name": "Top"], ["item_id": "B", "item_list_name": "Top"],
        ],
      ])
    #expect(own(events[2]) == ["items": [["item_name": "C"]]])
    #expect(
      own(events[3])
        == ["promotion_id": "P", "promotion_name": "Sale", "creative_name": "c", "creative_slot": "s"])
    let clicked = EncodedHit.make(.screenView, ["cd": "H", "promo1id": "P", "promoa": "click"])
    #expect(try self.events(Self.app, [clicked]).map { $0["name"] } == ["screen_view", "select_promotion"])
    #expect(Self.app.weight(of: hit) == 5)
  }

  @Test("HQ-631: a custom hit has its own name and parameters")
  func custom() throws {
    let hit = EncodedHit.make(.custom("level_up"), ["cd1": "x"], parameters: ["level": 3, "who": "me"])
    let events = try events(Self.app, [hit])
    #expect(events.map { $0["name"] } == ["level_up"])
    #expect(own(events[0]) == ["level": 3, "who": "me"])
  }

  @Test("HQ-1235, HQ-634: 26 parameters are 25, a text of 101 units is 100, and both are counted")
  func limits() throws {
    let surplus = Dictionary(
      uniqueKeysWithValues: (1...26).map { (String(format: "p%02d", $0), Value.int(Int64($0))) })
    let many = EncodedHit.make(.custom("first_open"), parameters: surplus)
    let event = try events(Self.app, [many])[0]
    #expect(event["name"] == "tw_first_open")
    // Two of the library's (no session is told here), 23 of its own, in byte order.
    #expect(event["params"]?.map?.count == 25)
    #expect(own(event).keys.sorted() == (1...23).map { String(format: "p%02d", $0) })
    #expect(Self.app.check(many).refusedValues == 3)
    let long = EncodedHit.make(.custom("2x"), parameters: ["text": .string(String(repeating: "a", count: 99) + "👍")])
    let cut = try events(Self.app, [long])[0]
    #expect(cut["name"] == "e_2x")
    #expect(own(cut)["text"] == .string(String(repeating: "a", count: 99)))
    #expect(Self.app.check(long) == HitCheck(truncatedValues: 1))
  }

  static let repairs: [([String: Value], [String: Value])] = [
    (["value": 3], [:]), (["value": 3, "currency": "eur"], [:]),
    (["value": 3, "currency": "EUR"], ["value": 3, "currency": "EUR"]), (["currency": "EUR"], [:]),
    (["ga_x": 1, "_y": 1, "firebase_conversion": 1, "ok": 1], ["ok": 1]), (["My Name": 1], ["my_name": 1]),
    (["o": ["a": 1], "l": [1], "n": nil], [:]),
    (["items": [["item_id": "A"], ["price": 1], "x"]], ["items": [["item_id": "A"]]]),
    (
      ["page_title": .string(String(repeating: "t", count: 301))],
      ["page_title": .string(String(repeating: "t", count: 300))]
    ),
  ]

  @Test("HQ-634: what cannot be a parameter is left out or mended", arguments: repairs)
  func repair(parameters: [String: Value], left: [String: Value]) throws {
    let event = try events(Self.app, [EncodedHit.make(.custom("e"), parameters: parameters)])[0]
    #expect(own(event) == left)
  }

  @Test("HQ-634: more than 200 items are several events; an item has at most ten parameters of its own")
  func manyItems() throws {
    let items = (1...201).map { Value.map(["item_id": .string("\($0)")]) }
    let events = try events(Self.app, [EncodedHit.make(.custom("e"), parameters: ["items": .list(items)])])
    #expect(events.map { own($0)["items"]?.list?.count } == [200, 1])
    var item: [String: Value] = ["item_id": "A", "price": 1]
    for number in 0...10 { item["x\(number)"] = 1 }
    let one = try self.events(Self.app, [EncodedHit.make(.custom("e"), parameters: ["items": [.map(item)]])])
    #expect(own(one[0])["items"]?.list?.first?.map?.count == 12)
  }

  @Test("HQ-635: strict refuses at send what warn repairs; a client that is no instance is refused in both")
  func strict() {
    var strict = Self.app
    strict.mode = .strict
    let reserved = EncodedHit.make(.custom("first_open"))
    #expect(strict.check(reserved).refusal == .invalidValue("events[0].name"))
    #expect(Self.app.check(reserved) == HitCheck())
    #expect(strict.check(EncodedHit.make(.custom("ok"))) == HitCheck())
    let stranger = EncodedHit.make(.screenView, ["cd": "H", "cid": "someone"])
    #expect(Self.app.check(stranger).refusal == .invalidValue("cid"))
    #expect(Self.web.check(stranger).refusal == nil)
  }

  @Test(
    "HQ-224: the stricter of what was said at creation and now",
    arguments: [
      (ConsentState.granted, ConsentState.granted, "GRANTED"), (.denied, .granted, "DENIED"),
      (.granted, .denied, "DENIED"), (.pending, .granted, "DENIED"),
    ])
  func consent(made: ConsentState, said: ConsentState, word: String) throws {
    var snapshot = ConsentSnapshot.granted
    snapshot[.adPersonalization] = made
    var now = ConsentSnapshot.granted
    now[.adPersonalization] = said
    let payload = try payload(Self.app, [EncodedHit.make(.screenView, ["cd": "H"], consent: snapshot)], consent: now)
    #expect(
      payload.map?["consent"] == ["ad_user_data": "GRANTED", "ad_personalization": .string(word)])
    #expect(payload.map?["non_personalized_ads"] == (word == "DENIED" ? true : nil))
  }

  @Test("HQ-414 table: one client, user and consent a request; an event of an unknown age has no time")
  func sharing() throws {
    let first = EncodedHit.make(.screenView, ["cd": "H"])
    #expect(Self.app.canJoin(EncodedHit.make(.screenView, ["cd": "I"]), after: first))
    #expect(!Self.app.canJoin(EncodedHit.make(.screenView, ["cd": "H", "uid": "u"]), after: first))
    #expect(!Self.app.canJoin(EncodedHit.make(.screenView, ["cd": "H", "cid": "x"]), after: first))
    var denied = ConsentSnapshot.granted
    denied[.adStorage] = .denied
    #expect(!Self.app.canJoin(EncodedHit.make(.screenView, ["cd": "H"], consent: denied), after: first))
    let suspect = QueuedHit(
      id: HitID(), sequence: 1, created: HitTime(wallMilliseconds: 0, ageClock: 0, boot: BootID("other")),
      isClockSuspect: true, body: first.body)
    let payload = try payload(Self.app, [suspect])
    #expect(payload.map?["timestamp_micros"] == nil)
    #expect(payload.map?["events"]?.list?.first?.map?["timestamp_micros"] == nil)
  }

  @Test("HQ-138: the predicted size holds the request of one hit", arguments: mapped)
  func size(kind: HitKind, fields: [String: String], name: String, parameters: [String: Value]) throws {
    let hit = EncodedHit.make(kind, fields.merging(["uid": "\"\\\u{1F44D}"]) { first, _ in first })
    let request = try Self.app.encode([hit], EncodedHit.context(Self.endpoint))
    #expect(Self.app.size(of: hit, at: nil) >= request.body.count)
    #expect(Self.app.size(of: hit, at: EncodedHit.now) >= request.body.count)
  }

  @Test("HQ-637: any 2xx settles all; HQ-115: beacons are not its matter")
  func answers() {
    #expect(Self.app.verdict(HTTPResponse(status: 204), for: [EncodedHit.id(1)]) == .settled())
    #expect(Self.app.verdict(HTTPResponse(status: 500), for: []) == .retry(after: nil))
    #expect(!Self.app.carries(.beacon))
    #expect(Self.app.carries(.custom("x")))
    #expect(!Self.app.traits.dedupes)
  }
}
