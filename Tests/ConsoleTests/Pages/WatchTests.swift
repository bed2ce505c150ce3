import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Watching") struct WatchTests {
  private func hit(_ number: UInt64, received: Int64, age: Int64 = 0, kind: String = "event") -> IntakeHit {
    IntakeHit(
      id: HitID(high: 1, low: number), property: "UA-1-1", kind: kind, occurred: received - age, received: received,
      source: .collect, body: Array("v=1&t=\(kind)&ec=a&ea=b&av=1.2".utf8))
  }

  @Test("CO-701: counts by the minute tell accepted, duplicate, rejected and late")
  func counts() {
    let watch = HitWatch()
    let start: Int64 = 1_800_000_000_000
    watch.take([.accepted(hit(1, received: start))])
    watch.take([.accepted(hit(2, received: start + 1, age: 60_001))])
    watch.take([.duplicate(hit(1, received: start + 2))])
    watch.take([.rejected(RejectedHit(code: .tooOld, received: start + 60_000, raw: []))])
    let hour = watch.lastHour(at: start + 120_000)
    #expect(hour.count == 60)
    #expect(
      hour.suffix(3).map { [$0.accepted, $0.duplicate, $0.rejected, $0.late] } == [
        [2, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0],
      ])
    #expect(watch.lastHour(at: start + 3_600_000).first?.total == 1)
    let chart = MinuteChart(minutes: hour)
    #expect(
      chart.sentence.hasPrefix("Last hour: 2 accepted, 1 duplicate, 1 rejected, 1 late (more than a minute old)."))
    #expect(String(decoding: chart.svg, as: UTF8.self).matches(of: /<rect/).count == 3)
  }

  @Test("CO-701: hits are found by property, type, result and app version, the newest first, within bounds")
  func filter() {
    let watch = HitWatch()
    for number in 1...5000 {
      watch.take([
        .accepted(hit(UInt64(number), received: Int64(number), kind: number % 2 == 0 ? "event" : "screenview"))
      ])
    }
    let filter = HitFilter(TypedFields(["kind": "screenview", "version": "1.2", "property": "UA-1-1"]))
    #expect(watch.entries(limit: 2, where: filter.holds).map(\.number) == [4999, 4997])
    #expect(watch.entries(after: 4998, limit: 9, where: { _ in true }).map(\.number) == [5000, 4999])
    #expect(watch.entries(limit: .max, where: { _ in true }).count <= HitWatch.most + 500)
    let none = HitFilter(TypedFields(["version": "2"]))
    #expect(watch.entries(limit: 9, where: none.holds).isEmpty)
  }

  @Test("CO-502: who waits for a change is woken by it, by the end of the time, or when the server stops")
  func signal() async {
    let clock = ManualClock()
    let signal = ChangeSignal()
    let count = signal.count
    async let woken: Void = signal.wait(past: count, atMost: .seconds(20), by: clock)
    await clock.waitForSleepers()
    signal.signal()
    await woken
    async let late: Void = signal.wait(past: signal.count, atMost: .seconds(20), by: clock)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(20))
    await late
    // What has changed already is not waited for.
    await signal.wait(past: count, atMost: .seconds(20), by: clock)
    signal.close()
    await signal.wait(past: .max, atMost: .seconds(20), by: clock)
  }

  @Test("CO-502: events are lines of data with their ids, whatever is in them")
  func events() {
    let response = EventStream.response([EventStream.Event(id: "7", data: "a\nb\r\nc\rd")])
    #expect(response.text == "retry: 250\n\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n")
    #expect(response.headers["Content-Type"] == "text/event-stream")
  }

  @Test("CO-502: the live view's request waits for the app's next outcome")
  func live() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    let token = PreviewToken(
      id: "p", digest: SecretDigest(of: "p"), container: "GTM-SHOP", version: nil, created: Authorship(.server, at: 1),
      expires: .max)
    _ = fixture.context.traces.add([Array(#"{"event":"first"}"#.utf8)], to: "s1", of: token, at: 1)
    async let answer = browser.get("/containers/GTM-SHOP/live/events?session=s1&after=1")
    await fixture.clock.waitForSleepers()
    _ = fixture.context.traces.add([Array(#"{"event":"second"}"#.utf8)], to: "s1", of: token, at: 2)
    let text = await answer.text
    #expect(text.contains("id: 2\n"))
    #expect(text.contains("second") && !text.contains("first"))
  }
}
