import Foundation
import WebTags
import WebViewHost

/// What a hidden page costs in a helper process (WT-1000 to WT-1006); nothing where its engine is not.
enum PageBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("WT-1000", start), Benchmark("WT-1001", bridge), Benchmark("WT-1004", memory),
    Benchmark("WT-1005", idle), Benchmark("WT-1006", crash),
  ]

  private static var factory: WebViewHostFactory {
    WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))
  }

  /// Says that there is no engine, in place of figures.
  private static func measured(_ number: String, _ rows: () async throws -> [Row]) async throws -> [Row] {
    do { return try await rows() } catch let error as PageHostError where error.code == .unavailable {
      return [
        Row(
          number: number, what: "hidden page", figure: "not measured here: \(error.message)", baseline: "–", ratio: nil,
          bound: "–", bounds: [])
      ]
    }
  }

  private static func start() async throws -> [Row] {
    try await measured("WT-1000") {
      var (cold, second, reload): ([Double], [Double], [Double]) = ([], [], [])
      for _ in 0..<5 {
        let factory = factory
        let (page, other): (PageUnderTest, PageUnderTest)
        (page, cold) = try await timed(cold) {
          let page = try await PageUnderTest(factory: factory)
          try await page.load(1)
          return page
        }
        (other, second) = try await timed(second) {
          let page = try await PageUnderTest(factory: factory)
          try await page.load(1)
          return page
        }
        (_, reload) = try await timed(reload) { try await page.load(2) }
        await other.host.close()
        await page.host.close()
      }
      return [
        row("WT-1000", "helper started, page opened and loaded", cold, "≤ 2.0 s", 2),
        row("WT-1000", "a second page in the same helper", second, "≤ 0.6 s", 0.6),
        row("WT-1000", "another load of a page", reload, "≤ 0.3 s", 0.3),
      ]
    }
  }

  private static func bridge() async throws -> [Row] {
    try await measured("WT-1001") {
      let page = try await PageUnderTest(factory: factory)
      try await page.load(1)
      let count = 1_000
      let events = (0..<count).map(PageUnderTest.event)
      let single = try await seconds { for event in events { _ = try await page.host.call("deliver", event) } }
      let batches = stride(from: 0, to: count, by: 10).map { start in
        "{\"events\":[\(events[start..<start + 10].joined(separator: ","))]}"
      }
      let batched = try await seconds { for batch in batches { _ = try await page.host.call("deliver", batch) } }
      let turns = 200
      async let answers: Void = page.answer(turns)
      var trips: [Double] = []
      for _ in 0..<turns { (_, trips) = try await timed(trips) { _ = try await page.host.call("ask", "null") } }
      try await answers
      await page.host.close()
      let bytes = events[0].utf8.count
      return [
        rate("events of \(bytes) bytes, one a call, one after another", Double(count) / single, 1_000),
        rate("the same, ten a call", Double(count) / batched, 4_000),
        row("WT-1001", "call, message to the app and call back", trips, "≤ 3 ms", 3e-3),
      ]
    }
  }

  private static func memory() async throws -> [Row] {
    try await measured("WT-1004") {
      let own = ownMemory
      let factory = factory
      let processes = ChildProcesses()
      let page = try await PageUnderTest(factory: factory)
      try await page.load(1)
      let (one, app) = (processes.memory(), ownMemory - own)
      let other = try await PageUnderTest(factory: factory)
      try await other.load(1)
      let two = processes.memory()
      await other.host.close()
      let closing = ContinuousClock.now
      await page.host.close()
      while processes.count() > 0, closing.duration(to: .now) < .seconds(10) {
        try await Task.sleep(for: .milliseconds(10))
      }
      let ended = closing.duration(to: .now) / .seconds(1)
      return [
        size("memory that a page adds to the app", app, 15),
        size("memory of all engine processes, one page", one, 300),
        size("what a second page adds to that", two - one, 100),
        row("WT-1004", "from closing the last page until no process is left", [ended], "≤ 3 s", 3),
      ]
    }
  }

  private static func idle() async throws -> [Row] {
    try await measured("WT-1005") {
      let processes = ChildProcesses()
      let page = try await PageUnderTest(factory: factory)
      try await page.load(1)
      try await Task.sleep(for: .seconds(62))
      let before = processes.processor()
      let begin = ContinuousClock.now
      try await Task.sleep(for: .seconds(60))
      let share = (processes.processor() - before) / (begin.duration(to: .now) / .seconds(1))
      await page.host.close()
      return [
        Row(
          number: "WT-1005", what: "idle page after its first minute, all processes",
          figure: String(format: "%.2f %% of a core", share * 100), baseline: "–", ratio: nil, bound: "≤ 2 %",
          bounds: [.init(measured: share, limit: 0.02)])
      ]
    }
  }

  private static func crash() async throws -> [Row] {
    try await measured("WT-1006") {
      let page = try await PageUnderTest(factory: factory)
      var times: [Double] = []
      for number in 1...5 {
        try await page.load(UInt64(number * 2))
        await page.host.terminate()
        (_, times) = try await timed(times) { try await page.load(UInt64(number * 2 + 1)) }
      }
      await page.host.close()
      return [row("WT-1006", "load after the content process was ended", times, "≤ 1 s", 1)]
    }
  }

  private static func row(_ number: String, _ what: String, _ times: [Double], _ bound: String, _ limit: Double) -> Row
  {
    let median = times.sorted()[times.count / 2]
    return Row(
      number: number, what: what, figure: Figure.time(median), baseline: "–", ratio: nil, bound: bound,
      bounds: [.init(measured: median, limit: limit)])
  }

  private static func rate(_ what: String, _ perSecond: Double, _ least: Double) -> Row {
    Row(
      number: "WT-1001", what: what, figure: String(format: "%.0f events/s", perSecond), baseline: "–", ratio: nil,
      bound: String(format: "≥ %.0f/s", least), bounds: [.init(measured: least, limit: perSecond)])
  }

  private static func size(_ what: String, _ bytes: Double, _ mebibytes: Double) -> Row {
    let figure = bytes / Double(1 << 20)
    return Row(
      number: "WT-1004", what: what, figure: String(format: "%.1f MiB", figure), baseline: "–", ratio: nil,
      bound: String(format: "≤ %.0f MiB", mebibytes), bounds: [.init(measured: figure, limit: mebibytes)])
  }

  private static func seconds(_ work: () async throws -> Void) async throws -> Double {
    let begin = ContinuousClock.now
    try await work()
    return begin.duration(to: .now) / .seconds(1)
  }

  private static func timed<Result>(
    _ times: [Double], _ work: () async throws -> Result
  ) async throws -> (Result, [Double]) {
    let begin = ContinuousClock.now
    let result = try await work()
    return (result, times + [begin.duration(to: .now) / .seconds(1)])
  }

  private static var ownMemory: Double { (OwnProcess.fact("Pss:", in: "/proc/self/smaps_rollup") ?? 0) * 1_024 }
}
