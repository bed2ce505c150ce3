import Foundation
import Hits
import TagManager

/// What reading a value costs (TM-1408).
enum ReadingBenchmarks {
  static let all: [Benchmark] = [Benchmark("TM-1408", constant)]

  private static func constant() throws -> [Row] {
    let running = try RunningManager(ContainerText.constants(190, textLength: 60))
    let values = Dictionary(
      uniqueKeysWithValues: (0..<190).map { ("key \($0)", running.container.string(for: "key \($0)")) })
    var length = 0
    let (ours, baseline) = Measurement.alternating(operations: 200) {
      for _ in 0..<200 { length &+= running.container.string(for: "key 100").utf8.count }
    } against: {
      for _ in 0..<200 { length &+= values["key 100"]?.utf8.count ?? 0 }
    }
    guard length == 2 * 1_100 * 200 * 64 else { throw BenchmarkFailure("TM-1408: wrong values") }
    return [
      Row(
        number: "TM-1408", what: "string(for:) of a constant",
        figure: "\(Figure.time(ours.wall)), \(Figure.count(ours.allocations)) allocations",
        baseline: "Dictionary look-up: \(Figure.time(baseline.wall))", ratio: ours.wall / baseline.wall,
        bound: "≤ 300 ns, no allocation but the result",
        bounds: [.init(measured: ours.wall, limit: 300e-9), .init(measured: ours.allocations.rounded(), limit: 1)])
    ]
  }
}
