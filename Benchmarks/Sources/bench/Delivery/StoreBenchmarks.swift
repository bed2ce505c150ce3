import CBaselines
import Foundation
import HitQueue
import Hits

/// What a queue's store takes of memory and disk, how soon it is there, and that it sleeps (HQ-1005 to HQ-1009).
enum StoreBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("HQ-1005", backlog), Benchmark("HQ-1006", written), Benchmark("HQ-1007", opening),
    Benchmark("HQ-1009", idle),
  ]

  static let drainOption = "--memory-of-draining"
  static let idleOption = "--wake-ups-in"

  private static let waiting = 100_000

  private static func backlog() async throws -> [Row] {
    let sink = try Sink()
    defer { sink.stop() }
    let endpoint = sink.endpoint
    let (full, empty) = (try ScratchDirectory(), try ScratchDirectory())
    try await fill(full, to: endpoint)
    let peak = try OwnProcess.figures([drainOption, full.path, endpoint]).first
    let least = try OwnProcess.figures([drainOption, empty.path, endpoint]).first
    guard let peak, let least else { throw BenchmarkFailure("HQ-1005: this system does not tell") }
    let mebibyte = Double(1 << 20)
    let growth = (peak - least) / mebibyte
    return [
      Row(
        number: "HQ-1005", what: "resident memory of opening and draining \(waiting) hits, at most",
        figure: String(format: "%.1f MiB above an empty store", growth),
        baseline: String(format: "the same process with an empty store: %.1f MiB", least / mebibyte),
        ratio: peak / least, bound: "≤ 16 MiB above it", bounds: [.init(measured: growth, limit: 16)])
    ]
  }

  private static func fill(_ directory: ScratchDirectory, to endpoint: String) async throws {
    let queue = try QueueUnderTest(in: directory, to: .measurementProtocol(endpoint))
    try await queue.send(waiting, groupsOf: 1_000)
    await queue.analytics.close()
  }

  /// Opens a store, sends all that is in it, and prints the most memory that took.
  static func printMemory(ofDraining path: String, to endpoint: String) async throws {
    let queue = try QueueUnderTest(in: ScratchDirectory(lentBy: path), to: .measurementProtocol(endpoint))
    let report = await queue.analytics.drain()
    guard report.remaining == 0 else { throw BenchmarkFailure("drained \(report)") }
    guard let peak = OwnProcess.memory("VmHWM:") else { throw BenchmarkFailure("this system does not tell") }
    print(peak)
  }

  private static func written() async throws -> [Row] {
    let count = 20_000
    let directory = try ScratchDirectory()
    let raw = try await bytes(count) {
      guard baseline_insert(directory.path + "/store", Int32(count), 768, 1) == 0 else {
        throw BenchmarkFailure("the raw SQLite program fails")
      }
    }
    var rows: [Row] = []
    for (what, size, bound) in [("one at a time", 1, 16.5), ("groups of 64", 64, 1.5)] {
      let queue = try QueueUnderTest()
      let ours = try await bytes(count) {
        if size == 1 { try queue.sendOneByOne(count) } else { try await queue.send(count, groupsOf: size) }
        await queue.analytics.close()
      }
      rows.append(
        Row(
          number: "HQ-1006", what: "bytes written for a hit, \(what)", figure: String(format: "%.2f KiB", ours),
          baseline: String(format: "A, raw SQLite, 768 bytes a row, one a transaction: %.2f KiB", raw),
          ratio: ours / raw,
          bound: "≤ \(bound) KiB", bounds: [.init(measured: ours, limit: bound)]))
    }
    return rows
  }

  /// KiB that are given to the system to write, for one of so many.
  private static func bytes(_ count: Int, _ work: () async throws -> Void) async throws -> Double {
    let before = OwnProcess.written
    try await work()
    guard let before, let after = OwnProcess.written else { throw BenchmarkFailure("this system does not tell") }
    return (after - before) / Double(count) / 1_024
  }

  private static func opening() async throws -> [Row] {
    let directory = try ScratchDirectory()
    try await fill(directory, to: "http://127.0.0.1:9")
    let raw = directory.path + "/raw"
    guard baseline_insert(raw, Int32(waiting), 285, 1_000) == 0 else { throw BenchmarkFailure("C fails to insert") }
    let (ours, baseline) = try await Measurement.alternating(runs: 21) {
      let start = ContinuousClock.now
      let queue = try QueueUnderTest(in: directory, to: .measurementProtocol("http://127.0.0.1:9"))
      try queue.sendOneByOne(1)
      let wall = (ContinuousClock.now - start) / .seconds(1)
      await queue.analytics.close()
      return Measurement(wall: wall, processor: 0, allocations: 0)
    } against: {
      try Measurement.once {
        guard baseline_insert(raw, 1, 285, 1) == 0 else { throw BenchmarkFailure("C fails to insert") }
      }
    }
    let ratio = ours.wall / baseline.wall
    return [
      Row(
        number: "HQ-1007", what: "open a clean store of \(waiting) hits, to the first durable receipt",
        figure: Figure.time(ours.wall), baseline: "raw SQLite, open and insert: \(Figure.time(baseline.wall))",
        ratio: ratio, bound: "≤ 5 × the baseline", bounds: [.init(measured: ratio, limit: 5)])
    ]
  }

  private static func idle() throws -> [Row] {
    let seconds = 30
    let sink = try Sink()
    defer { sink.stop() }
    let figures = try OwnProcess.figures([idleOption, "\(seconds)", sink.endpoint])
    guard figures.count == 2 else { throw BenchmarkFailure("HQ-1009: this system does not tell") }
    return [
      Row(
        number: "HQ-1009",
        what: "wake-ups in \(seconds) s with an empty queue, dispatch every 120 s, a connection kept",
        figure: String(format: "%.0f", figures[1]),
        baseline: String(format: "the same process before it had a queue: %.0f", figures[0]), ratio: nil,
        bound: "none beyond those without a queue",
        bounds: [.holds(figures[1] <= figures[0])])
    ]
  }

  /// Prints how often this process is woken in some time without a queue, and with one that has sent its hits.
  static func printWakeUps(in seconds: Double, endpoint: String) async throws {
    // What begins with the process is no waking of an idle one.
    _ = wakeUps(in: 2)
    print(wakeUps(in: seconds))
    let queue = try QueueUnderTest(
      in: ScratchDirectory(), to: .measurementProtocol(endpoint), interval: 120)
    try await queue.send(40, groupsOf: 20)
    queue.analytics.dispatch()
    while try await queue.analytics.statistics().hits > 0 { try await Task.sleep(for: .milliseconds(10)) }
    // What ends behind the last answer is no waking of an idle queue.
    _ = wakeUps(in: 2)
    print(wakeUps(in: seconds))
    await queue.analytics.close()
  }

  /// Blocks this thread alone, which is not counted.
  private static func wakeUps(in seconds: Double) -> Double {
    let before = OwnProcess.wakeUps
    usleep(UInt32(seconds * 1e6))
    return OwnProcess.wakeUps - before
  }
}
