import Hits
import Testing

@testable import HitQueue

@Suite struct DispatchMachineTests {
  private static let second: UInt64 = 1_000_000_000

  /// A machine with one ready lane of some hits, and the clock of the test.
  private struct Bench {
    var machine: DispatchMachine
    var age: UInt64 = 1_000 * second
    var wall: Int64 = 1_800_000_000_000
    var random: UInt64 = 0

    init(_ mode: DispatchMachine.Mode = .manual, lanes: [LaneFacts] = [facts(1)]) {
      machine = DispatchMachine(mode: mode)
      _ = handle(.lanes(lanes))
    }

    mutating func handle(_ event: DispatchEvent) -> [DispatchAction] {
      machine.handle(event, at: Moment(age: age, wall: wall, random: random))
    }

    mutating func pass(seconds: UInt64) {
      age += seconds * second
      wall += Int64(seconds) * 1_000
    }

    /// Brings a lane of a new pass to the point where its request is out.
    mutating func send(_ sequences: [Int64], facts: [LaneFacts] = [facts(1)]) {
      _ = handle(.dispatchRequested)
      _ = handle(.lanes(facts))
      _ = handle(.claimed(lane: 1, sequences: sequences))
    }
  }

  private static func facts(
    _ id: Int64, oldest: Int64? = 1, origin: String = "https://a", isKnown: Bool = true, rest: LaneRest = LaneRest()
  ) -> LaneFacts {
    LaneFacts(id: id, origin: origin, isKnown: isKnown, oldest: oldest, rest: rest)
  }

  private func claim(_ lane: Int64, _ hits: Int = .max, _ sequences: ClosedRange<Int64>? = nil) -> DispatchAction {
    .claim(lane: lane, hits: hits, sequences: sequences)
  }

  @Test("HQ-438 row 1, HQ-402: a hit arms the timer once, one interval ahead")
  func arming() {
    var bench = Bench(.periodic(120 * Self.second), lanes: [])
    #expect(bench.handle(.hitsChanged(Self.facts(1))) == [.alarm(at: 1_120 * Self.second)])
    bench.pass(seconds: 30)
    #expect(bench.handle(.hitsChanged(Self.facts(1, oldest: 2))) == [])
    var manual = Bench(.manual, lanes: [])
    #expect(manual.handle(.hitsChanged(Self.facts(1))) == [])
  }

  @Test(
    "HQ-438 row 2, HQ-400, HQ-403: setting the interval arms it anew, below 1 turns it off, a day is the most",
    arguments: [
      (60.0, UInt64?(1_090)), (1, 1_031), (0.999, nil), (0, nil), (-1, nil), (1e9, 87_430), (-.infinity, nil),
    ])
  func intervals(seconds: Double, alarm: UInt64?) {
    var bench = Bench(.periodic(120 * Self.second))
    bench.pass(seconds: 30)
    #expect(bench.handle(.intervalSet(seconds)) == [.alarm(at: alarm.map { $0 * Self.second })])
  }

  @Test("HQ-400: an interval that is no number changes nothing")
  func noNumber() {
    var bench = Bench(.periodic(120 * Self.second))
    #expect(bench.handle(.intervalSet(.nan)) == [])
  }

  @Test("HQ-438 row 3: when the timer is due, a pass begins; hits that are left arm it again")
  func timer() {
    var bench = Bench(.periodic(120 * Self.second))
    bench.pass(seconds: 119)
    #expect(bench.handle(.alarm).contains(.scan) == false)
    bench.pass(seconds: 1)
    #expect(bench.handle(.alarm).contains(.scan))
    #expect(bench.handle(.lanes([Self.facts(1)])) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.failed(lane: 1, .timeout, isUncertain: true))
    // Half of five seconds: the lane comes back, and then waits for one interval.
    #expect(bench.handle(.released(lane: 1)) == [.alarm(at: 1_122_500_000_000)])
    bench.age = 1_122_500_000_000
    #expect(bench.handle(.alarm) == [.alarm(at: 1_242_500_000_000)])
  }

  @Test("HQ-438 rows 4, 7, 10, 13, HQ-404: a pass goes on batch after batch until no hit is left")
  func wholePass() {
    var bench = Bench()
    #expect(bench.handle(.dispatchRequested) == [.scan])
    #expect(bench.handle(.lanes([Self.facts(1)])) == [claim(1)])
    #expect(bench.handle(.claimed(lane: 1, sequences: [1, 2])) == [.send(lane: 1)])
    #expect(
      bench.handle(.answered(lane: 1, .settled()))
        == [.settle(lane: 1, ClaimDecision(rest: LaneRest()))])
    #expect(bench.handle(.settled(lane: 1)) == [claim(1)])
    #expect(bench.handle(.claimEmpty(lane: 1)) == [])
    #expect(bench.machine.work == .idle)
  }

  @Test("HQ-406: a pass that is asked for while one runs looks again at its end")
  func passAgain() {
    var bench = Bench()
    bench.send([1])
    #expect(bench.handle(.dispatchRequested) == [])
    _ = bench.handle(.answered(lane: 1, .settled()))
    _ = bench.handle(.settled(lane: 1))
    #expect(bench.handle(.claimEmpty(lane: 1)) == [.scan])
  }

  @Test("HQ-414: at most two requests at a time, the lane with the oldest hit first")
  func requestLimit() {
    let lanes = [Self.facts(1, oldest: 9), Self.facts(2, oldest: 3), Self.facts(3, oldest: 5)]
    var bench = Bench(lanes: lanes)
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes(lanes)) == [claim(2), claim(3)])
    #expect(bench.handle(.claimEmpty(lane: 2)) == [claim(1)])
  }

  @Test("HQ-438 row 5, HQ-407, HQ-411: a call makes one request in the lane of the oldest hit, and turns the timer off")
  func oneShot() {
    let lanes = [Self.facts(1, oldest: 9), Self.facts(2, oldest: 3)]
    var bench = Bench(.periodic(120 * Self.second), lanes: lanes)
    let call = CallID(number: 1)
    #expect(bench.handle(.oneShot(call, isNext: false)) == [.scan, .alarm(at: nil)])
    #expect(bench.handle(.lanes(lanes)) == [claim(2)])
    #expect(bench.handle(.claimed(lane: 2, sequences: [3, 4])) == [.send(lane: 2)])
    _ = bench.handle(.answered(lane: 2, .settled()))
    #expect(
      bench.handle(.settled(lane: 2))
        == [.complete(call, DispatchReport(result: .good, sent: 2, accepted: 2))])
    bench.pass(seconds: 1_000)
    #expect(bench.handle(.hitsChanged(Self.facts(1))) == [])
    #expect(bench.handle(.intervalSet(120)) == [.alarm(at: 2_120 * Self.second)])
  }

  @Test("HQ-408: a call hears why nothing can be sent")
  func noData() {
    let cases: [([LaneFacts], DispatchReport.Reason)] = [
      ([], .empty), ([Self.facts(1, oldest: nil)], .empty), ([Self.facts(1, isKnown: false)], .noDestination),
      ([Self.facts(1, rest: LaneRest(failures: 1, until: 1_800_000_060_000, cause: LaneCause(.auth)))], .waiting),
    ]
    for (lanes, reason) in cases {
      var bench = Bench(lanes: lanes)
      _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
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
      var bench = Bench()
      _ = bench.handle(event)
      #expect(bench.handle(.dispatchRequested) == [])
      #expect(bench.handle(.oneShot(CallID(number: 1), isNext: false)) == [.complete(CallID(number: 1), report)])
    }
  }

  @Test("HQ-409: calls are served one after another, one request each, after the request of a pass")
  func callsInOrder() {
    var bench = Bench()
    bench.send([1])
    let calls = (1...2).map(CallID.init(number:))
    #expect(calls.map { bench.handle(.oneShot($0, isNext: false)) } == [[], []])
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(bench.handle(.settled(lane: 1)) == [.scan])
    #expect(bench.handle(.lanes([Self.facts(1)])) == [claim(1)])
    _ = bench.handle(.claimed(lane: 1, sequences: [2]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(
      bench.handle(.settled(lane: 1))
        == [.complete(calls[0], DispatchReport(result: .good, sent: 1, accepted: 1)), .scan])
    #expect(
      bench.handle(.lanes([Self.facts(1, oldest: nil)]))
        == [.complete(calls[1], DispatchReport(result: .noData, reason: .empty))])
  }

  @Test("HQ-438 row 8, HQ-321: a lane in another process's hands is tried each second, for half a minute")
  func busyLane() {
    var bench = Bench()
    _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
    _ = bench.handle(.lanes([Self.facts(1)]))
    for second in 1...30 {
      #expect(bench.handle(.lockBusy(lane: 1)) == [.alarm(at: UInt64(1_000 + second) * Self.second)])
      bench.pass(seconds: 1)
      #expect(bench.handle(.alarm).first == claim(1))
    }
    #expect(
      bench.handle(.lockBusy(lane: 1)).first
        == .complete(CallID(number: 1), DispatchReport(result: .noData, reason: .busy)))
  }

  @Test("HQ-438 row 9: a claim that cannot be written is an error, and the lane backs off")
  func storeFailure() {
    var bench = Bench()
    _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
    _ = bench.handle(.lanes([Self.facts(1)]))
    #expect(
      bench.handle(.storeFailed(lane: 1))
        == [.complete(CallID(number: 1), DispatchReport(result: .error, reason: .store))])
  }

  @Test("HQ-430: the delay doubles from 5 s to an hour, drawn from its upper half")
  func backOff() {
    let expected: [(Int, UInt64)] = [(1, 5), (2, 10), (3, 20), (10, 2_560), (11, 3_600), (60, 3_600)]
    for (failures, seconds) in expected {
      let half = seconds * Self.second / 2
      #expect(BackOff.delay(afterFailures: failures, random: 0) == half)
      #expect(BackOff.delay(afterFailures: failures, random: half) == 2 * half)
      #expect(BackOff.delay(afterFailures: failures, random: half + 1) == half)
    }
    #expect(BackOff.parking(.seconds(900), failures: 1) == 900 * Self.second)
    #expect(BackOff.parking(.seconds(900), failures: 3) == 3_600 * Self.second)
    #expect(BackOff.parking(.seconds(900), failures: 50) == 86_400 * Self.second)
  }

  @Test("HQ-438 rows 11, 12, HQ-428: what holds a lane back after each kind of answer")
  func rests() throws {
    let answers: [(DispatchEvent, LaneCause, seconds: Double)] = [
      (.answered(lane: 1, .retry(after: nil)), .backOff, 2.5),
      (.answered(lane: 1, .retry(after: .seconds(7))), .retryAfter, 7),
      (.answered(lane: 1, .park(.auth, .seconds(900))), LaneCause(.auth), 900),
      (.failed(lane: 1, .tls, isUncertain: false), .backOff, 2.5),
    ]
    for (event, cause, seconds) in answers {
      var bench = Bench()
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
      var bench = Bench()
      bench.send([1])
      _ = bench.handle(.answered(lane: 1, verdict))
      _ = bench.handle(.released(lane: 1))
      _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
      let rest = LaneRest(
        failures: 1, until: bench.wall + (isTried ? 2_500 : 7_000), cause: isTried ? .backOff : .retryAfter)
      #expect(bench.handle(.lanes([Self.facts(1, rest: rest)])).contains(claim(1)) == isTried)
    }
  }

  @Test("HQ-434: Retry-After holds every lane of the host, and no other")
  func hostHold() {
    let lanes = [Self.facts(1), Self.facts(2, oldest: 2), Self.facts(3, oldest: 3, origin: "https://b")]
    var bench = Bench(lanes: lanes)
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
        Self.facts(1, rest: rest), at: Moment(age: 1_000 * Self.second, wall: 1_800_000_000_000, random: 0))
      let until = 1_000 * Self.second + milliseconds * 1_000_000
      #expect(state.isReady(at: until, isManual: false))
      if milliseconds > 0 { #expect(state.isReady(at: until - 1, isManual: false) == false) }
    }
  }

  @Test("HQ-428: 413 halves what was sent, at once again; a single hit is put aside; three in a row double the limit")
  func shrinking() throws {
    var bench = Bench()
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
    var bench = Bench()
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
        if case .settle(1, _) = action {
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
    var bench = Bench()
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
    var bench = Bench()
    bench.send([1, 2])
    let id = HitID()
    let actions = bench.handle(.answered(lane: 1, .settled(deferred: [id])))
    let rest = LaneRest(failures: 1, until: bench.wall + 2_500, cause: .backOff)
    #expect(
      actions == [.settle(lane: 1, ClaimDecision(deferred: [id], notBefore: bench.wall + 2_500, rest: rest))])
    #expect(bench.handle(.settled(lane: 1)) == [])
  }

  @Test("HQ-438 row 14, HQ-341: a settlement that cannot be written is tried again, and nothing is claimed before")
  func unwrittenSettlement() {
    var bench = Bench()
    _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
    _ = bench.handle(.lanes([Self.facts(1)]))
    _ = bench.handle(.claimed(lane: 1, sequences: [1]))
    _ = bench.handle(.answered(lane: 1, .settled()))
    #expect(
      bench.handle(.settleFailed(lane: 1)) == [
        .complete(CallID(number: 1), DispatchReport(result: .error, reason: .store)),
        .alarm(at: 1_005 * Self.second),
      ])
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes([Self.facts(1)])) == [])
    bench.pass(seconds: 5)
    #expect(bench.handle(.alarm).first == .settle(lane: 1, ClaimDecision(rest: LaneRest())))
    _ = bench.handle(.settled(lane: 1))
    _ = bench.handle(.dispatchRequested)
    #expect(bench.handle(.lanes([Self.facts(1)])) == [claim(1)])
  }

  @Test("HQ-438 row 16: coming back online starts a pass within five seconds, when periodic")
  func online() {
    var bench = Bench(.periodic(120 * Self.second))
    bench.random = 3 * Self.second
    #expect(bench.handle(.online(false)) == [.alarm(at: nil)])
    #expect(bench.handle(.online(true)) == [.alarm(at: 1_003 * Self.second)])
    bench.pass(seconds: 3)
    #expect(bench.handle(.alarm).contains(.scan))
  }

  @Test("HQ-438 row 18: a call that is cancelled ends its request and hears so once the claim is off")
  func cancellation() throws {
    var bench = Bench()
    let calls = (1...2).map(CallID.init(number:))
    for call in calls { _ = bench.handle(.oneShot(call, isNext: false)) }
    let cancelled = DispatchReport(result: .error, reason: .cancelled)
    #expect(bench.handle(.cancel(calls[1])) == [.complete(calls[1], cancelled)])
    _ = bench.handle(.lanes([Self.facts(1)]))
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
    var bench = Bench()
    _ = bench.handle(.oneShot(CallID(number: 1), isNext: false))
    _ = bench.handle(.lanes([Self.facts(1)]))
    #expect(bench.handle(.cancel(CallID(number: 1))) == [])
    #expect(
      bench.handle(.claimed(lane: 1, sequences: [1]))
        == [.release(lane: 1, ClaimDecision(isUnsent: true, rest: LaneRest()))])
    #expect(
      bench.handle(.released(lane: 1))
        == [.complete(CallID(number: 1), DispatchReport(result: .error, reason: .cancelled))])
  }

  @Test("HQ-438 row 19: closing ends requests and calls, each once, and leaves no alarm")
  func closing() {
    var bench = Bench(.periodic(120 * Self.second))
    let calls = (1...2).map(CallID.init(number:))
    for call in calls { _ = bench.handle(.oneShot(call, isNext: false)) }
    _ = bench.handle(.lanes([Self.facts(1)]))
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
    var bench = Bench()
    _ = bench.handle(.dispatchRequested)
    _ = bench.handle(.lanes([Self.facts(1)]))
    #expect(bench.machine.knowsHits(of: 1) == false)
    _ = bench.handle(.hitsChanged(Self.facts(1, oldest: 2)))
    #expect(bench.handle(.claimEmpty(lane: 1)) == [claim(1)])
  }

  @Test("HQ-440: no sequence of events breaks what holds after every one")
  func invariants() {
    let random = SeededRandomSource(seed: 7)
    func draw(_ bound: UInt64) -> UInt64 { random.next() % bound }
    for round in 0..<200 {
      var bench = Bench(round % 2 == 0 ? .manual : .periodic(120 * Self.second), lanes: [])
      var asked = 0
      var told: [CallID] = []
      var claimed: Set<Int64> = []
      for _ in 0..<400 {
        bench.random = random.next()
        bench.pass(seconds: draw(40))
        let lane = Int64(draw(3)) + 1
        let event: DispatchEvent
        switch draw(20) {
        case 0: event = .hitsChanged(Self.facts(lane, oldest: 1))
        case 1: event = .lanes((1...3).map { Self.facts(Int64($0), oldest: draw(3) == 0 ? nil : Int64($0)) })
        case 2: event = .scanFailed
        case 3: event = .intervalSet(Double(draw(200)))
        case 4, 5: event = .alarm
        case 6: event = .dispatchRequested
        case 7:
          asked += 1
          event = .oneShot(CallID(number: asked), isNext: draw(2) == 0)
        case 8: event = .claimed(lane: lane, sequences: Array(1...Int64(draw(20) + 1)))
        case 9: event = .claimEmpty(lane: lane)
        case 10: event = .lockBusy(lane: lane)
        case 11: event = .storeFailed(lane: lane)
        case 12: event = .answered(lane: lane, [.settled(), .isolate, .shrink, .withoutGzip][Int(draw(4))])
        case 13: event = .answered(lane: lane, .retry(after: draw(2) == 0 ? nil : .seconds(9)))
        case 14: event = .failed(lane: lane, .timeout, isUncertain: true)
        case 15: event = .settled(lane: lane)
        case 16: event = .released(lane: lane)
        case 17: event = .settleFailed(lane: lane)
        case 18: event = .online(draw(2) == 0)
        default: event = .cancel(CallID(number: Int(draw(UInt64(asked) + 1))))
        }
        let before = bench.machine.lanes
        for action in bench.handle(event) {
          switch action {
          case .claim(let lane, _, _):
            #expect(before[lane]?.phase != .settling || !(before[lane]?.isActive ?? false) || isEnd(event, of: lane))
            claimed.insert(lane)
          case .complete(let call, _): told.append(call)
          default: break
          }
        }
        #expect(bench.machine.lanes.values.count(where: \.isActive) <= 3)
      }
      #expect(Set(told).count == told.count)
      // Whatever is still open is told when the queue closes and what is under way has ended.
      for case .complete(let call, _) in bench.handle(.close) { told.append(call) }
      for lane in Int64(1)...3 {
        for event: DispatchEvent in [
          .scanFailed, .claimEmpty(lane: lane), .failed(lane: lane, .cancelled, isUncertain: true),
          .settled(lane: lane), .released(lane: lane),
        ] {
          for case .complete(let call, _) in bench.handle(event) { told.append(call) }
        }
      }
      #expect(told.count == asked)
      #expect(Set(told).count == asked)
    }
  }

  private func isEnd(_ event: DispatchEvent, of lane: Int64) -> Bool {
    switch event {
    case .settled(lane), .released(lane): true
    default: false
    }
  }
}
