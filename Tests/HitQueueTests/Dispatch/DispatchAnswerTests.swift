import Hits
import Testing

@testable import HitQueue

/// What the machine makes of answers and of failures.
@Suite struct DispatchAnswerTests {
  @Test("HQ-438 row 9: a claim that cannot be written is an error, and the lane backs off")
  func storeFailure() {
    var bench = DispatchBench()
    _ = bench.handle(.oneShot(CallID(number: 1)))
    _ = bench.handle(.lanes([DispatchBench.facts(1)]))
    #expect(
      bench.handle(.storeFailed(lane: 1))
        == [.complete(CallID(number: 1), DispatchReport(result: .error, reason: .store))])
  }

  @Test("HQ-430: the delay doubles from 5 s to an hour, drawn from its upper half")
  func backOff() {
    let expected: [(Int, UInt64)] = [(1, 5), (2, 10), (3, 20), (10, 2_560), (11, 3_600), (60, 3_600)]
    for (failures, seconds) in expected {
      let half = seconds * DispatchBench.second / 2
      #expect(BackOff.delay(afterFailures: failures, random: 0) == half)
      #expect(BackOff.delay(afterFailures: failures, random: half) == 2 * half)
      #expect(BackOff.delay(afterFailures: failures, random: half + 1) == half)
    }
    #expect(BackOff.parking(.seconds(900), failures: 1) == 900 * DispatchBench.second)
    #expect(BackOff.parking(.seconds(900), failures: 3) == 3_600 * DispatchBench.second)
    #expect(BackOff.parking(.seconds(900), failures: 50) == 86_400 * DispatchBench.second)
  }

  @Test("HQ-438 rows 11, 12, HQ-428: what holds a lane back after each kind of answer")
  func rests() throws {
    let answers: [(DispatchEvent, LaneCause, seconds: Double)] = [
      (.answered(lane: 1, .retry(after: nil)), .backOff, 2.5),
      (.answered(lane: 1, .retry(after: .seconds(7))), .retryAfter, 7),
      // Whatever a protocol of the app's own says (HQ-434, HQ-803).
      (.answered(lane: 1, .retry(after: .seconds(Int64.max))), .retryAfter, 86_400),
      (.answered(lane: 1, .retry(after: .seconds(-1))), .retryAfter, 1),
      (.answered(lane: 1, .park(.auth, .seconds(Int64.max))), LaneCause(.auth), 86_400),
      (.answered(lane: 1, .park(.auth, .seconds(900))), LaneCause(.auth), 900),
      (.failed(lane: 1, .tls, isUncertain: false), .backOff, 2.5),
    ]
    for (event, cause, seconds) in answers {
      var bench = DispatchBench()
      bench.send([1])
      let actions = bench.handle(event)
      guard case .release(1, let decision) = try #require(actions.first) else {
        Issue.record("\(actions)")
        continue
      }
      #expect(decision.rest.cause == cause)
      #expect(decision.rest.failures == 1)
      #expect(decision.rest.until == bench.wall + Int64(seconds * 1_000))
      // The lane has failed: the pass is over.
      _ = bench.handle(.released(lane: 1))
      #expect(bench.machine.work == .idle)
    }
  }

  @Test("HQ-411: a call does not wait for a back-off, but for Retry-After")
  func manualAfterFailure() {
    for (verdict, isTried) in [(Verdict.retry(after: nil), true), (.retry(after: .seconds(7)), false)] {
      var bench = DispatchBench()
      bench.send([1])
      _ = bench.handle(.answered(lane: 1, verdict))
      _ = bench.handle(.released(lane: 1))
      _ = bench.handle(.oneShot(CallID(number: 1)))
      let rest = LaneRest(
        failures: 1, until: bench.wall + (isTried ? 2_500 : 7_000), cause: isTried ? .backOff : .retryAfter)
      #expect(bench.handle(.lanes([DispatchBench.facts(1, rest: rest)])).contains(claim(1)) == isTried)
    }
  }

  @Test("HQ-434: Retry-After holds every lane of the host, and no other")
  func hostHold() {
    let lanes = [
      DispatchBench.facts(1), DispatchBench.facts(2, oldest: 2), DispatchBench.facts(3, oldest: 3, origin: "https://b"),
    ]
    var bench = DispatchBench(lanes: lanes)
    bench.send([1], facts: lanes)
    _ = bench.handle(.claimEmpty(lane: 2))
    _ = bench.handle(.claimEmpty(lane: 3))
    _ = bench.handle(.answered(lane: 1, .retry(after: .seconds(7))))
    _ = bench.handle(.released(lane: 1))
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes(lanes)) == [claim(3)])
    _ = bench.handle(.claimEmpty(lane: 3))
    bench.pass(seconds: 7)
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes(lanes)) == [claim(1), claim(2)])
  }

  @Test("HQ-402: a hit that comes while the lanes are looked at is not forgotten for a look that did not see it")
  func hitBehindLook() {
    var bench = DispatchBench(.periodic(120 * DispatchBench.second), lanes: [])
    _ = bench.handle(.hitsChanged(DispatchBench.facts(1, oldest: 5)))
    var facts = DispatchBench.facts(1, oldest: nil)
    facts.line = 4
    _ = bench.handle(.lanes([facts]))
    #expect(bench.machine.lanes[1]?.oldest == 5)
    #expect(bench.machine.timer != nil)
    facts.line = 5
    _ = bench.handle(.lanes([facts]))
    #expect(bench.machine.lanes[1]?.oldest == nil)
  }

  @Test("HQ-430: a relaunch waits for what is left of a rest, and never longer than the cause allows")
  func relaunch() {
    let rests: [(LaneRest, UInt64)] = [
      (LaneRest(failures: 3, until: 1_800_000_004_000, cause: .backOff), 4_000),
      (LaneRest(failures: 3, until: 1_900_000_000_000, cause: .backOff), 20_000),
      (LaneRest(failures: 1, until: .max, cause: LaneCause(.auth)), 86_400_000),
      (LaneRest(failures: 1, until: 1_799_999_999_000, cause: .backOff), 0),
    ]
    for (rest, milliseconds) in rests {
      let state = LaneState(
        DispatchBench.facts(1, rest: rest),
        at: Moment(age: 1_000 * DispatchBench.second, wall: 1_800_000_000_000, random: 0))
      let until = 1_000 * DispatchBench.second + milliseconds * 1_000_000
      #expect(state.isReady(at: until, isManual: false))
      if milliseconds > 0 { #expect(state.isReady(at: until - 1, isManual: false) == false) }
    }
  }

  @Test("HQ-428: 413 halves what was sent, at once again; a single hit is put aside; three in a row double the limit")
  func shrinking() throws {
    var bench = DispatchBench()
    bench.send(Array(1...20))
    var size = 20
    for half in [10, 5, 2, 1] {
      let actions = bench.handle(.answered(lane: 1, .shrink))
      #expect(actions == [.release(lane: 1, ClaimDecision(rest: LaneRest(batchLimit: half)))])
      #expect(bench.handle(.released(lane: 1)) == [claim(1, half)])
      _ = bench.handle(.claimed(lane: 1, sequences: Array(1...Int64(half))))
      size = half
    }
    #expect(size == 1)
    #expect(
      bench.handle(.answered(lane: 1, .shrink))
        == [.release(lane: 1, ClaimDecision(quarantine: .tooLarge, rest: LaneRest(batchLimit: 1)))])
    #expect(bench.handle(.released(lane: 1)) == [claim(1, 1)])
    for (sequence, limit) in [(Int64(2), 1), (3, 1), (4, 2)] {
      _ = bench.handle(.claimed(lane: 1, sequences: [sequence]))
      _ = bench.handle(.answered(lane: 1, .settled()))
      #expect(bench.handle(.settled(lane: 1)) == [claim(1, limit)])
    }
  }

  @Test(
    "HQ-431, HQ-1104: one bad hit of twenty costs at most two requests a halving, and no good hit",
    arguments: [Int64(1), 7, 10, 11, 20])
  func isolation(bad: Int64) throws {
    var bench = DispatchBench()
    bench.send(Array(1...20))
    var stored = Array(Int64(1)...20)
    var delivered: [Int64] = []
    var quarantined: [Int64] = []
    var requests = 0
    var batch = stored
    while !batch.isEmpty {
      requests += 1
      let verdict: Verdict = batch.contains(bad) ? .isolate : .settled()
      let actions = bench.handle(.answered(lane: 1, verdict))
      var next: [DispatchAction] = []
      for action in actions {
        if case .settle(1, _, _) = action {
          delivered += batch
          stored.removeAll(where: batch.contains)
          next += bench.handle(.settled(lane: 1))
        } else if case .release(1, let decision) = action {
          if decision.quarantine != nil {
            quarantined += batch
            stored.removeAll(where: batch.contains)
          }
          next += bench.handle(.released(lane: 1))
        }
      }
      guard case .claim(1, _, let range) = try #require(next.first) else { break }
      batch = stored.filter { range?.contains($0) ?? true }
      _ =
        batch.isEmpty
        ? bench.handle(.claimEmpty(lane: 1)) : bench.handle(.claimed(lane: 1, sequences: batch))
    }
    #expect(delivered == (1...20).filter { $0 != bad })
    #expect(quarantined == [bad])
    // ceil(log2 20) is 5.
    #expect(requests - 1 <= 2 * 5)
  }

  @Test("HQ-432, HQ-1104: when twenty single hits in a row are refused it is the endpoint: they all come back")
  func allRefused() throws {
    var bench = DispatchBench()
    bench.send(Array(1...20))
    var quarantined: Set<Int64> = []
    var batch = Array(Int64(1)...20)
    var restored: [Int64] = []
    while restored.isEmpty {
      guard case .release(1, let decision) = try #require(bench.handle(.answered(lane: 1, .isolate)).first) else {
        return
      }
      restored = decision.restored
      if decision.quarantine != nil { quarantined.formUnion(batch) }
      let next = bench.handle(.released(lane: 1))
      guard restored.isEmpty else {
        #expect(decision.rest.cause == LaneCause(.allRejected))
        #expect(decision.rest.until == bench.wall + 3_600_000)
        #expect(next.contains { if case .claim = $0 { true } else { false } } == false)
        break
      }
      guard case .claim(1, _, let range?) = try #require(next.first) else { return }
      batch = Array(range)
      _ = bench.handle(.claimed(lane: 1, sequences: batch))
    }
    #expect(Set(restored) == quarantined)
    #expect(quarantined.count == 19)
  }

  @Test("HQ-665: deferred hits wait with their lane")
  func deferral() throws {
    var bench = DispatchBench()
    bench.send([1, 2])
    let id = HitID()
    let actions = bench.handle(.answered(lane: 1, .settled(deferred: [id])))
    let rest = LaneRest(failures: 1, until: bench.wall + 2_500, cause: .backOff)
    #expect(
      actions == [.settle(lane: 1, ClaimDecision(deferred: [id], notBefore: bench.wall + 2_500, rest: rest))])
    #expect(bench.handle(.settled(lane: 1)) == [])
  }
}
