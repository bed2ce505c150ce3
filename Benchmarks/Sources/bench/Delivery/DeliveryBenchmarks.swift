import CBaselines
import Foundation
import HitQueue
import Hits

/// What keeping and sending hits costs, beside C programs that do the bare work (HQ-1000 to HQ-1002).
///
/// Each figure is the median of five runs of 20,000 hits, in turns with the baseline.
enum DeliveryBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("HQ-1000", oneByOne), Benchmark("HQ-1001", grouped), Benchmark("HQ-1002", drain),
  ]

  private static let hits = 20_000

  private static func oneByOne() async throws -> [Row] {
    let (ours, baseline) = try await Measurement.alternating {
      let queue = try QueueUnderTest()
      let figure = try Measurement.once(operations: hits) { try queue.sendOneByOne(hits) }
      await queue.analytics.close()
      return figure
    } against: {
      try insert(rowsATransaction: 1)
    }
    let ratio = ours.processor / baseline.processor
    return [
      Row(
        number: "HQ-1000", what: "durable send, one at a time", figure: ours.times,
        baseline: "A, raw SQLite: \(baseline.times); S, recorded: 133 µs CPU", ratio: ratio,
        bound: "CPU ≤ 1.4 × A and ≤ S / 5",
        bounds: [.init(measured: ratio, limit: 1.4), .init(measured: ours.processor, limit: 133e-6 / 5)])
    ]
  }

  private static func grouped() async throws -> [Row] {
    let (ours, baseline) = try await Measurement.alternating {
      let queue = try QueueUnderTest()
      let figure = try await Measurement.once(operations: hits) { try await queue.send(hits, tasks: 64) }
      await queue.analytics.close()
      return figure
    } against: {
      try insert(rowsATransaction: 20)
    }
    let ratio = ours.processor / baseline.processor
    return [
      Row(
        number: "HQ-1001", what: "durable send from 64 tasks", figure: ours.times,
        baseline: "B, raw SQLite, 20 a transaction: \(baseline.times)", ratio: ratio, bound: "CPU ≤ 3 × B",
        bounds: [.init(measured: ratio, limit: 3)])
    ]
  }

  private static func drain() async throws -> [Row] {
    let sink = try Sink()
    defer { sink.stop() }
    let endpoint = sink.endpoint
    let (ours, baseline) = try await Measurement.alternating {
      let queue = try QueueUnderTest(endpoint: endpoint)
      try await queue.send(hits, tasks: 64)
      return try await queue.drain(hits)
    } against: {
      try RawQueue.drain(hits, each: 20, to: endpoint)
    }
    let (processor, wall) = (ours.processor / baseline.processor, ours.wall / baseline.wall)
    return [
      Row(
        number: "HQ-1002", what: "drain, MP v1, 20 a request", figure: ours.times,
        baseline: "C, SQLite and libcurl: \(baseline.times)", ratio: processor,
        bound: "CPU ≤ 2 × C, wall ≤ 2 × C",
        bounds: [.init(measured: processor, limit: 2), .init(measured: wall, limit: 2)])
    ]
  }

  private static func insert(rowsATransaction: Int32) throws -> Measurement {
    let directory = try ScratchDirectory()
    return try Measurement.once(operations: hits) {
      guard baseline_insert(directory.path + "/store", Int32(hits), 768, rowsATransaction) == 0 else {
        throw BenchmarkFailure("the raw SQLite program fails")
      }
    }
  }
}
