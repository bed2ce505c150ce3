import Foundation
import Hits
import Testing

@testable import WebTags

@Suite("WT-306: the table of the page's life") struct PageMachineTests {
  @Test("idle: a start with open gates opens a host, loads and waits for the load")
  func start() {
    var bench = MachineBench()
    bench.send(.start)
    #expect(bench.state == .loading)
    #expect(bench.actions.contains(.openHost(1)) && bench.due(.open) == 15_000 && bench.loads.isEmpty)
    bench.send(.hostOpened(1))
    #expect(bench.loads.map(\.id.rawValue) == [1] && bench.due(.load) == 30_000 && bench.due(.open) == nil)
  }

  @Test(
    "idle: a closed gate keeps the page from loading and says which; opening it loads",
    arguments: [
      (PageMachine.Gates(network: .offline), IdleReason.offline), (.init(network: .wifiOnly), .wifiOnly),
      (.init(network: .battery), .battery), (.init(isDisabled: true), .disabled), (.init(consent: .waiting), .consent),
      (.init(consent: .none), .consent),
    ])
  func gates(gates: PageMachine.Gates, reason: IdleReason) {
    var bench = MachineBench()
    bench.send(.gates(gates))
    bench.send(.start)
    #expect(bench.state == .idle(reason))
    bench.track()
    #expect(bench.state == .idle(reason) && bench.host == nil)
    bench.send(.gates(.init()))
    #expect(bench.state == .loading)
  }

  @Test("WT-467: with pageBeforeConsent the page loads; after a decline it loads for consent events alone")
  func consentGate() {
    var before = MachineBench()
    before.send(.gates(.init(consent: .waiting, pageBeforeConsent: true)))
    before.send(.start)
    #expect(before.state == .loading)
    var declined = MachineBench()
    declined.send(.gates(.init(consent: .none)))
    declined.send(.start)
    declined.track()
    #expect(declined.state == .idle(.consent))
    let decline = declined.track(title: "decline_consent")
    declined.finishLoading()
    #expect(declined.calls.map(\.events) == [decline])
  }

  @Test("any live: a closed gate stops deliveries after the call under way; the page stays")
  func gateCloses() {
    var bench = MachineBench()
    bench.makeReady()
    let first = bench.track()
    let second = bench.track()
    bench.send(.gates(.init(network: .offline)))
    #expect(bench.state == .ready && bench.waits.map(\.reason) == [.offline])
    bench.answer()
    #expect(bench.delivered == first && bench.calls.count == 1)
    bench.send(.gates(.init()))
    bench.answer()
    #expect(bench.delivered == first + second && bench.loads.count == 1)
  }

  @Test("any live: switched off, the host closes; on again, it comes back without a restart (peer bug 32)")
  func disabled() {
    var bench = MachineBench()
    bench.makeReady()
    bench.send(.gates(.init(isDisabled: true)))
    #expect(bench.state == .idle(.disabled) && bench.actions.contains(.closeHost(1)))
    bench.send(.gates(.init()))
    #expect(bench.state == .loading && bench.host == 2)
  }

  @Test(
    "WT-303: loading fails with a status, an error, a redirect to another host or another document",
    arguments: [
      (PageEvent.Kind.response(status: 404, mime: nil, url: MachineBench.url), PageFailure.Code.httpStatus),
      (.response(status: 500, mime: nil, url: MachineBench.url), .httpStatus),
      (.failed(PageHostError(.loadFailed, "refused")), .loadFailed), (.failed(PageHostError(.tls, "")), .tls),
      (.failed(PageHostError(.blocked, "")), .blocked), (.redirected(url: "https://evil.example/"), .blocked),
      (.redirected(url: "about:blank"), .blocked), (.finished(url: "about:blank"), .unexpectedDocument),
      (.finished(url: "https://tags.example/other"), .unexpectedDocument),
      (.finished(url: MachineBench.url), .unexpectedDocument),
    ])
  func loadFails(kind: PageEvent.Kind, code: PageFailure.Code) throws {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    let events = bench.track()
    let id = try #require(bench.load)
    bench.send(.navigating(id, url: MachineBench.url, isText: false))
    bench.page(kind)
    guard case .failed(let failure, 1) = bench.state else {
      Issue.record("\(bench.state)")
      return
    }
    #expect(failure.code == code)
    #expect(bench.actions.contains(.stopLoad(id)) && bench.due(.load) == nil)
    #expect((800...1200).contains(bench.due(.backOff) ?? 0))
    #expect(bench.machine.queue.waiting.map(\.summary.id) == events && bench.outcomes.isEmpty)
    #expect(bench.waits.map(\.reason) == [.pageNotReady, .pageFailed])
  }

  @Test("WT-303: an allowed redirect and a URL in another spelling are the expected document (peer bug 48)")
  func redirect() throws {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    bench.send(.navigating(try #require(bench.load), url: MachineBench.url, isText: false))
    bench.page(.redirected(url: "https://tags.example/new%7E"))
    bench.page(.response(status: 200, mime: "text/html", url: "https://tags.example/new~"))
    bench.page(.finished(url: "https://TAGS.example:443/new~#top"))
    #expect(bench.state == .loaded)
  }

  @Test("WT-304: no end of the load in 30 s is a failure (peer bug 29)")
  func loadTimeout() {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    bench.pass(29_999)
    #expect(bench.state == .loading)
    bench.pass(1)
    #expect(bench.state == .failed(PageFailure(.timeout, "the page did not load in time"), attempt: 1))
  }

  @Test("WT-301: the probe is asked every 100 ms for 2 s, then every 500 ms")
  func probing() throws {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    bench.finishDocument()
    let id = try #require(bench.load)
    #expect(bench.state == .loaded && bench.actions.contains(.probe(id)))
    var pauses: [Int64] = []
    while bench.now.age - (bench.machine.load?.loadedAt ?? 0) < 3_500 {
      bench.send(.probed(id, .notYet))
      let pause = try #require(bench.due(.probe))
      pauses.append(pause)
      bench.pass(pause)
    }
    #expect(pauses == Array(repeating: 100, count: 20) + [500, 500, 500])
    bench.send(.probed(id, .ready))
    #expect(bench.state == .ready && bench.due(.probe) == nil && bench.due(.probeLimit) == nil)
  }

  @Test("WT-302: not ready in 10 s is a failure that names the scripts that did not load (peer bug 67)")
  func notReady() throws {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    let events = bench.track()
    bench.finishDocument()
    bench.page(.resourceFailed(url: "https://vendor.example/a.js", reason: "404"))
    bench.send(.probed(try #require(bench.load), .notYet))
    bench.pass(10_000)
    let message = "the tags were not ready in time; these did not load: https://vendor.example/a.js"
    #expect(bench.state == .failed(PageFailure(.notReady, message), attempt: 1))
    #expect(bench.machine.queue.waiting.map(\.summary.id) == events)
  }

  @Test("ready: one batch is in flight at a time, and order is kept")
  func order() {
    var bench = MachineBench()
    let early = bench.track(3)
    bench.makeReady()
    let late = bench.track(12)
    #expect(bench.calls.map(\.events) == [early])
    bench.answerAll()
    #expect(bench.calls.map(\.events.count) == [3, 10, 2] && bench.delivered == early + late)
  }

  @Test("ready: a new session, a changed page and a reload make it stale; only a wanted page loads at once")
  func stale() {
    for (input, reason) in [(PageMachine.Input.sessionChanged, StaleReason.newSession), (.pageChanged, .pageChanged)] {
      var bench = MachineBench()
      bench.makeReady()
      bench.send(input)
      #expect(bench.state == .stale(reason) && bench.loads.count == 1)
      bench.send(input)
      let event = bench.track()
      #expect(bench.state == .loading && bench.loads.count == 2)
      #expect(bench.actions.contains(.load(LoadID(rawValue: 2), drains: true)))
      bench.finishLoading()
      #expect(bench.calls.map(\.events) == [event])
    }
    var bench = MachineBench()
    bench.makeReady()
    bench.send(.reload(waiter: 7))
    #expect(bench.state == .loading)
    bench.finishLoading()
    #expect(bench.actions.contains(.loadEnded(waiters: [7])))
  }

  @Test("stale: the call in flight is finished first")
  func staleWithCall() {
    var bench = MachineBench()
    bench.makeReady()
    let first = bench.track()
    bench.send(.sessionChanged)
    let second = bench.track()
    #expect(bench.state == .stale(.newSession) && bench.loads.count == 1)
    bench.answer()
    #expect(bench.state == .loading && bench.delivered == first)
    bench.finishLoading()
    bench.answer()
    #expect(bench.delivered == first + second)
  }

  @Test("ready: after a day the page is loaded again before the next event")
  func age() {
    var bench = MachineBench()
    bench.makeReady()
    bench.sleep(86_400_000)
    bench.track()
    #expect(bench.states.suffix(2) == [.stale(.age), .loading])
  }

  @Test("WT-305: reasons to load during a load add nothing, and all who wait get the same answer")
  func merged() {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.reload(waiter: 1))
    bench.send(.hostOpened(1))
    bench.send(.reload(waiter: 2))
    bench.send(.sessionChanged)
    #expect(bench.loads.count == 1)
    bench.page(.failed(PageHostError(.loadFailed, "")))
    #expect(bench.actions.contains(.loadEnded(waiters: [1, 2])))
  }

  @Test("failed: an event only waits; the back-off ends in a load")
  func failedEvent() {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    bench.page(.failed(PageHostError(.loadFailed, "")))
    bench.track()
    #expect(bench.loads.count == 1)
    bench.pass(1_200)
    #expect(bench.state == .loading && bench.loads.count == 2)
  }

  @Test("WT-310: the back-off doubles from 1 s to 300 s with a fifth of jitter, and starts again after 60 s of ready")
  func backOff() {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    for attempt in 0..<12 {
      bench.page(.failed(PageHostError(.loadFailed, "")))
      let expected = min(Int64(1_000) << Int64(attempt), 300_000)
      let delay = bench.due(.backOff) ?? 0
      #expect(abs(delay - expected) <= expected / 5, "attempt \(attempt)")
      bench.pass(delay)
    }
    bench.finishLoading()
    bench.pass(60_000)
    bench.send(.pong(bench.machine.ping?.id ?? 0))
    bench.send(.reload(waiter: nil))
    bench.page(.failed(PageHostError(.loadFailed, "")))
    #expect((800...1200).contains(bench.due(.backOff) ?? 0))
  }

  @Test(
    "failed: network, wake and settings load before the back-off ends, not more often than every 5 s",
    arguments: [PageMachine.RetryCause.connectivity, .wake, .settings])
  func retry(cause: PageMachine.RetryCause) {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    for _ in 1...6 {
      bench.page(.failed(PageHostError(.loadFailed, "")))
      bench.pass(bench.due(.backOff) ?? 0)
    }
    bench.page(.failed(PageHostError(.loadFailed, "")))
    let loads = bench.loads.count
    bench.send(.retry(cause))
    #expect(bench.loads.count == loads && bench.due(.backOff) == 5_000)
    bench.pass(5_000)
    #expect(bench.loads.count == loads + 1)
    bench.page(.failed(PageHostError(.loadFailed, "")))
    bench.pass(5_000)
    bench.send(.retry(cause))
    #expect(bench.loads.count == loads + 2)
  }

  @Test("failed: a closed gate at the end of the back-off is idle, and loads when it opens")
  func gateDuringBackOff() {
    var bench = MachineBench()
    bench.send(.start)
    bench.send(.hostOpened(1))
    bench.page(.failed(PageHostError(.loadFailed, "")))
    bench.send(.gates(.init(network: .offline)))
    bench.pass(2_000)
    #expect(bench.state == .idle(.offline))
    bench.send(.gates(.init()))
    #expect(bench.state == .loading)
  }

  @Test("close: what waits is carried over, waiters are answered, the host closes, and nothing follows")
  func close() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(3)
    bench.send(.reload(waiter: 1))
    bench.send(.close(erases: false))
    #expect(bench.state == .closed && bench.actions.contains(.closeHost(1)))
    #expect(bench.actions.contains(.loadEnded(waiters: [1])))
    #expect(bench.outcomes.map(\.id) == events && bench.outcomes.allSatisfy { $0.outcome == .carriedOver })
    #expect(bench.timers.isEmpty)
    bench.send(.start)
    bench.send(.hostOpened(1))
    #expect(bench.actions.isEmpty)
    bench.track()
    #expect(bench.outcomes.last?.outcome == .dropped(.instanceClosed))
    bench.send(.reload(waiter: 2))
    #expect(bench.actions == [.loadEnded(waiters: [2])])
  }

  @Test("WT-114: erased, what waits is dropped as erased")
  func erase() {
    var bench = MachineBench()
    let events = bench.track(2)
    bench.send(.close(erases: true))
    #expect(bench.outcomes.map(\.id) == events && bench.outcomes.allSatisfy { $0.outcome == .dropped(.erased) })
  }

  @Test("WT-315: a reload without a start is answered, and the events wait (peer bug 51)")
  func reloadWithoutStart() {
    var bench = MachineBench()
    bench.track()
    bench.send(.reload(waiter: 3))
    #expect(bench.actions.contains(.loadEnded(waiters: [3])))
    #expect(bench.machine.queue.count == 1 && bench.outcomes.isEmpty)
  }

  @Test(
    "WT-315: a reload that a closed gate keeps from loading is answered, whatever became of the page before",
    arguments: [
      PageMachine.Input.gates(.init(network: .offline)), .gates(.init(consent: .waiting)), .suspend,
    ])
  func reloadBehindGate(closing: PageMachine.Input) {
    let pages: [(inout MachineBench) -> Void] = [
      { _ in },
      { $0.page(.failed(PageHostError(.loadFailed, ""))) },
      { $0.page(.processTerminated(.crash)) },
    ]
    for page in pages {
      var bench = MachineBench()
      bench.makeReady()
      bench.send(.reload(waiter: nil))
      page(&bench)
      if bench.state == .loading { bench.finishLoading() }
      bench.send(closing)
      let loads = bench.loads.count
      bench.send(.reload(waiter: 4))
      #expect(bench.actions.contains(.loadEnded(waiters: [4])) && bench.loads.count == loads)
    }
  }

  @Test("WT-315: a gate that closes before the load begins answers those who wait for it")
  func gateBeforeLoad() {
    var stale = MachineBench()
    stale.makeReady()
    stale.track()
    stale.send(.reload(waiter: 5))
    #expect(stale.state == .stale(.requested))
    stale.send(.gates(.init(network: .offline)))
    #expect(stale.actions.contains(.loadEnded(waiters: [5])))
    var failed = MachineBench()
    failed.send(.start)
    failed.send(.hostOpened(1))
    failed.page(.failed(PageHostError(.loadFailed, "")))
    failed.send(.reload(waiter: 6))
    #expect(!failed.actions.contains(.loadEnded(waiters: [6])))
    failed.send(.suspend)
    #expect(failed.actions.contains(.loadEnded(waiters: [6])))
  }

  @Test("Inputs of an earlier host, load, call or timer change nothing")
  func strangers() {
    var bench = MachineBench()
    bench.makeReady()
    bench.track()
    let before = bench.machine
    for input: PageMachine.Input in [
      .hostOpened(9), .hostUnavailable(9, ""), .page(9, PageEvent(load: nil, .processTerminated(.crash))),
      .loadFailed(LoadID(rawValue: 9), PageFailure(.timeout)), .probed(LoadID(rawValue: 9), .ready),
      .callEnded(9, .results([])), .pong(9), .timer(.load, serial: 1), .held(9, []),
      .result(.init(id: UUID(), outcome: .delivered(confirmed: true))),
      .page(1, PageEvent(load: LoadID(rawValue: 9), .failed(.superseded))),
    ] {
      bench.send(input)
      #expect(bench.actions.isEmpty, "\(input)")
      #expect(bench.state == before.state && bench.machine.call == before.call)
    }
  }
}
