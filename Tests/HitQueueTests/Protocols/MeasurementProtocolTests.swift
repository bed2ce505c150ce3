import Foundation
import HitQueue
import Hits
import Testing

@Suite struct MeasurementProtocolTests {
  private let mp1 = MeasurementProtocol()
  private let boot = BootID("6b1f0c2e-0000-4000-8000-000000000001")
  private static let ages: [(HitTime, Int64)] = [
    (HitTime(wallMilliseconds: 0, ageClock: 7_000_000_000, boot: BootID("a")), Int64(2_000)),
    (HitTime(wallMilliseconds: 2_000_000_000_000, ageClock: 6_000_000_000, boot: BootID("a")), 1_000),
    (HitTime(wallMilliseconds: 1_800_000_000_000 - 600_000, ageClock: 1, boot: BootID("b")), 0),
    (HitTime(wallMilliseconds: 1_800_000_007_000, ageClock: 1, boot: BootID("b")), 7_000),
    (HitTime(wallMilliseconds: .max, ageClock: 1, boot: BootID("b")), 1 << 53 - 1),
  ]
  private let id = HitID("017a8506-518f-7abc-8def-0123456789ab")

  private func time(wall: Int64, age: UInt64 = 0, boot: BootID? = nil) -> HitTime {
    HitTime(wallMilliseconds: wall, ageClock: age, boot: boot ?? self.boot)
  }

  private func hit(_ content: String, sequence: Int64 = 7, created: HitTime, isClockSuspect: Bool = false) throws
    -> QueuedHit
  {
    QueuedHit(
      id: try #require(id), sequence: sequence, created: created, isClockSuspect: isClockSuspect,
      body: [QueuedHit.formMark] + Array(content.utf8))
  }

  private func context(_ now: HitTime) -> EncodingContext {
    EncodingContext(now: now, endpoint: "https://collect.example", userAgent: "Tagworks/1.0.0")
  }

  @Test("HQ-614: the example line, byte for byte")
  func exampleLine() throws {
    let fields =
      "v=1&tid=UA-12345-1&cid=35009a79-1a05-49d7-b876-2b884d0f825b&t=event&aid=com.example.shop&an=Shop&av=1.0"
      + "&ds=app&ea=M%E1%BB%9F%20%26%20ch%E1%BA%A1y&ec=Tr%C3%B2%20ch%C6%A1i&el=50%25%20%F0%9F%91%8D&ul=vi-vn"
    let hit = try hit(fields, created: time(wall: 1_625_729_421_711, age: 5_000_000_000))
    let request = try mp1.encode([hit], context(time(wall: 0, age: 125_043_000_000)))
    let line =
      fields + "&_s=7&_v=tw1.0.0&ht=1625729421711&qt=120043&z=017a8506-518f-7abc-8def-0123456789ab"
    #expect(String(decoding: request.body, as: UTF8.self) == line)
    #expect(request.body.count == 284)
    #expect(CRC32.checksum(request.body) == 0x1e6c_5287)
  }

  @Test("HQ-610: one hit is a form for /collect, more are lines for /batch")
  func requests() throws {
    let now = time(wall: 1_800_000_000_000)
    let hits = [try hit("v=1&t=event", sequence: 1, created: now), try hit("v=1&t=timing", sequence: 2, created: now)]
    let single = try mp1.encode(hits[..<1], context(now))
    #expect(single.method == "POST")
    #expect(single.url == "https://collect.example/collect")
    #expect(single.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(single.headers["User-Agent"] == "Tagworks/1.0.0")
    let batch = try mp1.encode(hits[...], context(now))
    #expect(batch.url == "https://collect.example/batch")
    #expect(batch.headers["Content-Type"] == "text/plain")
    let lines = String(decoding: batch.body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.map { $0.prefix { $0 != "_" } } == ["v=1&t=event&", "v=1&t=timing&"])
  }

  @Test("HQ-602: nothing is compressed towards Measurement Protocol v1")
  func compression() throws {
    let now = time(wall: 1_800_000_000_000)
    let long = try hit("v=1&ec=" + String(repeating: "a", count: 4000), created: now)
    #expect(try mp1.encode([long], context(now)).gzip == false)
  }

  @Test("HQ-612: no time goes on the wire that nobody can know, and the age is then 0")
  func suspectClock() throws {
    let created = time(wall: 1_000, age: 1_000_000_000)
    let hit = try hit("v=1", created: created, isClockSuspect: true)
    let text = { (now: HitTime) in
      String(decoding: try mp1.encode([hit], context(now)).body, as: UTF8.self)
    }
    let otherBoot = try text(time(wall: 1_800_000_000_000, boot: BootID("other")))
    #expect(otherBoot.contains("&_v=tw1.0.0&qt=0&z="))
    let sameBoot = try text(time(wall: 1_800_000_000_000, age: 3_000_000_000))
    #expect(sameBoot.contains("&ht=1000&qt=2000&z="))
  }

  @Test(
    "HQ-500: the age follows the age clock in one boot, the wall clock across boots, and is never negative",
    arguments: ages)
  func age(now: HitTime, age: Int64) throws {
    let created = time(wall: 1_800_000_000_000, age: 5_000_000_000, boot: BootID("a"))
    #expect(try hit("v=1", created: created).age(at: now) == age)
  }

  @Test(
    "HQ-138: the longest size is that of the longest sequence, time and age, with the mark of a consent that is gone")
  func longestSize() throws {
    let created = HitTime(wallMilliseconds: 253_402_300_799_999, ageClock: 0, boot: boot)
    let hit = try hit("v=1", sequence: .max, created: created)
    let now = HitTime(wallMilliseconds: .max, ageClock: .max, boot: BootID("b"))
    var denied = context(now)
    denied.consent[.adPersonalization] = .denied
    let encoded = try mp1.encode([hit], denied).body.count
    #expect(mp1.size(of: hit, at: nil) == encoded)
    #expect(mp1.size(of: hit, at: now) == encoded)
  }

  @Test(
    "HQ-224, HQ-612: npa=1 stands in its place among the fields when personalisation is not granted then and now",
    arguments: [
      ("v=1&tid=p&cid=c&t=event&ec=a&ni=1&sr=b", "v=1&tid=p&cid=c&t=event&ec=a&ni=1&npa=1&sr=b"),
      ("v=1&tid=p&cid=c&uid=u&t=event&sr=b", "v=1&tid=p&cid=c&uid=u&t=event&npa=1&sr=b"),
      ("v=1&tid=p&cid=c&t=event&ec=a", "v=1&tid=p&cid=c&t=event&ec=a&npa=1"),
      ("v=1&tid=p&cid=c&t=event&ec=a&npa=1", "v=1&tid=p&cid=c&t=event&ec=a&npa=1"),
    ])
  func personalization(stored: String, sent: String) throws {
    let now = time(wall: 1_800_000_000_000)
    let line = { (made: ConsentState, said: ConsentState) in
      var consent = ConsentSnapshot.granted
      consent[.adPersonalization] = made
      var context = self.context(now)
      context.consent[.adPersonalization] = said
      let hit = QueuedHit(
        id: HitID(), sequence: 1, created: now, consent: consent, body: [QueuedHit.formMark] + Array(stored.utf8))
      let body = try self.mp1.encode([hit], context).body
      return String(decoding: body, as: UTF8.self).components(separatedBy: "&_s=")[0]
    }
    #expect(try line(.granted, .granted) == stored)
    for (made, said) in [(ConsentState.denied, .granted), (.pending, .granted), (.granted, .denied)]
      as [(ConsentState, ConsentState)]
    {
      #expect(try line(made, said) == sent)
    }
  }

  @Test(
    "HQ-428: each status has its verdict",
    arguments: [
      (200, Verdict.settled()), (204, .settled()), (301, .park(.redirect, .seconds(3600))),
      (400, .isolate), (422, .isolate), (418, .isolate), (401, .park(.auth, .seconds(900))),
      (403, .park(.auth, .seconds(900))), (407, .park(.auth, .seconds(900))),
      (404, .park(.endpoint, .seconds(3600))), (405, .park(.endpoint, .seconds(3600))),
      (410, .park(.endpoint, .seconds(3600))), (501, .park(.endpoint, .seconds(3600))),
      (505, .park(.endpoint, .seconds(3600))), (408, .retry(after: nil)), (425, .retry(after: nil)),
      (429, .retry(after: nil)), (413, .shrink), (414, .shrink), (431, .shrink), (415, .withoutGzip),
      (500, .retry(after: nil)), (503, .retry(after: nil)), (507, .retry(after: nil)), (100, .retry(after: nil)),
    ])
  func verdicts(status: Int, verdict: Verdict) {
    #expect(mp1.verdict(HTTPResponse(status: status), for: []) == verdict)
  }

  @Test(
    "HQ-434: Retry-After is read as seconds or as a date against the answer's own, within 1 s and 24 h",
    arguments: [
      ("7", Duration.seconds(7)), ("0", .seconds(1)), ("9999999", .seconds(86_400)),
      ("99999999999999999999999", .seconds(86_400)), ("soon", nil), ("-1", nil),
      ("Sun, 06 Nov 1994 08:49:44 GMT", .seconds(7)), ("Sunday, 06-Nov-94 08:49:44 GMT", .seconds(7)),
      ("Sun Nov  6 08:49:44 1994", .seconds(7)), ("Sun, 06 Nov 1994 08:00:00 GMT", .seconds(1)),
    ])
  func retryAfter(text: String, wait: Duration?) {
    let response = HTTPResponse(status: 503, headers: ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(mp1.verdict(response, for: []) == .retry(after: wait))
  }
}
