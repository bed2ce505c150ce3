import Authoring
import CBaselines
import Foundation
import TagManager

/// How fast a workspace is checked and compiled, beside Foundation's reading of its export (CO-303).
enum CompilingBenchmarks {
  static let all: [Benchmark] = [Benchmark("CO-303", compiling)]

  private static let settings = CompileSettings { baseline_compressed_size($0, $0.count) }

  private static func compiling() throws -> [Row] {
    let workspace = AuthoredWorkspace.make(tags: 5_000, triggers: 5_000, variables: 2_000)
    let export = Data(workspace.exportBytes)
    guard let container = workspace.compiled(settings).container else {
      throw BenchmarkFailure("CO-303: \(workspace.compiled(settings).diagnostics.prefix(3))")
    }
    let compiled = try JSONContainerEncoder().encode(container)
    let (ours, baseline) = try Measurement.alternating(runs: 7) {
      guard workspace.compiled(settings).container != nil else { throw BenchmarkFailure("CO-303: not compiled") }
    } against: {
      _ = try JSONSerialization.jsonObject(with: export)
    }
    let (reading, _) = try Measurement.alternating(runs: 7) {
      guard WorkspaceReading(export: Array(export)).workspace != nil else { throw BenchmarkFailure("CO-303: not read") }
    } against: {
    }
    return [
      Row(
        number: "CO-303",
        what: "check and compile 5,000 tags, 5,000 triggers, 2,000 variables to \(compiled.count) bytes",
        figure: "\(Figure.time(ours.wall)), \(Figure.time(ours.processor)) CPU",
        baseline:
          "JSONSerialization of the export, \(export.count) bytes: \(Figure.time(baseline.wall)), \(Figure.time(baseline.processor)) CPU",
        ratio: ours.processor / baseline.processor, bound: "< 1 s of one core",
        bounds: [.init(measured: ours.processor, limit: 1)]),
      Row(
        number: "CO-303", what: "read that export",
        figure: "\(Figure.time(reading.wall)), \(Figure.time(reading.processor)) CPU",
        baseline: "the same", ratio: reading.processor / baseline.processor, bound: "–", bounds: []),
    ]
  }
}
