import Hits
import VideoAds
import WebTags

/// The page of one ad: its scripts, its events in order, its end (VA-900 to VA-906).
///
///     opening ──document there──▶ scripts load, events flow ──finish──▶ sessionFinish, ≤ 1 s for requests, closed
///        └── no engine, no document, process ended, a call without an answer ──▶ closed; what has not loaded is told
@MainActor
final class PageVerificationSession: VerificationSession {
  private enum Step: Sendable {
    case send(VerificationEvent)
    case finish(at: Int64)
  }

  /// A script may take that long to load (VA-906).
  private static let loadLimit = Duration.seconds(5)
  /// The most URLs that the scripts of one ad may have sent.
  private static let urlLimit = 200

  private let host: any PageHost
  private let beacons: any HitSink
  private let clock: any HitClock
  private let notRun: @MainActor (Int) -> Void
  private let steps: AsyncStream<Step>
  private let next: AsyncStream<Step>.Continuation
  /// The scripts that have neither run nor failed.
  private var loading: Set<Int>
  private var urls = 0
  private var limit: Task<Void, Never>?

  init(
    _ scripts: Int, host: any PageHost, beacons: any HitSink, clock: any HitClock,
    notRun: @escaping @MainActor (Int) -> Void
  ) {
    (self.host, self.beacons, self.clock, self.notRun) = (host, beacons, clock, notRun)
    loading = Set(0..<scripts)
    (steps, next) = AsyncStream.makeStream(of: Step.self)
  }

  func send(_ event: VerificationEvent) { next.yield(.send(event)) }

  func finish() {
    next.yield(.finish(at: clock.wallMilliseconds))
    next.finish()
  }

  /// Opens the page; nothing of it waits for what plays, and what plays waits for nothing of it (VA-907).
  func start(at address: VerificationPageAddress, _ network: NetworkPolicy, provider: String) {
    Task { for await event in host.events { take(event) } }
    limit = Task {
      // A wait that is cancelled is one that is no longer needed.
      guard (try? await clock.sleep(for: Self.loadLimit)) != nil else { return }
      giveUpLoading()
    }
    Task {
      do throws(PageHostError) {
        try await open(address, network, provider)
        try await follow()
      } catch {
        // What went wrong is told by the scripts that did not run; events have nobody to hear them any more.
        giveUpLoading()
      }
      limit?.cancel()
      loading = []
      await host.close()
    }
  }

  private func open(
    _ address: VerificationPageAddress, _ network: NetworkPolicy, _ provider: String
  ) async throws(PageHostError) {
    let options = PageHostOptions(
      network: network, navigationCommands: .off, callLimit: Self.loadLimit)
    try await host.open(options)
    await host.setBootstrap(provider)
    await host.load(.html(VerificationPageAddress.document, base: address.url), id: LoadID(rawValue: 1))
    _ = try await host.call("__tagworksVerification.run", "null")
  }

  private func follow() async throws(PageHostError) {
    for await step in steps {
      switch step {
      case .send(let event): try await tell(event)
      case .finish(let time):
        try await tell(VerificationEvent(type: "sessionFinish", timestamp: time, data: [:]))
        await host.drain(limit: .seconds(1))
        return
      }
    }
  }

  private func tell(_ event: VerificationEvent) async throws(PageHostError) {
    let value: Value = [
      "type": .string(event.type), "timestamp": .int(event.timestamp), "data": event.data,
    ]
    _ = try await host.call("__tagworksVerification.send", value.jsonText)
  }

  /// Takes what the page says; it is a stranger's page.
  private func take(_ event: PageEvent) {
    switch event.kind {
    case .message(let name, let body, let frame):
      let limits = JSONLimits(bytes: 64 << 10, depth: 4, nodes: 16)
      guard name == "tagworks", frame.isMain != false,
        let message = try? Value(json: body, limits: limits).map
      else { return }
      take(message)
    case .failed, .processTerminated: giveUpLoading()
    default: break
    }
  }

  private func take(_ message: [String: Value]) {
    switch (message["t"], message["script"], message["url"]) {
    case ("loaded", .int(let script)?, _): if let script = Int(exactly: script) { loading.remove(script) }
    case ("failed", .int(let script)?, _): if let script = Int(exactly: script) { fail(script) }
    case ("url", _, .string(let url)?): send(url)
    default: break
    }
  }

  private func send(_ url: String) {
    guard urls < Self.urlLimit, url.lowercased().hasPrefix("https://") || url.lowercased().hasPrefix("http://")
    else { return }
    urls += 1
    beacons.send(HitBuilder.beacon(url).requiring([]), tracker: nil)
  }

  private func giveUpLoading() { for script in loading.sorted() { fail(script) } }

  private func fail(_ script: Int) { if loading.remove(script) != nil { notRun(script) } }
}
