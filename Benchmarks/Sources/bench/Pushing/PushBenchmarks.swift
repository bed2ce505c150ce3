import Foundation
import Hits
import TagManager

/// What a push costs (TM-1403 to TM-1406).
enum PushBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("TM-1403", withoutEvent), Benchmark("TM-1404", withEvent), Benchmark("TM-1405", manyRules),
    Benchmark("TM-1406", noRule),
  ]

  private static let plain: [String: Value] = ["screenName": "Home Screen", "count": 3]
  private static let event: [String: Value] = ["event": "event 5", "screenName": "Home Screen"]

  private static func withoutEvent() throws -> [Row] {
    let running = try RunningManager(ContainerText.rules(10))
    var merged: [String: Value] = [:]
    let (ours, baseline) = Measurement.alternating(operations: 50) {
      for _ in 0..<50 { running.dataLayer.push(plain) }
    } against: {
      for _ in 0..<50 { merged.merge(plain) { _, new in new } }
    }
    return [
      Row(
        number: "TM-1403", what: "push without event, 2 keys", figure: figure(ours),
        baseline: "Dictionary.merge of the 2 keys: \(Figure.time(baseline.wall))", ratio: ours.wall / baseline.wall,
        bound: "≤ 2 µs, ≤ 12 allocations",
        bounds: [.init(measured: ours.wall, limit: 2e-6), .init(measured: ours.allocations, limit: 12)])
    ]
  }

  private static func withEvent() throws -> [Row] {
    let running = try RunningManager(ContainerText.rules(10))
    let before = running.firedTags
    let (ours, baseline) = Measurement.alternating(operations: 10) {
      for _ in 0..<10 { running.dataLayer.push(event) }
    } against: {
      for _ in 0..<10 { running.dataLayer.push(plain) }
    }
    try expectTags(running, since: before, 1_100 * 10)
    return [
      Row(
        number: "TM-1404", what: "push with event, 10 rules, one function-call tag fires", figure: figure(ours),
        baseline: "push without event: \(Figure.time(baseline.wall)); recorded web engine: 27–76 µs",
        ratio: ours.wall / baseline.wall, bound: "≤ 10 µs, ≤ 60 allocations",
        bounds: [.init(measured: ours.wall, limit: 10e-6), .init(measured: ours.allocations, limit: 60)])
    ]
  }

  private static func manyRules() throws -> [Row] {
    let few = try RunningManager(ContainerText.rules(10))
    let web = [100: "", 10_000: "; recorded web engine: 8,100–62,875 µs"]
    return try [(100, 1.2), (10_000, 1.5)].map { count, limit in
      let many = try RunningManager(ContainerText.rules(count))
      let before = many.firedTags
      let (ours, baseline) = Measurement.alternating(operations: 10) {
        for _ in 0..<10 { many.dataLayer.push(event) }
      } against: {
        for _ in 0..<10 { few.dataLayer.push(event) }
      }
      try expectTags(many, since: before, 1_100 * 10)
      let ratio = ours.wall / baseline.wall
      return Row(
        number: "TM-1405", what: "the same, \(count) rules", figure: figure(ours),
        baseline: "10 rules: \(figure(baseline))\(web[count] ?? "")", ratio: ratio,
        bound: "≤ \(limit) ×, allocations equal",
        bounds: [
          .init(measured: ratio, limit: limit),
          .init(measured: ours.allocations.rounded(), limit: baseline.allocations.rounded()),
        ])
    }
  }

  private static func noRule() throws -> [Row] {
    let few = try RunningManager(ContainerText.rules(10))
    let many = try RunningManager(ContainerText.rules(10_000))
    let other: [String: Value] = ["event": "another", "screenName": "Home Screen"]
    let (ours, baseline) = Measurement.alternating(operations: 10) {
      for _ in 0..<10 { many.dataLayer.push(other) }
    } against: {
      for _ in 0..<10 { few.dataLayer.push(event) }
    }
    return [
      Row(
        number: "TM-1406", what: "event that matches none of 10,000 indexed rules", figure: figure(ours),
        baseline: "TM-1404: \(Figure.time(baseline.wall))", ratio: ours.wall / baseline.wall, bound: "≤ 3 µs",
        bounds: [.init(measured: ours.wall, limit: 3e-6)])
    ]
  }

  private static func figure(_ measurement: Measurement) -> String {
    "\(Figure.time(measurement.wall)), \(Figure.count(measurement.allocations)) allocations"
  }

  private static func expectTags(_ running: RunningManager, since before: Int, _ expected: Int) throws {
    let fired = running.firedTags - before
    guard fired == expected else { throw BenchmarkFailure("\(fired) tags fired instead of \(expected)") }
  }
}
