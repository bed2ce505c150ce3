import Hits
import Testing

@testable import HitQueue

@Suite struct DispatchMachineTests {
  @Test("HQ-438 row 1, HQ-402: a hit arms the timer once, one interval ahead")
  func arming() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: [])
    #expect(bench.handle(.hitsChanged(DispatchBench.facts(1))) == [.alarm(at: 1_120 * DispatchBench.second)])
    bench.pass(seconds: 30)
    #expect(bench.handle(.hitsChanged(DispatchBench.facts(1, oldest: 2))) == [])
    var manual = DispatchBench(.manual, lanes: [])
    #expect(manual.handle(.hitsChanged(DispatchBench.facts(1))) == [])
  }

  @Test(
    "HQ-438 row 2, HQ-400, HQ-403: setting the interval arms it anew, below 1 turns it off, a day is the most",
    arguments: [
      (60.0, UInt64?(1_090)), (1, 1_031), (0.999, nil), (0, nil), (-1, nil), (1e9, 87_430), (-.infinity, nil),
    ])
  func intervals(seconds: Double, alarm: UInt64?) {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    bench.pass(seconds: 30)
    #expect(bench.handle(.intervalSet(seconds)) == [.alarm(at: alarm.map { $0 * DispatchBench.second })])
  }

  @Test(
    "HQ-405: a hit that would be late by the next pass brings it forward, to now at the most",
    arguments: [(UInt64(1_060), UInt64(1_060)), (900, 1_000), (5_000, 1_120)])
  func forward(leavesBy: UInt64, alarm: UInt64) {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: [])
    let facts = DispatchBench.facts(1, leavesBy: leavesBy * DispatchBench.second)
    #expect(bench.handle(.hitsChanged(facts)) == [.alarm(at: alarm * DispatchBench.second)])
  }

  @Test("HQ-400: an interval that is no number changes nothing")
  func noNumber() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    #expect(bench.handle(.intervalSet(.nan)) == [])
  }

  @Test("HQ-438 row 3: when the timer is due, a pass begins; hits that are left arm it again")
  func timer() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    bench.pass(seconds: 119)
    #expect(bench.handle(.alarm).contains(.scan) == false)
    bench.pass(seconds: 1)
    #expect(bench.handle(.alarm).contains(.scan))
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.failed(lane: 1, .timeout, isUncertain: true))
    // Half of five seconds: the lane comes back, and then waits for one interval.
    #expect(bench.handle(.released(lane: 1)) == [.alarm(at: 1_122_500_000_000)])
    bench.age = 1_122_500_000_000
    #expect(bench.handle(.alarm) == [.alarm(at: 1_242_500_000_000)])
  }

  @Test("HQ-438 rows 4, 7, 10, 13, HQ-404: a pass goes on batch after batch until no hit is left")
  func wholePass() {
    var bench = DispatchBench()
    #expect(bench.handle(.dispatchRequested) == [.scan])
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [claim(1)])
    #expect(bench.handle(.claimed(lane: 1, sequences: [1, 2])) == [.send(lane: 1)])
    // With the settlement comes the next claim, in one transaction, as long as nobody else has a say.
    let settlement = DispatchAction.settle(
      lane: 1, ClaimDecision(rest: LaneRest()), next: ClaimScope(hits: .max, sequences: nil))
    #expect(bench.handle(.answered(lane: 1, .settled())) == [settlement])
    #expect(bench.handle(.settledAndClaimed(lane: 1, sequences: [3])) == [.send(lane: 1)])
    #expect(bench.handle(.answered(lane: 1, .settled())) == [settlement])
    #expect(bench.handle(.settledAndClaimed(lane: 1, sequences: [])) == [])
    #expect(bench.machine.work == .idle)
  }

  @Test("HQ-435, HQ-404: a lane that waits for its turn in a pass gets it before the other goes on")
  func passOfThree() {
    var bench = DispatchBench()
    let lanes = (1...3).map { DispatchBench.facts(Int64($0), oldest: Int64($0)) }
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes(lanes)) == [claim(1), claim(2)])
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    #expect(
      bench.handle(.answered(lane: 1, .settled())) == [.settle(lane: 1, ClaimDecision(rest: LaneRest()))])
    #expect(bench.handle(.settled(lane: 1)) == [claim(1)])
  }

  @Test("HQ-402: a hit that comes while a settlement takes the next claim with it is not forgotten")
  func hitWhileSettling() {
    var bench = DispatchBench()
    bench.send([1])
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(!bench.machine.knowsHits(of: 1))
    _ = bench.handle(.hitsChanged(DispatchBench.facts(1, oldest: 2)))
    #expect(bench.handle(.settledAndClaimed(lane: 1, sequences: [])) == [claim(1)])
  }

  @Test("HQ-412: a drain makes request after request, and is told once, of all of them")
  func drain() {
    var bench = DispatchBench()
    let call = CallID(number: 1)
    #expect(bench.handle(.drain(call)) == [.scan])
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [1, 2]))
    #expect(
      bench.handle(.answered(lane: 1, .settled()))
        == [.settle(lane: 1, ClaimDecision(rest: LaneRest()), next: ClaimScope(hits: .max, sequences: nil))])
    #expect(bench.handle(.settledAndClaimed(lane: 1, sequences: [3])) == [.send(lane: 1)])
    _ = bench.handle(.answered(lane: 1, .settled()))
    // Nothing more in this lane: it looks at all lanes once more.
    #expect(bench.handle(.settledAndClaimed(lane: 1, sequences: [])) == [.scan])
    let report = DispatchReport(result: .noData, sent: 3, accepted: 3, reason: .empty)
    #expect(bench.handle(.lanes([DispatchBench.facts(1, oldest: nil)])) == [.complete(call, report)])
  }

  @Test("HQ-412, HQ-409: a call that comes during a drain has its turn, then the drain goes on")
  func callDuringDrain() {
    var bench = DispatchBench()
    _ = bench.handle(.drain(CallID(number: 1)))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    _ = bench.handle(.oneShot(CallID(number: 2)))
    // The claim that came with the settlement is not the call's: it chooses its lane itself.
    guard case .release(1, let decision)? = bench.handle(.settledAndClaimed(lane: 1, sequences: [2])).first else {
      Issue.record("the claim stays")
      return
    }
    #expect(decision.isUnsent)
    _ = bench.handle(.lanes([DispatchBench.facts(1, oldest: 2)]))
    #expect(bench.handle(.released(lane: 1)) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [2]))
    #expect(
      bench.handle(.answered(lane: 1, .settled())) == [.settle(lane: 1, ClaimDecision(rest: LaneRest()))])
    #expect(
      bench.handle(.settled(lane: 1)) == [
        .complete(CallID(number: 2), DispatchReport(result: .good, sent: 1, accepted: 1)), claim(1),
      ])
  }

  @Test("HQ-412: a drain that is cancelled ends with its request, and the claim that came with it is let go")
  func cancelledDrain() {
    var bench = DispatchBench()
    let call = CallID(number: 1)
    _ = bench.handle(.drain(call))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(bench.handle(.cancel(call)) == [])
    let actions = bench.handle(.settledAndClaimed(lane: 1, sequences: [2]))
    #expect(actions.first == .complete(call, DispatchReport(result: .good, sent: 1, accepted: 1)))
    #expect(actions.last == .release(lane: 1, ClaimDecision(isUnsent: true, rest: LaneRest())))
  }

  @Test("HQ-406: a pass that is asked for while one runs looks again at its end")
  func passAgain() {
    var bench = DispatchBench()
    bench.send([1])
    #expect(bench.handle(.dispatchRequested) == [])
    _ = bench.handle(.answered(lane: 1, .settled()))
    _ = bench.handle(.settled(lane: 1))
    #expect(bench.handle(.claimEmpty(lane: 1)) == [.scan])
  }

  @Test("HQ-414: at most two requests at a time, the lane with the oldest hit first")
  func requestLimit() {
    let lanes = [
      DispatchBench.facts(1, oldest: 9), DispatchBench.facts(2, oldest: 3), DispatchBench.facts(3, oldest: 5),
    ]
    var bench = DispatchBench(lanes: lanes)
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes(lanes)) == [claim(2), claim(3)])
    #expect(bench.handle(.claimEmpty(lane: 2)) == [claim(1)])
  }

  @Test("HQ-438 row 5, HQ-407, HQ-411: a call makes one request in the lane of the oldest hit, and turns the timer off")
  func oneShot() {
    let lanes = [DispatchBench.facts(1, oldest: 9), DispatchBench.facts(2, oldest: 3)]
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: lanes)
    let call = CallID(number: 1)
    #expect(bench.handle(.oneShot(call)) == [.scan, .alarm(at: nil)])
    #expect(bench.handle(.lanes(lanes)) == [claim(2)])
    #expect(bench.handle(.claimed(lane: 2, sequences: [3, 4])) == [.send(lane: 2)])
    _ = bench.handle(.answered(lane: 2, .settled()))
    #expect(
      bench.handle(.settled(lane: 2))
        == [.complete(call, DispatchReport(result: .good, sent: 2, accepted: 2))])
    bench.pass(seconds: 1_000)
    #expect(bench.handle(.hitsChanged(DispatchBench.facts(1))) == [])
    #expect(bench.handle(.intervalSet(120)) == [.alarm(at: 2_120 * DispatchBench.second)])
  }

  @Test("HQ-408: a call hears why nothing can be sent")
  func noData() {
    let cases: [([LaneFacts], DispatchReport.Reason)] = [
      ([], .empty), ([DispatchBench.facts(1, oldest: nil)], .empty),
      ([DispatchBench.facts(1, isKnown: false)], .noDestination),
      (
        [DispatchBench.facts(1, rest: LaneRest(failures: 1, until: 1_800_000_060_000, cause: LaneCause(.auth)))],
        .waiting
      ),
    ]
    for (lanes, reason) in cases {
      var bench = DispatchBench(lanes: lanes)
      _ = bench.handle(.oneShot(CallID(number: 1)))
      let wait: Duration? = reason == .waiting ? .seconds(60) : nil
      #expect(
        bench.handle(.lanes(lanes))
          == [.complete(CallID(number: 1), DispatchReport(result: .noData, reason: reason, nextEligible: wait))])
    }
  }

  @Test("HQ-438 row 6, HQ-413: while the gate is shut a call hears noData and its reason, and no pass begins")
  func gates() {
    let gates: [(DispatchEvent, DispatchReport)] = [
      (.online(false), DispatchReport(result: .noData, reason: .offline)),
      (.dryRun(true), DispatchReport(result: .noData, reason: .dryRun)),
      (.close, DispatchReport(result: .error, reason: .cancelled)),
    ]
    for (event, report) in gates {
      var bench = DispatchBench()
      _ = bench.handle(event)
      #expect(bench.handle(.dispatchRequested) == [])
      #expect(bench.handle(.oneShot(CallID(number: 1))) == [.complete(CallID(number: 1), report)])
    }
  }

  @Test("HQ-409: calls are served one after another, one request each, after the request of a pass")
  func callsInOrder() {
    var bench = DispatchBench()
    bench.send([1])
    let calls = (1...2).map(CallID.init(number:))
    #expect(calls.map { bench.handle(.oneShot($0)) } == [[], []])
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(bench.handle(.settled(lane: 1)) == [.scan])
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [2]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(
      bench.handle(.settled(lane: 1))
        == [.complete(calls[0], DispatchReport(result: .good, sent: 1, accepted: 1)), .scan])
    #expect(
      bench.handle(.lanes([DispatchBench.facts(1, oldest: nil)]))
        == [.complete(calls[1], DispatchReport(result: .noData, reason: .empty))])
  }

  @Test("HQ-438 row 8, HQ-321: a lane in another process's hands is tried each second, for half a minute")
  func busyLane() {
    var bench = DispatchBench()
    _ = bench.handle(.oneShot(CallID(number: 1)))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    for second in 1...30 {
      #expect(bench.handle(.lockBusy(lane: 1)) == [.alarm(at: UInt64(1_000 + second) * DispatchBench.second)])
      bench.pass(seconds: 1)
      #expect(bench.handle(.alarm).first == claim(1))
    }
    #expect(
      bench.handle(.lockBusy(lane: 1)).first
        == .complete(CallID(number: 1), DispatchReport(result: .noData, reason: .busy)))
  }

  @Test("HQ-438 row 14, HQ-341: a settlement that cannot be written is tried again, and nothing is claimed before")
  func unwrittenSettlement() {
    var bench = DispatchBench()
    _ = bench.handle(.oneShot(CallID(number: 1)))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(
      bench.handle(.settleFailed(lane: 1)) == [
        .complete(CallID(number: 1), DispatchReport(result: .error, reason: .store)),
        .alarm(at: 1_005 * DispatchBench.second),
      ])
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [])
    bench.pass(seconds: 5)
    #expect(bench.handle(.alarm).first == .settle(lane: 1, ClaimDecision(rest: LaneRest())))
    _ = bench.handle(.settled(lane: 1))
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])) == [claim(1)])
  }

  @Test("HQ-438 row 16: coming back online starts a pass within five seconds, when periodic")
  func online() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    bench.random = 3 * DispatchBench.second
    #expect(bench.handle(.online(false)) == [.alarm(at: nil)])
    #expect(bench.handle(.online(true)) == [.alarm(at: 1_003 * DispatchBench.second)])
    bench.pass(seconds: 3)
    #expect(bench.handle(.alarm).contains(.scan))
  }

  @Test("HQ-438 row 18: a call that is cancelled ends its request and hears so once the claim is off")
  func cancellation() throws {
    var bench = DispatchBench()
    let calls = (1...2).map(CallID.init(number:))
    for call in calls { _ = bench.handle(.oneShot(call)) }
    let cancelled = DispatchReport(result: .error, reason: .cancelled)
    #expect(bench.handle(.cancel(calls[1])) == [.complete(calls[1], cancelled)])
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    #expect(bench.handle(.cancel(calls[0])) == [.cancel(lane: 1)])
    #expect(
      bench.handle(.failed(lane: 1, .cancelled, isUncertain: true))
        == [.release(lane: 1, ClaimDecision(isUncertain: true, rest: LaneRest()))])
    #expect(
      bench.handle(.released(lane: 1))
        == [.complete(calls[0], DispatchReport(result: .error, sent: 1, reason: .cancelled))])
  }

  @Test("HQ-438 row 18: a call that is cancelled while its claim is on the way sends nothing")
  func cancellationBeforeSending() {
    var bench = DispatchBench()
    _ = bench.handle(.oneShot(CallID(number: 1)))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    #expect(bench.handle(.cancel(CallID(number: 1))) == [])
    #expect(
      bench.handle(.claimed(lane: 1, sequences: [1]))
        == [.release(lane: 1, ClaimDecision(isUnsent: true, rest: LaneRest()))])
    #expect(
      bench.handle(.released(lane: 1))
        == [.complete(CallID(number: 1), DispatchReport(result: .error, reason: .cancelled))])
  }

  @Test("HQ-438 row 17, HQ-230: an opt-out ends the request and all calls, each once, and has every hit deleted")
  func optOut() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    let calls = (1...3).map(CallID.init(number:))
    for call in calls.prefix(2) { _ = bench.handle(.oneShot(call)) }
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    let cancelled = DispatchReport(result: .error, reason: .cancelled)
    #expect(bench.handle(.optOut(true)) == [.complete(calls[1], cancelled), .cancel(lane: 1), .deleteAll])
    #expect(bench.handle(.optOut(true)) == [])
    _ = bench.handle(.failed(lane: 1, .cancelled, isUncertain: true))
    #expect(
      bench.handle(.released(lane: 1))
        == [.complete(calls[0], DispatchReport(result: .error, sent: 1, reason: .cancelled))])
    #expect(
      bench.handle(.oneShot(calls[2]))
        == [.complete(calls[2], DispatchReport(result: .noData, reason: .optedOut))])
    #expect(bench.handle(.intervalSet(60)) == [])
    #expect(bench.handle(.dispatchRequested) == [])
    #expect(bench.handle(.optOut(false)) == [])
    #expect(
      bench.handle(.hitsChanged(DispatchBench.facts(1, oldest: 2))) == [.alarm(at: 1_060 * DispatchBench.second)])
  }

  @Test("HQ-438 row 17: an opt-out in a pass ends all of its requests and the timer")
  func optOutInPass() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: [])
    _ = bench.handle(.hitsChanged(DispatchBench.facts(1)))
    _ = bench.handle(.dispatchRequested)
    _ = bench.handle(.lanes([DispatchBench.facts(1), DispatchBench.facts(2)]))
    for lane in [1, 2] as [Int64] { _ = bench.handle(.claimed(lane: lane, sequences: [lane])) }
    let actions = bench.handle(.optOut(true))
    #expect(actions.contains(.cancel(lane: 1)))
    #expect(actions.contains(.cancel(lane: 2)))
    #expect(actions.contains(.deleteAll))
    for lane in [1, 2] as [Int64] {
      _ = bench.handle(.failed(lane: lane, .cancelled, isUncertain: true))
      #expect(bench.handle(.released(lane: lane)) == [])
    }
    #expect(!bench.machine.isBusy)
  }

  @Test("HQ-261: a lane whose hits wait for their time sets the timer when the first of them may be sent")
  func opening() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: [])
    let later = 1_500 * DispatchBench.second
    var facts = DispatchBench.facts(1, oldest: nil)
    facts.opensAt = later
    #expect(bench.handle(.hitsChanged(facts)) == [.alarm(at: later)])
    bench.pass(seconds: 500)
    #expect(bench.handle(.alarm) == [.alarm(at: later + 120 * DispatchBench.second)])
    bench.pass(seconds: 120)
    #expect(bench.handle(.alarm).contains(.scan))
    #expect(bench.handle(.lanes([DispatchBench.facts(1)])).contains(claim(1)))
    // The store knows of one more that waits.
    #expect(
      bench.handle(.claimEmpty(lane: 1, opensAt: 2_000 * DispatchBench.second))
        == [.alarm(at: 2_000 * DispatchBench.second)])
  }

  @Test("HQ-408: a call hears when the first of the hits that wait for their time may be sent")
  func openingOfCall() {
    var bench = DispatchBench(lanes: [])
    var facts = DispatchBench.facts(1, oldest: nil)
    facts.opensAt = 1_005 * DispatchBench.second
    _ = bench.handle(.oneShot(CallID(number: 1)))
    #expect(
      bench.handle(.lanes([facts])) == [
        .complete(
          CallID(number: 1), DispatchReport(result: .noData, reason: .waiting, nextEligible: .seconds(5)))
      ])
  }

  @Test("HQ-438 row 19: closing ends requests and calls, each once, and leaves no alarm")
  func closing() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second))
    let calls = (1...2).map(CallID.init(number:))
    for call in calls { _ = bench.handle(.oneShot(call)) }
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    #expect(bench.handle(.close) == [.cancel(lane: 1)])
    _ = bench.handle(.failed(lane: 1, .cancelled, isUncertain: true))
    let cancelled = DispatchReport(result: .error, reason: .cancelled)
    #expect(
      bench.handle(.released(lane: 1)) == [
        .complete(calls[0], DispatchReport(result: .error, sent: 1, reason: .cancelled)),
        .complete(calls[1], cancelled),
      ])
    #expect(bench.machine.isBusy == false)
  }

  @Test("HQ-402: a hit that comes while a claim finds nothing is not forgotten")
  func hitDuringClaim() {
    var bench = DispatchBench()
    _ = bench.handle(.dispatchRequested)
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    #expect(bench.machine.knowsHits(of: 1) == false)
    _ = bench.handle(.hitsChanged(DispatchBench.facts(1, oldest: 2)))
    #expect(bench.handle(.claimEmpty(lane: 1)) == [claim(1)])
  }
}
