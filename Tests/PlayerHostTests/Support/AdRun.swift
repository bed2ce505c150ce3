#if os(Linux)
  import Hits
  import TestSupport
  import Testing
  import VideoAds

  @testable import PlayerHost

  /// Ads of an inline document on a real player without a screen, in real time: what the app hears and what is owed.
  @MainActor
  final class AdRun: AdsManagerDelegate {
    let server: MediaServer
    private let sink = RecordingSink()
    private let loader: AdsLoader
    private let links = NoPages()
    private(set) var log: [String] = []
    private(set) var records: [PlayRecord] = []
    private(set) var isOver = false

    init() throws {
      server = try #require(try MediaServer(), "the clips cannot be made")
      loader = AdsLoader(
        environment: AdsEnvironment(
          transport: ScriptedTransport(), hits: sink, players: GStreamerPlayerFactory(), links: links,
          privacy: FixedPrivacySignals()))
    }

    /// One ad whose trackers are named by their events.
    func ad(_ path: String, type: String = "video/mp4", duration: String = "00:00:06") -> String {
      let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map {
        "<Tracking event='\($0)'>\(server.url("beacon/\($0)"))</Tracking>"
      }
      return """
        <VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
        <Error>\(server.url("beacon/error-[ERRORCODE]"))</Error><Impression>\(server.url("beacon/impression"))</Impression>
        <Creatives><Creative><Linear><Duration>\(duration)</Duration>
        <TrackingEvents>\(events.joined())</TrackingEvents><MediaFiles><MediaFile delivery='progressive' type='\(type)'
        width='640' height='360'>\(server.url(path))</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }

    /// Plays a document to its end; false when there was none in time.
    func play(_ document: String, loadTimeout: Double = 2, stallTimeout: Double = 1.5) async throws -> Bool {
      let manager = try await loader.load(AdsRequest(adsResponse: document)) { [weak self] in
        self?.records.append($0)
      }
      manager.delegate = self
      let settings = AdsRenderingSettings()
      settings.loadVideoTimeout = loadTimeout
      settings.stallTimeout = stallTimeout
      manager.initialize(with: settings)
      defer { manager.destroy() }
      return await RealTime.wait { self.isOver }
    }

    /// The beacons so far, by their names.
    var beacons: [String] {
      sink.hits.compactMap { $0.get("url") }.compactMap { $0.split(separator: "/").last.map(String.init) }
    }

    func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
      if event.kind == .loaded { manager.start() }
      if event.kind == .allAdsCompleted { isOver = true }
    }

    func adsManager(_ manager: AdsManager, didReceive error: AdError) { log.append("error") }
    func adsManagerDidRequestContentPause(_ manager: AdsManager) { log.append("pause") }
    func adsManagerDidRequestContentResume(_ manager: AdsManager) { log.append("resume") }
  }

  @MainActor
  private final class NoPages: LinkOpener {
    nonisolated init() {}
    func canOpen(_ url: String) -> Bool { false }
    func open(_ url: String, closed: @escaping @MainActor () -> Void) { closed() }
  }
#endif
