import Foundation
import TagManager

/// How fast containers are decoded, beside Foundation's reading of the same content as JSON (TM-1400 to TM-1402).
enum DecodingBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("TM-1400", ready), Benchmark("TM-1401", compiledJSON), Benchmark("TM-1402", large),
  ]

  private static func ready() throws -> [Row] {
    let json = ContainerText.constants(190, textLength: 37)
    let binary = try ContainerText.constants(190, bytes: 17_639, encoded: ContainerText.binary)
    let running = try RunningManager(binary)
    let (ours, baseline) = try Measurement.alternating(runs: 201) {
      running.container.close()
      guard try running.manager.openContainer(ContainerText.id).origin == .default else {
        throw BenchmarkFailure("TM-1400: the container does not open")
      }
      running.manager.container(ContainerText.id)?.close()
    } against: {
      try parse(Data(json.utf8))
    }
    return [
      Row(
        number: "TM-1400", what: "decode a binary of \(binary.count) bytes and open it",
        figure: "\(Figure.time(ours.wall)), \(Figure.count(ours.allocations)) allocations",
        baseline: "JSONSerialization of it as JSON, \(json.utf8.count) bytes: \(Figure.time(baseline.wall))",
        ratio: ours.wall / baseline.wall, bound: "≤ 1.5 ms, ≤ 4,000 allocations",
        bounds: [.init(measured: ours.wall, limit: 1.5e-3), .init(measured: ours.allocations, limit: 4_000)])
    ]
  }

  private static func compiledJSON() throws -> [Row] {
    let data = ContainerText.constants(700, bytes: 100_000, runtimeItems: 300) { Data($0.utf8) }
    let (ours, baseline) = try Measurement.alternating(runs: 51) {
      try decode(data)
    } against: {
      try parse(data)
    }
    return [
      Row(
        number: "TM-1401", what: "decode compiled JSON with runtime, \(data.count) bytes",
        figure: Figure.time(ours.wall), baseline: "JSONSerialization of it: \(Figure.time(baseline.wall))",
        ratio: ours.wall / baseline.wall, bound: "≤ 8 ms", bounds: [.init(measured: ours.wall, limit: 8e-3)])
    ]
  }

  private static func large() throws -> [Row] {
    let json = ContainerText.constants(30_000, bytes: PeakMemory.inputBytes) { Data($0.utf8) }
    return try PeakMemory.Form.allCases.flatMap { form in
      let data = try form.input()
      let (ours, baseline) = try Measurement.alternating(runs: 5) {
        try decode(data)
      } against: {
        try parse(json)
      }
      let memory = try PeakMemory.ofOwnProcess(decoding: data)
      let size = Double(data.count)
      return [
        Row(
          number: "TM-1402", what: "decode \(data.count) bytes, \(form.rawValue)",
          figure: "\(Figure.time(ours.wall)), \(Figure.time(ours.processor)) CPU",
          baseline:
            "JSONSerialization, \(json.count) bytes: \(Figure.time(baseline.wall)), \(Figure.time(baseline.processor)) CPU",
          ratio: ours.wall / baseline.wall, bound: "≤ 400 ms",
          bounds: [.init(measured: ours.wall, limit: 0.4)]),
        Row(
          number: "TM-1402", what: "peak memory of that, \(form.rawValue)",
          figure: memory.map { String(format: "%.1f × the input", $0 / size) } ?? "not known here",
          baseline: "the input: \(data.count) bytes", ratio: memory.map { $0 / size }, bound: "≤ 20 ×",
          bounds: memory.map { [.init(measured: $0, limit: 20 * size)] } ?? []),
      ]
    }
  }

  static func decode(_ data: Data) throws {
    let result = ContainerDecoder.decode(data, id: ContainerText.id)
    guard result.container != nil else { throw BenchmarkFailure("\(result.diagnostics)") }
  }

  private static func parse(_ data: Data) throws { _ = try JSONSerialization.jsonObject(with: data) }
}
