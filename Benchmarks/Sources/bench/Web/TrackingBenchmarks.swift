import Foundation
import Hits
import Tagworks
import WebTags

/// What tracking costs whoever tracks, and what the queue and the settings cost, on a page without an engine (WT-1002,
/// WT-1003, WT-1007).
enum TrackingBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("WT-1002", tracking), Benchmark("WT-1003", queue), Benchmark("WT-1007", settings),
  ]

  /// An instance in a folder of its own, which it keeps.
  private static func instance(isHung: Bool, folder: URL, key: String) throws -> WebTagManager {
    var configuration = WebTagsConfiguration(account: "a", profile: "p", environment: "e")
    guard let base = URL(string: "https://page.invalid/") else { throw BenchmarkFailure("a constant URL") }
    configuration.pageMode = .bundled(html: "<p>", base: base)
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.flushRate = .infinity
    configuration.storageRoot = folder
    return try WebTagManager.newInstance(
      forKey: key, configuration: configuration,
      environment: try .live(host: StubPageFactory(isHung: isHung), device: FixedDevice()))
  }

  private static func withInstance<Result>(
    isHung: Bool, _ body: (WebTagManager) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = UUID().uuidString
    let result = try await body(try instance(isHung: isHung, folder: folder, key: key))
    await WebTagManager.destroyInstance(forKey: key)
    return result
  }

  private static func tracking() async throws -> [Row] {
    let times = try await withInstance(isHung: true) { manager in
      let clock = ContinuousClock()
      return (0..<10_000).map { number in
        clock.measure { manager.trackEvent(title: "event", data: ["number": .int(Int64(number))]) } / .seconds(1)
      }.sorted()
    }
    let (median, late) = (times[times.count / 2], times[times.count * 99 / 100])
    let count = 100_000
    let (seconds, outcomes) = try await withInstance(isHung: false) { manager in
      let ends = AsyncStream<EventOutcome>.makeStream()
      let begin = ContinuousClock.now
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for number in 0..<count / 8 {
          manager.track(TagEvent(kind: .link, title: "event", data: ["number": .int(Int64(number))])) { _, outcome in
            ends.continuation.yield(outcome)
          }
        }
      }
      var (ended, outcomes) = (0, [String: Int]())
      for await outcome in ends.stream {
        ended += 1
        outcomes[outcome.code, default: 0] += 1
        if ended == count { break }
      }
      return (begin.duration(to: .now) / .seconds(1), outcomes)
    }
    // All at once are more than the 64 MiB that may wait (WT-433): the oldest go, and say so.
    let (delivered, full) = (outcomes["delivered"] ?? 0, outcomes["queue_full"] ?? 0)
    return [
      Row(
        number: "WT-1002", what: "`track` on the caller while the page hangs, 10,000 calls, median",
        figure: Figure.time(median), baseline: "–", ratio: nil, bound: "≤ 20 µs",
        bounds: [.init(measured: median, limit: 20e-6)]),
      Row(
        number: "WT-1002", what: "the same, 99th percentile", figure: Figure.time(late), baseline: "–", ratio: nil,
        bound: "≤ 1 ms", bounds: [.init(measured: late, limit: 1e-3)]),
      Row(
        number: "WT-1002", what: "\(count) events of 8 threads, \(delivered) delivered, \(full) told of as too many",
        figure: String(format: "%.0f events/s", Double(count) / seconds), baseline: "–", ratio: nil, bound: "none lost",
        bounds: [.holds(delivered + full == count)]),
    ]
  }

  private static func queue() async throws -> [Row] {
    let count = 10_000
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = UUID().uuidString
    func start() async throws -> (manager: WebTagManager, seconds: Double) {
      let begin = ContinuousClock.now
      let manager = try instance(isHung: true, folder: folder, key: key)
      // The first answer of the loop: what is stored has been read by then.
      _ = await manager.trackEvent(title: "first").stored()
      return (manager, begin.duration(to: .now) / .seconds(1))
    }
    let (manager, empty) = try await start()
    let begin = ContinuousClock.now
    let events = (0..<count).map { manager.trackEvent(title: "event", data: ["number": .int(Int64($0))]) }
    for event in events { _ = await event.stored() }
    let storing = begin.duration(to: .now) / .seconds(1)
    await WebTagManager.destroyInstance(forKey: key)
    let (_, full) = try await start()
    await WebTagManager.destroyInstance(forKey: key)
    return [
      Row(
        number: "WT-1003", what: "\(count) events tracked and stored", figure: Figure.time(storing), baseline: "–",
        ratio: nil, bound: "≤ 2 s", bounds: [.init(measured: storing, limit: 2)]),
      Row(
        number: "WT-1003", what: "what \(count) waiting events add to the start",
        figure: Figure.time(max(0, full - empty)),
        baseline: "start without: \(Figure.time(empty))", ratio: nil, bound: "≤ 100 ms",
        bounds: [.init(measured: full - empty, limit: 0.1)]),
    ]
  }

  private static func settings() throws -> [Row] {
    let filler = String(repeating: "<p>a page of a shop</p>\n", count: 100 * 1024 / 24)
    let page = Data(("<html><script>var mps = {\"4\":{},\"5\":{\"event_batch_size\":\"3\"}};</script>" + filler).utf8)
    let hostile = Data(("<script>mps = " + String(repeating: "{", count: 1 << 20)).utf8)
    func time(_ data: Data) -> Double {
      let times = (0..<5).map { _ in
        ContinuousClock().measure { _ = try? PublishSettings.parse(page: data) } / .seconds(1)
      }
      return times.sorted()[2]
    }
    let (usual, worst) = (time(page), time(hostile))
    return [
      Row(
        number: "WT-1007", what: "publish settings of a page of 100 KB", figure: Figure.time(usual), baseline: "–",
        ratio: nil, bound: "≤ 5 ms", bounds: [.init(measured: usual, limit: 5e-3)]),
      Row(
        number: "WT-1007", what: "1 MB of opening braces in place of settings", figure: Figure.time(worst),
        baseline: "–", ratio: nil, bound: "≤ 50 ms", bounds: [.init(measured: worst, limit: 50e-3)]),
    ]
  }
}
