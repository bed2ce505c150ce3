import Hits

@testable import HitQueue

/// A machine with one ready lane of some hits, and the clock of the test.
struct DispatchBench {
  static let second: UInt64 = 1_000_000_000

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
    age += seconds * Self.second
    wall += Int64(seconds) * 1_000
  }

  /// Brings a lane of a new pass to the point where its request is out.
  mutating func send(_ sequences: [Int64], facts: [LaneFacts] = [facts(1)]) {
    _ = handle(.dispatchRequested)
    _ = handle(.lanes(facts))
    _ = handle(.claimed(lane: 1, sequences: sequences))
  }

  static func facts(
    _ id: Int64, oldest: Int64? = 1, leavesBy: UInt64? = nil, origin: String = "https://a", isKnown: Bool = true,
    rest: LaneRest = LaneRest()
  ) -> LaneFacts {
    LaneFacts(id: id, origin: origin, isKnown: isKnown, oldest: oldest, leavesBy: leavesBy, rest: rest)
  }
}

func claim(_ lane: Int64, _ hits: Int = .max, _ sequences: ClosedRange<Int64>? = nil) -> DispatchAction {
  .claim(lane: lane, hits: hits, sequences: sequences)
}
