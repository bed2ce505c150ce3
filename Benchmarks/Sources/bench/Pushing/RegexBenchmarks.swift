import Foundation
import Hits
import Synchronization
import TagManager

/// Events against regular expressions (TM-1407, TM-1412).
enum RegexBenchmarks {
  static let all: [Benchmark] = [Benchmark("TM-1407", thousand), Benchmark("TM-1412", endless)]

  private static func thousand() throws -> [Row] {
    let pattern = { (index: Int) in "^view[A-Z][a-z]+\(index)x?$" }
    let running = try RunningManager(ContainerText.rules(1_000) { ("_re", pattern($0)) })
    let name = "viewProduct500"
    let expressions = try (0..<1_000).map { try NSRegularExpression(pattern: pattern($0)) }
    var matches = 0
    let before = running.firedTags
    let (ours, baseline) = Measurement.alternating(runs: 100) {
      running.dataLayer.push(["event": .string(name)])
    } against: {
      for expression in expressions {
        let range = NSRange(location: 0, length: name.utf16.count)
        if expression.firstMatch(in: name, range: range) != nil { matches += 1 }
      }
    }
    guard running.firedTags - before == 110, matches == 110 else { throw BenchmarkFailure("TM-1407: wrong matches") }
    return [
      Row(
        number: "TM-1407", what: "event against 1,000 rules, each a regex on its name", figure: Figure.time(ours.wall),
        baseline: "1,000 × NSRegularExpression.firstMatch: \(Figure.time(baseline.wall))",
        ratio: ours.wall / baseline.wall, bound: "≤ 1.5 ms", bounds: [.init(measured: ours.wall, limit: 1.5e-3)])
    ]
  }

  private static func endless() async throws -> [Row] {
    let expression = try NSRegularExpression(pattern: "(a+)+$")
    var samples: (ours: [Measurement], baseline: [Measurement]) = ([], [])
    let short = String(repeating: "a", count: 18) + "b"
    var isTold = true
    for _ in 0..<5 {
      // A manager of its own each time: what it learned of the expression must not help.
      let running = try RunningManager(ContainerText.rules(2) { $0 == 0 ? ("_re", "(a+)+$") : ("_ew", "b") })
      let event = Value.string(String(repeating: "a", count: 34) + "b")
      let warnings = WarningRecorder()
      running.manager.logger = warnings
      running.dataLayer.push(["event": "warm up"])
      var receipt: PushReceipt?
      samples.ours.append(Measurement.once { receipt = running.dataLayer.push(["event": event]) })
      samples.baseline.append(
        Measurement.once {
          _ = expression.firstMatch(in: short, range: NSRange(location: 0, length: short.utf16.count))
        })
      let rules = await receipt?.outcome.containers.flatMap(\.rules) ?? []
      let reasons = rules.flatMap(\.predicates).map(\.reason.description)
      isTold = isTold && reasons.contains("failed(regex)") && warnings.tellTimeout && running.firedTags == 1
    }
    let (ours, baseline) = (Measurement.median(of: samples.ours), Measurement.median(of: samples.baseline))
    return [
      Row(
        number: "TM-1412",
        what: "regex (a+)+$ on 34 a and a b: stopped, the next rule fires, the trace \(isTold ? "tells" : "is silent")",
        figure: Figure.time(ours.wall),
        baseline: "NSRegularExpression on 18 a and a b: \(Figure.time(baseline.wall)), twice that for each a more",
        bound: "≤ 60 ms, trace `failed(regex)`, warning of the time-out (E8)",
        bounds: [.init(measured: ours.wall, limit: 60e-3), .holds(isTold)])
    ]
  }
}

/// Remembers whether a search was said to be stopped for its time.
private final class WarningRecorder: TagLogger {
  private let isTold = Mutex(false)

  var tellTimeout: Bool { isTold.withLock { $0 } }

  func warning(_ message: String) {
    if message.contains("more than 50 ms") { isTold.withLock { $0 = true } }
  }

  func error(_ message: String) {}
  func info(_ message: String) {}
  func debug(_ message: String) {}
  func verbose(_ message: String) {}
}
