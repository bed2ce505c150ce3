import Hits
import Testing

@testable import HitQueue

@Suite struct DispatchInvariantTests {
  @Test("HQ-440: no sequence of events breaks what holds after every one")
  func invariants() {
    let random = SeededRandomSource(seed: 7)
    func draw(_ bound: UInt64) -> UInt64 { random.next() % bound }
    for round in 0..<200 {
      var bench = DispatchBench(round % 2 == 0 ? .manual : .periodic(120 * DispatchBench.second), lanes: [])
      var asked = 0
      var told: [CallID] = []
      var claimed: Set<Int64> = []
      for _ in 0..<400 {
        bench.random = random.next()
        bench.pass(seconds: draw(40))
        let lane = Int64(draw(3)) + 1
        let event: DispatchEvent
        switch draw(23) {
        case 0: event = .hitsChanged(DispatchBench.facts(lane, oldest: 1))
        case 1: event = .lanes((1...3).map { DispatchBench.facts(Int64($0), oldest: draw(3) == 0 ? nil : Int64($0)) })
        case 2: event = .scanFailed
        case 3: event = .intervalSet(Double(draw(200)))
        case 4, 5: event = .alarm
        case 6: event = .dispatchRequested
        case 7:
          asked += 1
          event = draw(2) == 0 ? .oneShot(CallID(number: asked)) : .drain(CallID(number: asked))
        case 8: event = .claimed(lane: lane, sequences: Array(1...Int64(draw(20) + 1)))
        case 9:
          event = .claimEmpty(lane: lane, opensAt: draw(2) == 0 ? nil : bench.age + draw(900) * DispatchBench.second)
        case 10: event = .lockBusy(lane: lane)
        case 11: event = .storeFailed(lane: lane)
        case 12: event = .answered(lane: lane, [.settled(), .isolate, .shrink, .withoutGzip][Int(draw(4))])
        case 13: event = .answered(lane: lane, .retry(after: draw(2) == 0 ? nil : .seconds(9)))
        case 14: event = .failed(lane: lane, .timeout, isUncertain: true)
        case 15: event = .settled(lane: lane)
        case 16: event = .released(lane: lane)
        case 21: event = .settledAndClaimed(lane: lane, sequences: draw(2) == 0 ? [] : Array(1...Int64(draw(20) + 1)))
        case 17: event = .settleFailed(lane: lane)
        case 18: event = .online(draw(2) == 0)
        case 19: event = .optOut(draw(3) == 0)
        case 20: event = .dryRun(draw(3) == 0)
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
    case .settled(lane), .released(lane), .settledAndClaimed(lane, _, _): true
    default: false
    }
  }
}
