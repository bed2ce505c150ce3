import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct PageMachineRandomTests {
  /// splitmix64 as a generator.
  private struct Seeded: RandomNumberGenerator {
    let source: SeededRandomSource

    mutating func next() -> UInt64 { source.next() }
  }

  /// All of WT-1205 takes a minute without optimisation, so a debug build looks at a part.
  private static var seeds: Int {
    #if DEBUG
      300
    #else
      10_000
    #endif
  }

  @Test("WT-1205: under any input one load runs at most, none before its time, every event ends once, in order")
  func random() {
    for seed in 0..<Self.seeds { run(UInt64(seed)) }
  }

  private func run(_ seed: UInt64) {
    var random = Seeded(source: SeededRandomSource(seed: seed))
    var bench = MachineBench()
    var tracked: [UUID] = []
    var isUsable = true
    for _ in 0..<200 {
      let (before, backOff, loads) = (bench.state, bench.due(.backOff), bench.loads.count)
      let input = step(&bench, &tracked, &random)
      if bench.loads.count > loads, let backOff, backOff > 0, Self.isWaiting(before) {
        isUsable = isUsable && Self.mayCutBackOff(input)
      }
      if bench.loads.count > loads + 1 { isUsable = false }
      if before == .closed, bench.state != .closed { isUsable = false }
    }
    bench.send(.close(erases: false))
    let ended = bench.outcomes.map(\.id)
    var isSound = isUsable && ended.count == tracked.count && Set(ended) == Set(tracked)
    // In each call, and by the first call of each event, they are in the order in which they were tracked; what was put
    // back may come a second time behind others.
    let places = Dictionary(uniqueKeysWithValues: tracked.enumerated().map { ($1, $0) })
    for call in bench.calls {
      let numbers = call.events.compactMap { places[$0] }
      isSound = isSound && numbers == numbers.sorted()
    }
    let first = Dictionary(
      bench.calls.flatMap(\.events).enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let order = tracked.compactMap { first[$0] }
    isSound = isSound && order == order.sorted()
    if !isSound { Issue.record("seed \(seed)") }
  }

  private static func isWaiting(_ state: PageState) -> Bool {
    switch state {
    case .failed, .crashed: true
    default: false
    }
  }

  private static func mayCutBackOff(_ input: String) -> Bool { ["retry", "reload", "gates"].contains(input) }

  /// Gives one input, likely or not, and lets time pass.
  private func step(_ bench: inout MachineBench, _ tracked: inout [UUID], _ random: inout Seeded) -> String {
    switch Int.random(in: 0..<26, using: &random) {
    case 0: bench.send(.start)
    case 1...4: tracked += bench.track(Int.random(in: 1...12, using: &random))
    case 5...7: if let host = bench.host { bench.send(.hostOpened(host)) }
    case 8...9: if bench.load != nil { bench.finishDocument() }
    case 10...12: if let load = bench.load { bench.send(.probed(load, .ready)) }
    case 13...15: bench.answer()
    case 16: if bench.host != nil { bench.page(.processTerminated(.crash)) }
    case 17: if bench.load != nil { bench.page(.failed(PageHostError(.loadFailed, ""))) }
    case 18:
      bench.send(.retry(.wake))
      return "retry"
    case 19:
      bench.send(.reload(waiter: nil))
      return "reload"
    case 20: bench.send(Bool.random(using: &random) ? .suspend : .resume)
    case 21: bench.send(.sessionChanged)
    case 22:
      let gates: [PageMachine.Gates] = [.init(), .init(network: .offline), .init(isDisabled: true), .init()]
      bench.send(.gates(gates[Int.random(in: 0..<4, using: &random)]))
      return "gates"
    case 23: if let host = bench.host { bench.send(.hostUnavailable(host, "")) }
    case 24: if let ping = bench.machine.ping { bench.send(.pong(ping.id)) }
    default:
      let loads = bench.loads.count
      bench.pass(Int64.random(in: 0...20_000, using: &random))
      // Several loads may lie in that time, one after another.
      if bench.loads.count > loads { return "retry" }
    }
    return ""
  }
}
