import Foundation

/// `bench [--only NUMBER]` prints the results as Markdown; `bench --hot-path NAME TIMES` runs work for a simulator.
@main
enum Bench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case nil: try await measure(Benchmark.all)
    case "--only" where arguments.count == 2:
      let chosen = Benchmark.all.filter { $0.number == arguments[1] }
      guard !chosen.isEmpty else { return fail("there is no benchmark \(arguments[1])") }
      try await measure(chosen)
    case "--hot-path" where arguments.count == 3:
      guard let path = HotPath(rawValue: arguments[1]), let times = Int(arguments[2]) else {
        return fail("the hot paths are \(HotPath.allCases.map(\.rawValue))")
      }
      try await path.run(times: times)
    case PeakMemory.option where arguments.count == 2: try PeakMemory.print(ofDecoding: arguments[1])
    default: fail("bench [--only NUMBER | --hot-path NAME TIMES]")
    }
  }

  private static func measure(_ benchmarks: [Benchmark]) async throws {
    print(
      """
      # Results

      \(Date().formatted(.iso8601)), \(Machine.text)

      Release build. Each figure is a median, measured in turns with its baseline in the same run; the ratio is the
      figure's over the baseline's, of processor time where both times are given. A recorded figure was measured at
      another time and is not part of a ratio.

      | number | what | figure | baseline of this run | ratio | bound | kept |
      | --- | --- | --- | --- | --- | --- | --- |
      """)
    for benchmark in benchmarks {
      for row in try await benchmark.rows() { print(row.markdown) }
      fflush(nil)
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
    exit(2)
  }
}
