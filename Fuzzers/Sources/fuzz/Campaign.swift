import Decoders
import Foundation

/// One run over a sequence of inputs, each of which its number and the seed determine.
struct Campaign {
  let targets: [Target]
  let options: Options

  private struct Tally {
    var runs = 0
    var accepted = 0
    var refusals: [String: Int] = [:]
    var slowest = Duration.zero
    var slowestInput: UInt64 = 0
  }

  /// The input of a number and the target it is for.
  func input(_ number: UInt64) -> (target: Target, bytes: [UInt8]) {
    var random = SplitMix(seed: options.seed &* 0x2545_F491_4F6C_DD1D ^ number &* 0x9E37_79B9_7F4A_7C15)
    let target = targets[Int(number % UInt64(targets.count))]
    let mutator = Mutator(seeds: target.seeds, words: Seeds.words, structure: target.structure)
    return (target, mutator.input(&random))
  }

  /// Tries inputs until time or count is over; false when a promise was broken.
  func run() -> Bool {
    var tallies = [Tally](repeating: Tally(), count: targets.count)
    let clock = ContinuousClock()
    let start = clock.now
    let end = start.advanced(by: .seconds(options.seconds))
    var number: UInt64 = 0
    var isFine = true
    while options.runs.map({ number < $0 }) ?? (clock.now < end), isFine {
      let (target, bytes) = input(number)
      CrashReport.current = number
      alarm(CrashReport.longest)
      var verdict = Target.Verdict.accepted
      let duration = clock.measure { verdict = target.run(bytes) }
      let index = Int(number % UInt64(targets.count))
      tallies[index].runs += 1
      if duration > tallies[index].slowest {
        tallies[index].slowest = duration
        tallies[index].slowestInput = number
      }
      switch verdict {
      case .accepted: tallies[index].accepted += 1
      case .refused(let code): tallies[index].refusals[code, default: 0] += 1
      case .broken(let promise):
        print("fuzz: BROKEN in input \(number) (\(target.name)): \(promise)")
        isFine = false
      }
      number += 1
    }
    alarm(0)
    summarise(tallies, number, in: clock.now - start)
    return isFine
  }

  private func summarise(_ tallies: [Tally], _ count: UInt64, in duration: Duration) {
    for (target, tally) in zip(targets, tallies) {
      let codes = tally.refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) \($0.value)" }
      print(
        """
        \(target.name): \(tally.runs) inputs from \(target.seeds.count) seeds, \(tally.accepted) accepted, \
        slowest \(Self.milliseconds(tally.slowest)) ms (input \(tally.slowestInput))
          refused: \(codes.isEmpty ? "none" : codes.joined(separator: ", "))
        """)
    }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    print(
      "fuzz: \(count) inputs in \(String(format: "%.1f", seconds)) s, peak memory \(Self.peakMegabytes()) MB, no trap")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(
      format: "%.1f", Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) * 1e-15)
  }

  private static func peakMegabytes() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Int(usage.ru_maxrss) / 1_024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss) / 1_048_576
    #endif
  }
}
