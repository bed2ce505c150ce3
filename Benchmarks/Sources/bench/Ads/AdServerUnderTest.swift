import CAllocations
import CXMLBaseline
import Foundation
import Hits
import VideoAds

/// Ad documents behind a transport of a fixed delay, and managers that play them on the simulated player.
struct AdServerUnderTest: HTTPTransport {
  var delay: Duration?

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if let delay { try? await Task.sleep(for: delay) }
    let name = request.url.split(separator: "/").last.map(String.init) ?? ""
    return HTTPResponse(status: 200, body: Array(Self.document(name).utf8), url: request.url)
  }

  private static func document(_ name: String) -> String {
    if name.hasPrefix("wrapper"), let depth = Int(name.dropFirst("wrapper".count)) {
      return vast([wrapper("w", to: depth > 1 ? "wrapper\(depth - 1)" : "one")])
    }
    switch name {
    case "pod":
      return vast((1...4).map { (number: Int) in wrapper("w\(number)", to: "one\(number)", sequence: number) })
    case "two": return vast([ad("a", trackers: 5, sequence: 1), ad("b", trackers: 5, sequence: 2)])
    case "hour":
      let times = ["start"] + (1...10).map { String(format: "00:%02d:00", $0 * 5) } + ["end"]
      return "<VMAP version='1.0'>" + times.map { adBreak($0, "two") }.joined() + "</VMAP>"
    // A document may have 20,000 elements: each ad of the long break stands in one of its own.
    case "long":
      return vast((1...100).map { (number: Int) in wrapper("w\(number)", to: "full\(number)", sequence: number) })
    case _ where name.hasPrefix("full"): return vast([ad(name, trackers: 500)])
    default: return vast([ad("a", trackers: 5)])
    }
  }

  private static func vast(_ ads: [String]) -> String { "<VAST version='4.2'>\(ads.joined())</VAST>" }

  private static func adBreak(_ offset: String, _ name: String) -> String {
    "<AdBreak timeOffset='\(offset)' breakType='linear'><AdSource><AdTagURI>https://a.test/\(name)</AdTagURI></AdSource></AdBreak>"
  }

  private static func ad(_ id: String, trackers: Int, sequence: Int? = nil) -> String {
    let trackings = (0..<trackers).map { number in
      "<Tracking event='progress' offset='\(Double(number) * 10 / Double(trackers))'>https://t.test/\(id)/\(number)</Tracking>"
    }.joined()
    return
      "<Ad id='\(id)'\(sequence.map { " sequence='\($0)'" } ?? "")><InLine><Impression>https://t.test/i</Impression>"
      + "<Creatives><Creative><Linear><Duration>10</Duration><TrackingEvents>\(trackings)</TrackingEvents><MediaFiles>"
      + "<MediaFile type='video/mp4'>https://m.test/v.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
  }

  private static func wrapper(_ id: String, to name: String, sequence: Int? = nil) -> String {
    "<Ad id='\(id)'\(sequence.map { " sequence='\($0)'" } ?? "")><Wrapper><VASTAdTagURI>https://a.test/\(name)</VASTAdTagURI>"
      + "</Wrapper></Ad>"
  }

  /// Wall seconds of loading a document and the chains behind it.
  @MainActor
  func loading(_ name: String) async throws -> Double {
    let loader = AdsLoader(environment: Self.environment(SystemAdClock(), transport: self))
    _ = try await loader.load(AdsRequest(adTagURL: "https://a.test/one"))
    let start = ContinuousClock.now
    _ = try await loader.load(AdsRequest(adTagURL: "https://a.test/\(name)"))
    return Self.seconds(since: start)
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  @MainActor
  private static func environment(_ clock: any AdClock, transport: AdServerUnderTest = AdServerUnderTest())
    -> AdsEnvironment
  {
    AdsEnvironment(
      transport: transport, hits: NoSink(), players: SimulatedPlayerFactory(clock: clock), clock: clock,
      links: NoOpener(),
      privacy: FixedPrivacySignals())
  }

  /// Wall seconds of making a loader.
  @MainActor
  static func setUp() -> Double {
    let environment = environment(ManualAdClock())
    let start = ContinuousClock.now
    for _ in 0..<1_000 { _ = AdsLoader(environment: environment) }
    return seconds(since: start) / 1_000
  }

  /// Processor seconds of each tick of 100 ads with 500 trackers each, and the allocations of a tick in the second and
  /// the last but one tenth.
  @MainActor
  static func ticks() async throws -> ([Double], (Double, Double)) {
    let clock = ManualAdClock()
    let manager = try await AdsLoader(environment: environment(clock)).load(AdsRequest(adTagURL: "https://a.test/long"))
    let listener = ContentListener()
    manager.delegate = listener
    manager.initialize()
    var (times, counts): ([Double], [UInt64]) = ([], [])
    while !listener.isOver {
      let (start, count) = (processorSeconds(), allocations_count())
      guard clock.advanceToNext() else { throw BenchmarkFailure("VA-1602: the ads stop") }
      times.append(processorSeconds() - start)
      counts.append(allocations_count() - count)
    }
    guard listener.started == 100 else { throw BenchmarkFailure("VA-1602: \(listener.started) ads start") }
    let part = max(1, counts.count / 10)
    let mean = { (slice: ArraySlice<UInt64>) in Double(slice.reduce(0, +)) / Double(slice.count) }
    return (times, (mean(counts.dropFirst(part).prefix(part)), mean(counts.dropLast(part).suffix(part))))
  }

  /// Wall seconds of an hour of content with its breaks.
  @MainActor
  static func hour() async throws -> Double {
    let clock = ManualAdClock()
    let content = ManualContentPlayhead(duration: 3_600)
    let loader = AdsLoader(environment: environment(clock))
    let request = AdsRequest(adTagURL: "https://a.test/hour", contentPlayhead: content)
    let start = ContinuousClock.now
    let manager = try await loader.load(request)
    let listener = ContentListener()
    manager.delegate = listener
    manager.initialize()
    while !listener.isOver {
      // Documents arrive in turns of their own; as long as none is on its way, nothing else wants a turn.
      while manager.schedule.breaks.contains(where: { $0.state == .fetching }) { await Task.yield() }
      let before = clock.now
      guard clock.advanceToNext() else { throw BenchmarkFailure("VA-1605: the hour stops at \(content.currentTime) s") }
      if listener.isPlaying {
        content.currentTime = min(3_600, content.currentTime + Double(clock.now - before) / 1_000)
      }
      if content.currentTime >= 3_600 { loader.contentComplete() }
    }
    return seconds(since: start)
  }

  /// Bytes of the heap after two numbers of ads on one player.
  @MainActor
  static func heap(after few: Int, and many: Int) async throws -> (Double, Double) {
    let clock = ManualAdClock()
    let player = OnePlayer(clock: clock)
    var environment = environment(clock)
    environment.players = player
    let loader = AdsLoader(environment: environment)
    var early = 0.0
    for number in 1...many {
      let manager = try await loader.load(AdsRequest(adTagURL: "https://a.test/one"))
      let listener = ContentListener()
      manager.delegate = listener
      manager.initialize()
      while !listener.isOver, clock.advanceToNext() {}
      manager.destroy()
      await Task.yield()
      if number == few { early = Double(xml_baseline_heap()) }
    }
    return (early, Double(xml_baseline_heap()))
  }
}

/// Starts ads, and knows whether content runs.
@MainActor
private final class ContentListener: AdsManagerDelegate {
  var isPlaying = false
  var isOver = false
  var started = 0

  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    if event.kind == .loaded { manager.start() }
    if event.kind == .started { started += 1 }
    if event.kind == .allAdsCompleted { isOver = true }
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) {}
  func adsManagerDidRequestContentPause(_ manager: AdsManager) { isPlaying = false }
  func adsManagerDidRequestContentResume(_ manager: AdsManager) { isPlaying = true }
}

/// Gives every manager the same player.
@MainActor
private final class OnePlayer: AdPlayerFactory {
  private let player: SimulatedPlayer

  init(clock: any AdClock) { player = SimulatedPlayer(clock: clock) }

  func makePlayer() -> (any AdPlayer)? { player }
}

private struct NoSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(state: .dryRun) }
}

@MainActor
private final class NoOpener: LinkOpener {
  nonisolated init() {}

  func canOpen(_ url: String) -> Bool { false }
  func open(_ url: String, closed: @escaping @MainActor () -> Void) { closed() }
}
