import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct TrackerTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  /// The fields of the hits that a body sends, without what the library writes.
  private func sent(
    device: (any Device)? = nil, _ body: (Analytics, Tracker) throws -> Void
  ) async throws -> [[String: String]] {
    let analytics = try fixture.open(device: device)
    let tracker = try analytics.tracker(property: "UA-1-1")
    try body(analytics, tracker)
    _ = await analytics.drain()
    return fixture.sent
  }

  @Test("HQ-1223: a sticky value goes with every hit, a hit's own with that hit only")
  func stickyValues() async throws {
    let sent = try await sent { _, tracker in
      tracker.set("Home", for: .screenName)
      tracker.send(.event(category: "a", action: "b").set("popup", for: .screenName))
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent.map { $0["cd"] } == ["popup", "Home"])
  }

  @Test("HQ-204: device, queue, tracker and hit, the later wins; nil in a hit leaves the field out of it")
  func precedence() async throws {
    let device = FixedDevice(
      model: "Phone1,1", language: "vi-VN", screen: ScreenSize(width: 1, height: 2), appName: "Shop",
      appID: "com.example.shop", appVersion: "1.0")
    let sent = try await sent(device: device) { analytics, tracker in
      analytics.set("queue", for: "an")
      analytics.set("queue", for: "av")
      tracker.set("tracker", for: "av")
      tracker.send(.event(category: "a", action: "b"))
      tracker.send(.event(category: "a", action: "b").set("hit", for: "av").set(nil, for: "an").set(nil, for: "ul"))
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent[0]["an"] == "queue")
    #expect(sent[0]["av"] == "tracker")
    #expect(sent[0]["aid"] == "com.example.shop")
    #expect(sent[0]["ul"] == "vi-vn")
    #expect(sent[0]["sr"] == "1x2")
    #expect(sent[0]["dm"] == "Phone1,1")
    #expect(sent[0]["ds"] == "app")
    #expect(sent[1]["av"] == "hit")
    #expect(sent[1]["an"] == nil)
    #expect(sent[1]["ul"] == nil)
    #expect(sent[2] == sent[0].merging(["_s": "3", "z": sent[2]["z"] ?? ""]) { $1 })
  }

  @Test("HQ-203: what the library writes cannot be set, and the property can only be read")
  func closedNames() async throws {
    let sent = try await sent { _, tracker in
      for name in ["t", "v", "qt", "ht", "z", "_s", "_v", "tid", "&tid"] {
        tracker.set("x", for: name)
        #expect(tracker.get(name) == (name.hasSuffix("tid") ? "UA-1-1" : nil))
      }
      tracker.set("en", for: "&ul")
      #expect(tracker.get("ul") == "en")
      tracker.set(nil, for: "ul")
      #expect(tracker.get("&ul") == nil)
      #expect(tracker.get("ds") == "app")
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent[0]["t"] == "event")
    #expect(sent[0]["v"] == "1")
    #expect(sent[0]["tid"] == "UA-1-1")
    #expect(sent[0]["_s"] == "1")
  }

  @Test("HQ-113: a screen view does not set the screen name of later hits")
  func screenName() async throws {
    let sent = try await sent { _, tracker in
      tracker.send(.screenView("Home"))
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent.map { $0["cd"] } == ["Home", nil])
  }

  @Test("HQ-205: the values are those of the moment of the call")
  func snapshot() async throws {
    let sent = try await sent { _, tracker in
      tracker.set("1", for: "cd1")
      tracker.send(.event(category: "a", action: "b"))
      tracker.set("2", for: "cd1")
    }
    #expect(sent[0]["cd1"] == "1")
  }

  @Test("HQ-212: a session's start that is set on a tracker belongs to the next hit only")
  func sessionControl() async throws {
    let sent = try await sent { _, tracker in
      tracker.set("start", for: .sessionControl)
      tracker.send(.event(category: "a", action: "b"))
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent.map { $0["sc"] } == ["start", nil])
  }

  @Test("HQ-1230: the wish to mask addresses is sent, its absence is not")
  func anonymizeIP() async throws {
    let sent = try await sent { _, tracker in
      tracker.anonymizeIP = true
      tracker.send(.event(category: "a", action: "b"))
      tracker.anonymizeIP = false
      tracker.send(.event(category: "a", action: "b"))
    }
    #expect(sent.map { $0["aip"] } == ["1", nil])
  }

  @Test("HQ-200: a tracker made of a property alone is called by it, and sends to the default destination")
  func propertyAlone() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(tracker.name == "UA-1-1")
    #expect(tracker.property == "UA-1-1")
    #expect(try analytics.tracker(property: "UA-1-1") === tracker)
    analytics.defaultDestination = .measurementProtocol("https://elsewhere.example")
    await tracker.send(.screenView("old"))
    try await analytics.tracker(property: "UA-2-1").send(.screenView("new"))
    _ = await analytics.drain()
    #expect(
      fixture.transport.requests.map(\.url) == [
        "https://collect.example/collect", "https://elsewhere.example/collect",
      ])
    analytics.defaultDestination = nil
    #expect(throws: TrackerError.self) { try analytics.tracker(property: "UA-3-1") }
  }

  @Test("HQ-206, HQ-210: the client id is the same from both calls, and is on disk before it is told")
  func clientID() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    let id = try #require(tracker.get(.clientID))
    let text = try String(contentsOfFile: fixture.directory + "/identity.json", encoding: .utf8)
    #expect(text.contains(id))
    #expect(await analytics.clientID() == id)
    try analytics.resetClientID()
    #expect(await analytics.clientID() != id)
    #expect(tracker.get(.clientID) == (await analytics.clientID()))
  }

  @Test("HQ-114: a transaction and its items are hits of their own with the same id, and go together unmerged")
  func transaction() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.transaction(id: "T1", revenue: 15.47))
    for name in ["shirt", "hat"] { await tracker.send(.item(transactionID: "T1", name: name)) }
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["t"] } == ["transaction", "item", "item"])
    #expect(fixture.sent.map { $0["ti"] } == ["T1", "T1", "T1"])
    #expect(fixture.sent.map { $0["in"] } == [nil, "shirt", "hat"])
    #expect(fixture.sent.map { $0["tr"] } == ["15.47", nil, nil])
  }

  @Test("HQ-1224: a tracker of a known name is the old one, with one warning")
  func oldTracker() throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    let destination = Destination.measurementProtocol("https://collect.example/")
    let first = try analytics.tracker(name: "a", property: "UA-1-1", destination: destination)
    let second = try analytics.tracker(name: "a", property: "UA-2-1", destination: destination)
    _ = try analytics.tracker(name: "a", property: "UA-2-1", destination: destination)
    #expect(first === second)
    #expect(second.property == "UA-1-1")
    #expect(logger.texts(.warning).count == 1)
  }

  @Test(
    "HQ-201: a property has its grammar",
    arguments: [
      ("UA-1-1", true), ("UA-123456789012-123456", true), ("UA-1234567890123-1", false), ("UA-1-1234567", false),
      ("UA-1", false), ("UA-1-1-1", false), ("UA-x-1", false), ("G-ABC123", true), ("site.7:x_y", true), ("", false),
      ("a b", false), ("ä", false), (String(repeating: "a", count: 64), true),
      (String(repeating: "a", count: 65), false),
    ])
  func properties(property: String, isValid: Bool) throws {
    let analytics = try fixture.open()
    let make = {
      try analytics.tracker(name: "t", property: property, destination: .measurementProtocol("https://c.example"))
    }
    if isValid {
      #expect(try make().property == property)
    } else {
      #expect { try make() } throws: { ($0 as? TrackerError)?.code == .invalidProperty }
    }
  }

  @Test("HQ-201: a name is not empty, and the names of the library are its own", arguments: ["", "$beacon", "a\nb"])
  func names(name: String) throws {
    let analytics = try fixture.open()
    #expect {
      try analytics.tracker(name: name, property: "UA-1-1", destination: .measurementProtocol("https://c.example"))
    } throws: {
      ($0 as? TrackerError)?.code == .invalidName
    }
  }

  @Test(
    "HQ-600: hits go over https, over http to this machine only, unless the app allows it",
    arguments: [
      ("https://c.example/base", true), ("http://127.0.0.1:8080", true), ("http://localhost", true),
      ("http://[::1]:1", true), ("http://c.example", false), ("ftp://c.example", false), ("c.example", false),
      ("https://c.example?x=1", false),
    ])
  func destinations(endpoint: String, isAllowed: Bool) throws {
    let analytics = try fixture.open()
    let tracker = try? analytics.tracker(
      name: "t", property: "UA-1-1", destination: .measurementProtocol(endpoint))
    #expect((tracker != nil) == isAllowed)
    let insecure = Destination.measurementProtocol("http://c.example", allowInsecure: true)
    #expect(try analytics.tracker(name: "i", property: "UA-1-1", destination: insecure).name == "i")
  }

  @Test("HQ-202: the first tracker is the default one, until it is removed; its hits are still delivered")
  func defaultTracker() async throws {
    let analytics = try fixture.open()
    #expect(analytics.defaultTracker == nil)
    #expect(analytics.send(.screenView("x"), tracker: nil).state == .refused(.unknownTracker))
    let first = try analytics.tracker(property: "UA-1-1")
    _ = try analytics.tracker(property: "UA-2-1")
    #expect(analytics.defaultTracker === first)
    #expect(analytics.send(.screenView("x"), tracker: nil).state == .durable)
    analytics.removeTracker(named: "UA-1-1")
    #expect(analytics.defaultTracker == nil)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["tid"] } == ["UA-1-1"])
  }

  @Test("HQ-117: a name without a tracker makes one; without a destination it is refused")
  func namedSink() async throws {
    let analytics = try fixture.open()
    #expect(analytics.send(.screenView("x"), tracker: "UA-7-1").state == .durable)
    #expect(analytics.send(.screenView("x"), tracker: "no property").state == .refused(.unknownTracker))
    analytics.defaultDestination = nil
    #expect(analytics.send(.screenView("x"), tracker: "UA-8-1").state == .refused(.unknownTracker))
    #expect(try await analytics.counters[.refused("unknownTracker")] == 2)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["tid"] } == ["UA-7-1"])
  }

  @Test("HQ-117: a property among a hit's fields is ignored with a warning")
  func foreignProperty() async throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("x").set("UA-2-2", for: "tid"))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["tid"] } == ["UA-1-1"])
    #expect(logger.texts(.warning).count == 1)
  }
}
