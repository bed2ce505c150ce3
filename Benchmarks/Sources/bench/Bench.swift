import Foundation

/// `bench [--only NUMBER]` prints the results as Markdown; `bench --hot-path NAME TIMES` runs work for a simulator.
@main
enum Bench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case nil: measure(Benchmark.all)
    case "--only" where arguments.count == 2:
      let chosen = Benchmark.all.filter { $0.number == arguments[1] }
      guard !chosen.isEmpty else { fail("there is no benchmark \(arguments[1])") }
      measure(chosen)
    case "--hot-path" where arguments.count == 3:
      guard let path = HotPath(rawValue: arguments[1]), let times = Int(arguments[2]) else {
        fail("the hot paths are \(HotPath.allCases.map(\.rawValue))")
      }
      attempt { try path.run(times: times) }
    case StoreBenchmarks.drainOption where arguments.count == 3:
      run { try await StoreBenchmarks.printMemory(ofDraining: arguments[1], to: arguments[2]) }
    case StoreBenchmarks.idleOption where arguments.count == 3:
      run { try await StoreBenchmarks.printWakeUps(in: Double(arguments[1]) ?? 0, endpoint: arguments[2]) }
    case PeakMemory.option where arguments.count == 2: attempt { try PeakMemory.print(ofDecoding: arguments[1]) }
    default: fail("bench [--only NUMBER | --hot-path NAME TIMES]")
    }
  }

  // An asynchronous `main` ends the main thread, which the simulator does not survive.
  private static func measure(_ benchmarks: [Benchmark]) { run { try await printRows(benchmarks) } }

  private static func run(_ work: @escaping @Sendable () async throws -> Void) {
    Task {
      do { try await work() } catch { fail("\(error)") }
      exit(0)
    }
    dispatchMain()
  }

  private static func attempt(_ work: () throws -> Void) {
    do { try work() } catch { fail("\(error)") }
  }

  private static func printRows(_ benchmarks: [Benchmark]) async throws {
    print(
      """
      # Results

      \(Date().formatted(.iso8601)), \(Machine.text); load at the start \(Machine.load)

      Release build. Each figure is a median (TM-1409: one run), measured in turns with its baseline in the same run; the ratio is the
      figure's over the baseline's, of processor time where both times are given. A recorded figure was measured at
      another time and is not part of a ratio. With a load above the number of cores, wall times are too long.

      | number | what | figure | baseline of this run | ratio | bound | kept |
      | --- | --- | --- | --- | --- | --- | --- |
      """)
    for benchmark in benchmarks {
      for row in try await benchmark.rows() { print(row.markdown) }
      fflush(nil)
    }
    print("\nLoad at the end: \(Machine.load).")
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("bench: \(message)\n".utf8))
    exit(2)
  }
}
