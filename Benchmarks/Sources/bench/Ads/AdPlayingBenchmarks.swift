import CXMLBaseline
import Foundation
import Hits
import VideoAds

/// How fast chains are resolved and ads played on the simulated player (VA-1601, VA-1602, VA-1605, VA-1606).
enum AdPlayingBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("VA-1601", chain), Benchmark("VA-1602", engine), Benchmark("VA-1605", hour), Benchmark("VA-1606", many),
  ]

  private static let delay = 0.02

  private static func chain() async throws -> [Row] {
    let chain = AdServerUnderTest(delay: .milliseconds(20))
    var (fives, pods, waits): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<9 {
      fives.append(try await chain.loading("wrapper5"))
      pods.append(try await chain.loading("pod"))
      waits.append(
        await Measurement.once {
          for _ in 0..<6 { try? await Task.sleep(for: .milliseconds(20)) }
        }.wall)
    }
    let (ours, pod, baseline) = (fives.sorted()[4], pods.sorted()[4], waits.sorted()[4])
    return [
      Row(
        number: "VA-1601", what: "a chain of five wrappers, each answer after 20 ms", figure: Figure.time(ours),
        baseline: "six waits of 20 ms: \(Figure.time(baseline))", ratio: ours / baseline,
        bound: "≤ 6 × 20 ms + 6 ms", bounds: [.init(measured: ours, limit: 6 * delay + 6e-3)]),
      Row(
        number: "VA-1601", what: "a pod of four wrappers, each answer after 20 ms", figure: Figure.time(pod),
        baseline: "two waits of 20 ms: 40.00 ms", ratio: pod / 0.04, bound: "≤ 2 × 20 ms + 6 ms",
        bounds: [.init(measured: pod, limit: 2 * delay + 6e-3)]),
    ]
  }

  /// Each tick of the player, and all that the manager does for it.
  private static func engine() async throws -> [Row] {
    let (times, allocations) = try await AdServerUnderTest.ticks()
    let sorted = times.sorted()
    let p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    let (early, late) = allocations
    return [
      Row(
        number: "VA-1602", what: "a position event with 500 trackers and 100 ads, player and clock included, p99",
        figure: Figure.time(p99), baseline: "the median: \(Figure.time(sorted[sorted.count / 2]))",
        ratio: p99 / sorted[sorted.count / 2], bound: "≤ 50 µs", bounds: [.init(measured: p99, limit: 50e-6)]),
      Row(
        number: "VA-1602", what: "allocations of a position event, late in the ads", figure: Figure.count(late),
        baseline: "early in them: \(Figure.count(early))", ratio: late / early, bound: "no growth",
        bounds: [.init(measured: late, limit: early * 1.05)]),
    ]
  }

  private static func hour() async throws -> [Row] {
    var walls: [Double] = []
    for _ in 0..<5 { walls.append(try await AdServerUnderTest.hour()) }
    let wall = walls.sorted()[2]
    let setUp = await AdServerUnderTest.setUp()
    return [
      Row(
        number: "VA-1605", what: "an hour of content with twelve breaks of two ads", figure: Figure.time(wall),
        baseline: "the hour itself", ratio: nil, bound: "< 100 ms", bounds: [.init(measured: wall, limit: 0.1)]),
      Row(
        number: "VA-1605", what: "set up a loader", figure: Figure.time(setUp), baseline: "–", ratio: nil,
        bound: "< 1 ms",
        bounds: [.init(measured: setUp, limit: 1e-3)]),
    ]
  }

  private static func many() async throws -> [Row] {
    let (early, late) = try await AdServerUnderTest.heap(after: 20, and: 150)
    return [
      Row(
        number: "VA-1606", what: "heap after 150 ads on one player", figure: String(format: "%.2f MB", late / 1e6),
        baseline: "after the 20th: " + String(format: "%.2f MB", early / 1e6), ratio: late / early, bound: "± 10 %",
        bounds: [.init(measured: late, limit: early * 1.1)])
    ]
  }
}
