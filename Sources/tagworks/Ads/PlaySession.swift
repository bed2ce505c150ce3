import Hits
import VideoAds

/// One run of a manager beside simulated content.
@MainActor
final class PlaySession {
  private let request: AdsRequest
  private let unreadable: AdError?
  private let settings: AdsSettings
  private let environment: AdsEnvironment
  private let manual: ManualAdClock?
  private let content: SimulatedContent
  private let skips: Bool
  private let isMuted: Bool
  private let sink: LiveBeaconSink?
  /// The program that plays; nil for the simulated player.
  private let stage: RemoteStage?
  private var hasPlayed = false
  private var isClosed = false

  init(_ source: AdsSource, _ arguments: Arguments, _ stage: RemoteStage? = nil) throws {
    self.stage = stage
    manual = arguments.has("--fast") ? ManualAdClock() : nil
    let clock: any AdClock = manual ?? SystemAdClock()
    request = source.request
    unreadable = source.unreadable
    settings = source.settings
    skips = arguments.has("--skip")
    isMuted = arguments.has("--mute")
    let length = try arguments.seconds("--content-duration") ?? source.request.content?.duration ?? 600
    content = SimulatedContent(
      clock: clock, start: min(length, try arguments.seconds("--start") ?? arguments.seconds("--at") ?? 0),
      length: length, seeks: try arguments.all("--seek").map(Self.seek))
    sink =
      arguments.has("--send")
      ? LiveBeaconSink(transport: source.transport, userAgent: "\(ProductInfo.name)/\(ProductInfo.version)") : nil
    environment = source.environment(
      clock: clock, players: stage ?? SimulatedPlayerFactory(clock: clock), hits: sink ?? DiscardingSink(),
      links: stage ?? NoLinks())
  }

  /// A run as fast as it goes, whose beacons are sent.
  init(
    _ request: AdsRequest, settings: AdsSettings, transport: any HTTPTransport, length: Double, sink: LiveBeaconSink
  ) {
    let clock = ManualAdClock()
    manual = clock
    stage = nil
    self.request = request
    unreadable = nil
    self.settings = settings
    self.sink = sink
    (skips, isMuted) = (false, false)
    content = SimulatedContent(clock: clock, start: 0, length: length, seeks: [])
    environment = AdsEnvironment(
      transport: transport, hits: sink, players: SimulatedPlayerFactory(clock: clock), clock: clock, links: NoLinks(),
      privacy: FixedPrivacySignals())
  }

  private static func seek(_ text: String) throws(UsageError) -> (from: Double, to: Double) {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 0 && $0 < 1e6 }) else {
      throw UsageError("--seek takes FROM:TO in seconds, not '\(text)'")
    }
    return (parts[0], parts[1])
  }

  /// Plays everything and hands on each record; the times of records begin at 0.
  func run(_ print: @escaping @MainActor (PlayRecord) -> Void) async -> ExitStatus {
    let loader = AdsLoader(settings: settings, environment: environment)
    var request = request
    request.contentPlayhead = content
    request.displayContainer = stage?.container
    let start = environment.clock.now
    let manager: AdsManager
    do throws(AdError) {
      if let unreadable { throw unreadable }
      manager = try await loader.load(request) { [weak self] record in
        var record = record
        record.time -= start
        print(record)
        if record.kind == .event, record.name == AdEvent.Kind.started.rawValue { self?.hasPlayed = true }
      }
    } catch {
      print(record(of: error, since: start))
      await sink?.drain()
      return error.isUnreachable ? .unavailable : .inputHasErrors
    }
    stage?.manager = manager
    stage?.onClose = { [weak self] in self?.isClosed = true }
    manager.isMuted = isMuted
    manager.delegate = self
    manager.initialize()
    await follow(manager, loader)
    await sink?.drain()
    return hasPlayed ? .success : .inputHasErrors
  }

  private func record(of error: AdError, since start: Int64) -> PlayRecord {
    var record = PlayRecord(
      time: environment.clock.now - start, kind: .error, name: error.code.rawValue,
      code: error.vastCode?.rawValue ?? error.vmapCode?.rawValue)
    record.detail = error.message
    record.url = error.url
    return record
  }

  private func follow(_ manager: AdsManager, _ loader: AdsLoader) async {
    while !manager.isOver, !isClosed {
      await manager.settle()
      content.follow(manager) { loader.contentComplete() }
      await manager.settle()
      if manager.isOver { return }
      if let manual {
        guard manual.advanceToNext() else { return }
      } else {
        // Real time: the timers run by themselves, and this looks at content a few times a second.
        guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
      }
    }
  }
}

extension PlaySession: AdsManagerDelegate {
  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    switch event.kind {
    case .loaded: manager.start()
    case .skippableStateChanged: if skips { manager.skip() }
    default: return
    }
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) {}

  func adsManagerDidRequestContentPause(_ manager: AdsManager) {
    content.pause()
    stage?.playContent(false)
  }

  func adsManagerDidRequestContentResume(_ manager: AdsManager) {
    content.play()
    stage?.playContent(true)
  }

  func adsManager(_ manager: AdsManager, overlayDidChange model: OverlayModel?) { stage?.show(model) }
}
