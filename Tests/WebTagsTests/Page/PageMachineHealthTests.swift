import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct PageMachineHealthTests {
  @Test("WT-313: a ping every 60 s while ready; an answer is the end of it")
  func heartbeat() {
    var bench = MachineBench()
    bench.makeReady()
    bench.pass(60_000)
    #expect(bench.actions.contains(.ping(1)) && bench.due(.ping) == 10_000)
    bench.send(.pong(1))
    #expect(bench.due(.ping) == nil && bench.due(.heartbeat) == 60_000 && bench.state == .ready)
  }

  @Test("WT-313, WT-314: a call without an answer is pinged after 5 s; silence for 10 s ends the process (peer bug 68)")
  func endlessLoop() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(3)
    bench.pass(5_000)
    #expect(bench.actions.contains(.ping(1)))
    bench.pass(10_000)
    #expect(bench.state == .unresponsive && bench.actions.contains(.terminate))
    bench.page(.processTerminated(.api))
    #expect(bench.state == .crashed(attempt: 1) && bench.deaths == [events[0]: 1])
    #expect(bench.waits.map(\.reason) == [.pageFailed, .pageFailed, .pageFailed])
    bench.pass(1_200)
    bench.finishLoading()
    #expect(bench.calls.last?.events == [events[0]])
    bench.pass(15_000)
    bench.page(.processTerminated(.api))
    #expect(bench.outcomes.map(\.id) == [events[0]])
    #expect(
      bench.outcomes[0].outcome == .failed(FailureReason(.pageCrashed, "the page ended twice with this event")))
    bench.pass(2_400)
    bench.finishLoading()
    bench.answerAll()
    #expect(bench.delivered == [events[1], events[2]])
  }

  @Test("unresponsive: a process that does not end is left with its host, and a new host is made")
  func abandoned() {
    var bench = MachineBench()
    bench.makeReady()
    bench.track()
    bench.pass(15_000)
    #expect(bench.state == .unresponsive)
    bench.pass(5_000)
    #expect(bench.state == .crashed(attempt: 1) && bench.actions.contains(.discardHost(1)) && bench.host == nil)
    bench.pass(1_200)
    #expect(bench.host == 2)
  }

  @Test("WT-424: no result within the limit while pings are answered is no_result")
  func noResult() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track()
    bench.pass(5_000)
    bench.send(.pong(1))
    bench.pass(5_000)
    #expect(bench.machine.ping?.id == 2)
    bench.send(.pong(2))
    #expect(bench.outcomes.map(\.id) == events)
    #expect(bench.outcomes.first?.outcome == .failed(FailureReason(.noResult, "the page gave no result")))
    #expect(bench.state == .ready && bench.machine.call == nil)
  }

  @Test("WT-424: the host's own time limit is the same")
  func hostTimeout() {
    var bench = MachineBench()
    bench.makeReady()
    bench.track()
    bench.send(.callEnded(bench.call, .failed(PageHostError(.timeout, ""))))
    #expect(bench.outcomes.isEmpty && bench.actions.contains(.ping(1)))
    bench.send(.pong(1))
    #expect(bench.outcomes.first?.outcome == .failed(FailureReason(.noResult, "the page gave no result")))
  }

  @Test(
    "WT-314: a death in flight delivers again, once, in order, one by one (peer bugs 41, 50)",
    arguments: [TerminationReason.crash, .memory, .api, .helper])
  func crash(reason: TerminationReason) {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(3)
    bench.send(.callEnded(bench.call, .failed(.processTerminated(reason))))
    bench.page(.processTerminated(reason))
    #expect(bench.state == .crashed(attempt: 1) && bench.outcomes.isEmpty)
    bench.pass(1_200)
    #expect(bench.host == (reason == .helper ? 2 : 1))
    bench.finishLoading()
    bench.answerAll()
    #expect(bench.delivered == events && bench.calls.map(\.events.count) == [3, 1, 1, 1])
  }

  @Test("WT-314: after a death, calls carry one event until ten have passed")
  func solo() {
    var bench = MachineBench()
    bench.makeReady()
    bench.track(20)
    bench.page(.processTerminated(.crash))
    bench.pass(1_200)
    bench.finishLoading()
    bench.answerAll()
    #expect(bench.calls.map(\.events.count) == [10] + Array(repeating: 1, count: 10) + [10])
  }

  @Test("WT-314, 1222: what the page had called its tags for is not suspect, and is delivered again unless confirmed")
  func returned() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(3)
    bench.send(.result(.init(id: events[0], outcome: .delivered(confirmed: true))))
    bench.send(.result(.init(id: events[1], outcome: .delivered(confirmed: false), isFinal: false)))
    bench.page(.processTerminated(.crash))
    #expect(bench.outcomes.map(\.id) == [events[0]])
    #expect(bench.deaths == [events[2]: 1])
    bench.pass(1_200)
    bench.finishLoading()
    bench.answerAll()
    #expect(bench.delivered == events)
  }

  @Test("WT-314: a page that dies twice after it called all tags of a call ends the first of its events")
  func allReturned() {
    var bench = MachineBench()
    bench.makeReady()
    let event = bench.track(1)[0]
    for _ in 1...2 {
      bench.send(.result(.init(id: event, outcome: .delivered(confirmed: false), isFinal: false)))
      bench.page(.processTerminated(.crash))
      bench.pass(2_400)
      bench.finishLoading()
    }
    #expect(bench.outcomes.map(\.id) == [event])
    let reason = FailureReason(.pageCrashed, "the page ended twice with this event")
    #expect(bench.outcomes.map(\.outcome) == [.failed(reason)])
  }

  @Test("WT-424: an event is settled by whichever comes first, once")
  func confirmed() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track(2)
    bench.send(.result(.init(id: events[0], outcome: .delivered(confirmed: true))))
    bench.send(.result(.init(id: events[0], outcome: .failed(FailureReason(.script)))))
    bench.send(
      .callEnded(
        bench.call,
        .results([
          .init(id: events[1], outcome: .failed(FailureReason(.script, "TypeError"))),
          .init(id: events[0], outcome: .failed(FailureReason(.script))),
        ])))
    #expect(bench.outcomes.map(\.id) == events)
    #expect(
      bench.outcomes.map(\.outcome) == [.delivered(confirmed: true), .failed(FailureReason(.script, "TypeError"))])
  }

  @Test("WT-311: three deaths in five minutes are a loop: one try in 15 minutes, until reload or 30 quiet minutes")
  func crashLoop() {
    var bench = MachineBench()
    bench.makeReady()
    for death in 1...3 {
      bench.page(.processTerminated(.crash))
      if death < 3 {
        bench.pass(bench.due(.backOff) ?? 0)
        bench.finishLoading()
      }
    }
    guard case .failed(let failure, _) = bench.state else {
      Issue.record("\(bench.state)")
      return
    }
    #expect(failure.code == .crashLoop && bench.due(.backOff) == 900_000)
    bench.send(.retry(.wake))
    #expect(bench.due(.backOff) == 900_000)
    bench.pass(900_000)
    bench.finishLoading()
    bench.page(.processTerminated(.crash))
    #expect(bench.due(.backOff) == 900_000)
    var forgiven = bench
    forgiven.send(.reload(waiter: nil))
    forgiven.pass(5_000)
    forgiven.finishLoading()
    forgiven.page(.processTerminated(.crash))
    #expect((800...1200).contains(forgiven.due(.backOff) ?? 0))
    bench.pass(900_000)
    bench.finishLoading()
    bench.sleep(1_800_000)
    bench.page(.processTerminated(.crash))
    #expect((800...1200).contains(bench.due(.backOff) ?? 0))
  }

  @Test("WT-312: an engine that cannot start is tried three times, then events wait or end (peer bug 27)")
  func noEngine() {
    for drops in [false, true] {
      var bench = MachineBench { $0.dropsWithoutEngine = drops }
      let events = bench.track(2)
      bench.send(.start)
      bench.send(.hostUnavailable(1, "install libgl1-mesa-dri"))
      #expect(bench.due(.backOff) == 1_000)
      bench.pass(1_000)
      bench.send(.hostUnavailable(2, ""))
      #expect(bench.due(.backOff) == 5_000)
      bench.pass(5_000)
      bench.send(.hostUnavailable(3, ""))
      #expect(bench.state == .idle(.noEngine) && bench.host == nil)
      #expect(bench.outcomes.map(\.id) == (drops ? events : []))
      let late = bench.track()
      #expect(bench.state == .idle(.noEngine))
      #expect(bench.outcomes.map(\.id) == (drops ? events + late : []))
      #expect(bench.outcomes.allSatisfy { $0.outcome == .dropped(.noQueue) })
      bench.send(.reload(waiter: nil))
      #expect(bench.state == .loading)
    }
  }

  @Test("WT-304: an engine that does not start in 15 s counts as unavailable")
  func openTimeout() {
    var bench = MachineBench()
    bench.send(.start)
    bench.pass(15_000)
    #expect(bench.actions.contains(.closeHost(1)))
    #expect(bench.state == .failed(PageFailure(.engineUnavailable, "the engine did not start in time"), attempt: 1))
  }

  @Test("WT-306: suspended, nothing leaves and nobody is pinged; resumed, a sign of life comes first")
  func suspension() {
    var bench = MachineBench()
    bench.makeReady()
    bench.send(.suspend)
    #expect(bench.actions.contains(.commit) && bench.due(.heartbeat) == nil)
    let events = bench.track()
    bench.pass(600_000)
    #expect(bench.calls.isEmpty && bench.state == .ready && bench.waits.map(\.reason) == [.suspended])
    bench.send(.resume)
    #expect(bench.actions.contains(.ping(1)) && bench.calls.isEmpty)
    bench.send(.pong(1))
    #expect(bench.calls.map(\.events) == [events])
  }

  @Test("WT-313: a ping that comes due far too late tells of a device that slept, not of a dead page")
  func slept() {
    var bench = MachineBench()
    bench.makeReady()
    bench.pass(60_000)
    bench.sleep(3_600_000)
    bench.pass(0)
    #expect(bench.state == .ready && bench.actions.contains(.ping(2)))
    bench.pass(10_000)
    #expect(bench.state == .unresponsive)
  }

  @Test("A page that lost its bridge is loaded again, and its events go to the new one")
  func lostBridge() {
    var bench = MachineBench()
    bench.makeReady()
    let events = bench.track()
    bench.send(.callEnded(bench.call, .failed(PageHostError(.notAFunction, "__tagworks.deliver is not a function"))))
    #expect(bench.state == .failed(PageFailure(.notReady, "__tagworks.deliver is not a function"), attempt: 1))
    bench.pass(1_200)
    bench.finishLoading()
    bench.answer()
    #expect(bench.delivered == events)
  }

  @Test("WT-440: a call that throws fails its events as script, one that is too long as encoding")
  func callErrors() {
    for (error, code) in [
      (PageHostError(.script, "boom"), FailureReason.Code.script),
      (PageHostError(.argumentTooLarge, "long"), .encoding),
    ] {
      var bench = MachineBench()
      bench.makeReady()
      bench.track()
      bench.send(.callEnded(bench.call, .failed(error)))
      #expect(bench.outcomes.map(\.outcome) == [.failed(FailureReason(code, error.message))])
      #expect(bench.state == .ready)
    }
  }
}
