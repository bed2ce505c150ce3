import Foundation
import Hits
import Synchronization
import TagManager

/// Events from several threads at once (TM-1409).
enum ThreadBenchmarks {
  static let all: [Benchmark] = [Benchmark("TM-1409", eight)]

  private static func eight() throws -> [Row] {
    let (ours, isComplete) = try push(threads: 8, events: 100_000)
    let (baseline, _) = try push(threads: 1, events: 100_000)
    let rate = { (measurement: Measurement) in "\(Int(1 / measurement.wall / 1_000))k events/s" }
    return [
      Row(
        number: "TM-1409",
        what: "8 threads pushing 100,000 events each: \(isComplete ? "none lost, order total" : "events lost")",
        figure: rate(ours), baseline: "1 thread pushing 100,000: \(rate(baseline)); the ratio is of time an event",
        ratio: ours.wall / baseline.wall, bound: "≥ 200,000 events/s in all",
        bounds: [.init(measured: ours.wall, limit: 1 / 200_000), .holds(isComplete)])
    ]
  }

  /// Pushes and waits until every event is evaluated; tells whether each fired its tag and the places in the order are
  /// all different, rise on each thread, and leave none out.
  private static func push(threads: Int, events: Int) throws -> (Measurement, Bool) {
    let running = try RunningManager(ContainerText.rules(10))
    let update: [String: Value] = ["event": "event 5", "screenName": "Home Screen"]
    let before = running.dataLayer.push(["screenName": "Home Screen"]).sequence
    let places = Mutex([UInt64]())
    let rises = Mutex(true)
    let measurement = Measurement.once(operations: threads * events) {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in
        var own: [UInt64] = []
        own.reserveCapacity(events)
        for _ in 0..<events { own.append(running.dataLayer.push(update).sequence) }
        let isRising = zip(own, own.dropFirst()).allSatisfy(<)
        rises.withLock { $0 = $0 && isRising }
        places.withLock { [own] in $0 += own }
      }
      while running.firedTags < threads * events { usleep(50) }
    }
    let sorted = places.withLock { $0 }.sorted()
    return (measurement, rises.withLock { $0 } && sorted == Array((before + 1)...(before + UInt64(threads * events))))
  }
}
