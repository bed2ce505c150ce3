import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct IntakeTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-1220: the values of the example make its line, byte for byte up to the sequence")
  func exampleLine() async throws {
    // The client id of the example.
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    try #"{"clientID":"35009a79-1a05-49d7-b876-2b884d0f825b","sequence":0}"#.write(
      toFile: fixture.directory + "/identity.json", atomically: true, encoding: .utf8)
    let clock = ManualClock(wallMilliseconds: 1_625_729_421_711)
    let device = FixedDevice(
      model: "", language: "vi-VN", appName: "Shop", appID: "com.example.shop", appVersion: "1.0")
    let analytics = try fixture.open(clock: clock, device: device)
    let tracker = try analytics.tracker(property: "UA-12345-1")
    await tracker.send(.event(category: "Trò chơi", action: "Mở & chạy", label: "50% 👍"))
    clock.advance(by: .milliseconds(120_043))
    _ = await analytics.drain()
    let line = try #require(fixture.transport.lines.first)
    #expect(
      line.hasPrefix(
        "v=1&tid=UA-12345-1&cid=35009a79-1a05-49d7-b876-2b884d0f825b&t=event&aid=com.example.shop&an=Shop&av=1.0"
          + "&ds=app&ea=M%E1%BB%9F%20%26%20ch%E1%BA%A1y&ec=Tr%C3%B2%20ch%C6%A1i&el=50%25%20%F0%9F%91%8D&ul=vi-vn"
          + "&_s=1&_v=tw1.0.0&ht=1625729421711&qt=120043&z="))
    #expect(line.utf8.count == 284)
  }

  @Test("HQ-115: a protocol refuses the kinds it cannot tell")
  func unsupportedKinds() throws {
    let tracker = try fixture.open().tracker(property: "UA-1-1")
    #expect(tracker.send(.custom(name: "x")).state == .refused(.unsupportedKind))
    #expect(tracker.send(.beacon("https://a.example/")).state == .refused(.unsupportedKind))
  }

  @Test("HQ-115, HQ-131: parameters that are none are left out, counted and told")
  func parameters() async throws {
    let logger = RecordingHitLogger()
    let analytics = try fixture.open(logger: logger)
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(name: "ga4", property: "G-1", destination: .ga4(app: "1:2:ios:3", secret: "s"))
    let hit = HitBuilder.custom(name: "e", parameters: ["a": 1, "b": .double(.nan), "c": ["d": 1]])
    #expect(await tracker.send(hit).state == .durable)
    #expect(try await analytics.counters[.valuesRefused] == 2)
    #expect(Set(logger.texts(.warning)) == ["field b: wrongType", "field c: wrongType"])
    await analytics.close()
  }

  @Test("HQ-137: an empty required field refuses the hit, and the refusal is counted")
  func missingField() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.event(category: "", action: "b")).state == .refused(.missingField("ec")))
    #expect(try await analytics.counters[.refused("missingField")] == 1)
    #expect(try await analytics.counters[.accepted] == 0)
  }

  @Test("HQ-1222: values that are none are left out, coerced, or refuse the hit")
  func invalidValues() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    let event = HitBuilder.event(category: "a", action: "b")
    await tracker.send(event.set("NaN", for: "ev"))
    await tracker.send(event.set("abc", for: "ev"))
    await tracker.send(event.set(" 12 ", for: "ev"))
    let timing = HitBuilder.timing(category: "a", variable: "b", milliseconds: 1).set("inf", for: "utt")
    #expect(await tracker.send(timing).state == .refused(.invalidValue("utt")))
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["ev"] } == [nil, nil, "12"])
    #expect(try await analytics.counters[.valuesRefused] == 3)
  }

  @Test("HQ-1231: a hit of 8,192 bytes at its longest passes, one byte more is refused with the figures")
  func tooLarge() throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    // Unknown names take 2,048 bytes each; cd takes as much.
    func hit(_ last: Int) -> HitBuilder {
      var hit = HitBuilder.screenView(String(repeating: "c", count: 2_048))
      for name in ["x1", "x2"] { hit = hit.set(String(repeating: "a", count: 2_048), for: name) }
      return hit.set(String(repeating: "z", count: last), for: "x3")
    }
    guard case .refused(.tooLarge(let bytes, let limit)) = tracker.send(hit(2_048)).state else {
      Issue.record("not refused")
      return
    }
    #expect(limit == 8_192)
    #expect(tracker.send(hit(2_048 - (bytes - limit))).state == .durable)
    #expect(tracker.send(hit(2_048 - (bytes - limit) + 1)).state == .refused(.tooLarge(bytes: 8_193, limit: 8_192)))
  }

  @Test("HQ-101: ids increase in the order of sending, and HQ-104: so do sequences")
  func order() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    var ids: [String] = []
    for _ in 0..<50 { ids.append(try #require(await tracker.send(.screenView("x")).id).description) }
    #expect(ids == ids.sorted())
    let hits = try await analytics.inspect(HitQuery())
    #expect(hits.map(\.id.description) == ids)
    #expect(hits.map(\.sequence) == Array(1...50))
  }

  @Test("HQ-312: hits of one call are committed together, the refused ones left out")
  func together() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    let receipts = await tracker.send(contentsOf: [
      .screenView("1"), .event(category: "", action: "b"), .screenView("2"), .screenView("3"),
    ])
    #expect(receipts.map(\.state) == [.durable, .refused(.missingField("ec")), .durable, .durable])
    let stored = try await analytics.inspect(HitQuery())
    #expect(stored.map(\.fields["cd"]) == ["1", "2", "3"])
    #expect(stored.map(\.id) == receipts.compactMap(\.id))
  }

  @Test("HQ-312: an asynchronous send is durable when it returns; HQ-316: closing commits what was not waited for")
  func asynchronous() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    let receipt: SendReceipt = await tracker.send(.screenView("1"))
    #expect(receipt.state == .durable)
    for number in 2...100 { tracker.enqueue(.screenView("\(number)")) }
    await analytics.close()
    let stored = try fixture.reader().inspect(HitQuery(limit: 1_000))
    #expect(stored.map { $0.fields["cd"] } == (1...100).map(String.init))
    #expect(await tracker.send(.screenView("late")).state == .refused(.closed))
  }

  @Test("HQ-240: in a dry run hits are checked and answered, and nothing is kept or sent, not even older hits")
  func dryRun() async throws {
    let analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("kept"))
    analytics.dryRun = true
    #expect(await tracker.send(.screenView("dry")).state == .dryRun)
    #expect(await tracker.send(.event(category: "", action: "b")).state == .refused(.missingField("ec")))
    let report = await analytics.dispatchNext()
    #expect(report.result == .noData)
    #expect(report.reason == .dryRun)
    #expect(fixture.transport.requests.isEmpty)
    analytics.dryRun = false
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["cd"] } == ["kept"])
  }

  @Test("HQ-103: a hit's row says how long a full store keeps it")
  func priorities() async throws {
    let analytics = try fixture.open { $0.maxHits = 10 }
    let tracker = try analytics.tracker(property: "UA-1-1")
    let kept: [HitBuilder] = [
      .transaction(id: "1"), .item(transactionID: "1", name: "a"), .exception(isFatal: true),
      .event(category: "a", action: "b").set("refund", for: "pa").set("1", for: "ti"),
    ]
    for hit in kept { #expect(await tracker.send(hit).state == .durable) }
    for number in 0..<10 { await tracker.send(.screenView("\(number)")) }
    let kinds = try await analytics.inspect(HitQuery()).map(\.kind)
    #expect(kinds.prefix(4) == ["transaction", "item", "exception", "event"])
    #expect(try await analytics.counters[.dropped(.evicted)] == 5)
    #expect(try await analytics.statistics().isConserved)
  }
}
