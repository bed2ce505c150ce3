import CAllocations
import Foundation

/// What one run of a piece of work took, per operation: the median over its runs.
struct Measurement: Sendable {
  /// Wall seconds.
  var wall: Double
  /// Seconds of processor time, all threads.
  var processor: Double
  /// Calls of malloc.
  var allocations: Double

  /// Runs two pieces of work in turns, so that what else the machine does meets both alike.
  static func alternating(
    runs: Int = 1_000, operations: Int = 1, _ ours: () throws -> Void, against baseline: () throws -> Void
  ) rethrows -> (ours: Measurement, baseline: Measurement) {
    for _ in 0..<max(1, runs / 10) {
      try ours()
      try baseline()
    }
    var samples: (ours: [Measurement], baseline: [Measurement]) = ([], [])
    for _ in 0..<runs {
      samples.ours.append(try once(operations: operations, ours))
      samples.baseline.append(try once(operations: operations, baseline))
    }
    return (median(of: samples.ours), median(of: samples.baseline))
  }

  /// Runs a piece of work once.
  static func once(operations: Int = 1, _ work: () throws -> Void) rethrows -> Measurement {
    let start = Reading.before()
    try work()
    return Reading.after().since(start, operations: operations)
  }

  /// Runs a piece of work that waits once.
  static func once(operations: Int = 1, async work: () async throws -> Void) async rethrows -> Measurement {
    let start = Reading.before()
    try await work()
    return Reading.after().since(start, operations: operations)
  }

  /// Runs two pieces of work that wait and that measure themselves, in turns.
  static func alternating(
    runs: Int = 5, _ ours: () async throws -> Measurement, against baseline: () async throws -> Measurement
  ) async throws -> (ours: Measurement, baseline: Measurement) {
    var samples: (ours: [Measurement], baseline: [Measurement]) = ([], [])
    for _ in 0..<runs {
      samples.ours.append(try await ours())
      samples.baseline.append(try await baseline())
    }
    return (median(of: samples.ours), median(of: samples.baseline))
  }

  /// Its times, as a person reads them.
  var times: String { "\(Figure.time(processor)) CPU, \(Figure.time(wall)) wall" }

  static func median(of samples: [Measurement]) -> Measurement {
    func middle(_ figure: KeyPath<Measurement, Double>) -> Double {
      samples.map { $0[keyPath: figure] }.sorted()[samples.count / 2]
    }
    return Measurement(
      wall: middle(\.wall), processor: middle(\.processor), allocations: middle(\.allocations))
  }
}

/// The clocks and counters at one moment; the wall clock is the one read nearest to the work.
private struct Reading {
  private var wall = 0.0
  private var processor = 0.0
  private var allocations = 0.0

  static func before() -> Reading {
    var reading = Reading()
    reading.processor = seconds(CLOCK_PROCESS_CPUTIME_ID)
    reading.allocations = Double(allocations_count())
    reading.wall = seconds(CLOCK_MONOTONIC)
    return reading
  }

  static func after() -> Reading {
    var reading = Reading()
    reading.wall = seconds(CLOCK_MONOTONIC)
    reading.allocations = Double(allocations_count())
    reading.processor = seconds(CLOCK_PROCESS_CPUTIME_ID)
    return reading
  }

  func since(_ start: Reading, operations: Int) -> Measurement {
    let operations = Double(operations)
    return Measurement(
      wall: (wall - start.wall) / operations, processor: (processor - start.processor) / operations,
      allocations: (allocations - start.allocations) / operations)
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
