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

  /// Runs a piece of work some times after a warm-up and takes the median of each figure.
  ///
  /// - Parameters:
  ///   - runs: how often it is measured.
  ///   - operations: how many operations one run is.
  static func of(runs: Int = 7, operations: Int = 1, _ work: () throws -> Void) rethrows -> Measurement {
    try work()
    var samples: [Measurement] = []
    for _ in 0..<runs {
      let start = Reading()
      try work()
      samples.append(Reading().since(start, operations: operations))
    }
    return median(of: samples)
  }

  /// The same for work that waits.
  static func of(
    runs: Int = 5, operations: Int = 1, async work: () async throws -> Void
  ) async rethrows -> Measurement {
    try await work()
    var samples: [Measurement] = []
    for _ in 0..<runs {
      let start = Reading()
      try await work()
      samples.append(Reading().since(start, operations: operations))
    }
    return median(of: samples)
  }

  static func median(of samples: [Measurement]) -> Measurement {
    func middle(_ figure: KeyPath<Measurement, Double>) -> Double {
      samples.map { $0[keyPath: figure] }.sorted()[samples.count / 2]
    }
    return Measurement(
      wall: middle(\.wall), processor: middle(\.processor), allocations: middle(\.allocations))
  }
}

/// The clocks and counters at one moment.
private struct Reading {
  private let wall = Self.seconds(CLOCK_MONOTONIC)
  private let processor = Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
  private let allocations = Double(allocations_count())

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
