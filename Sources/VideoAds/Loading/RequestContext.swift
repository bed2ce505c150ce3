import Hits

/// What one request's parts share: its facts, its ports, its documents, and how macros see the moment.
@MainActor
final class RequestContext {
  let settings: AdsSettings
  let environment: AdsEnvironment
  let request: RequestFacts
  let container: AdDisplayContainer?
  let playhead: (any ContentPlayhead)?
  let documents: AdDocumentSource
  /// How many ads of the request have started.
  var startedAds = 0
  /// Milliseconds of content at the last pause request, while ads play (VA-814).
  var frozenPosition: Int64?
  var isMuted = false
  var mimeTypes: [String] = []
  var clickType = 1
  /// Hears every action as the command line prints it.
  var trace: (@MainActor (PlayRecord) -> Void)?

  init(
    settings: AdsSettings, environment: AdsEnvironment, request: AdsRequest,
    cookies: Locked<AdCookieJar> = Locked(AdCookieJar())
  ) {
    self.settings = settings
    self.environment = environment
    container = request.displayContainer
    playhead = request.contentPlayhead
    documents = AdDocumentSource(environment, cookies: cookies)
    let random = environment.random
    let correlator = random.integer(in: 1_000_000_000_000_000...9_999_999_999_999_999)
    self.request = request.facts(transactionID: random.uuidText(), correlator: String(correlator))
  }

  /// Content's position in milliseconds; nil when nobody tells it (VA-1104).
  var contentPosition: Int64? { playhead.flatMap { Self.milliseconds($0.currentTime) } }

  /// Content's duration in milliseconds, of the playhead or of the request.
  var contentDuration: Int64? {
    (playhead?.duration ?? request.content?.duration).flatMap { $0 > 0 ? Self.milliseconds($0) : nil }
  }

  static func milliseconds(_ seconds: Double) -> Int64? {
    seconds.isFinite && seconds >= 0 && seconds < 1e9 ? Int64((seconds * 1_000).rounded()) : nil
  }

  /// What macros tell now.
  func facts(breakPosition: BreakPosition? = nil) -> MacroFacts {
    var facts = MacroFacts(time: environment.time.now(), settings: settings, request: request)
    facts.privacy = environment.privacy.signals
    facts.app = MacroFacts.App(
      bundleID: environment.bundleID, hasVerificationHost: environment.verification != nil)
    let capabilities = container?.capabilities ?? AdDisplayContainer.Capabilities()
    facts.player = MacroFacts.Player(mimeTypes: mimeTypes, capabilities: capabilities.names, isMuted: isMuted)
    facts.container = container.map { container in
      MacroFacts.Container(
        size: container.size, isFullscreen: container.isFullscreen, clickType: clickType)
    }
    facts.content.position = frozenPosition ?? contentPosition
    facts.content.breakPosition = breakPosition ?? ownBreakPosition
    return facts
  }

  private var ownBreakPosition: BreakPosition {
    guard playhead != nil else { return .standalone }
    return (frozenPosition ?? contentPosition).map { $0 < 1_000 ? .pre : .mid } ?? .standalone
  }

  func fetch(_ fetch: AdFetch) async -> FetchOutcome { await documents.fetch(fetch, facts: facts()) }

  /// Sends a code to URLs, before any ad plays.
  func send(_ errors: [ErrorBeacon]) {
    for error in errors {
      let beacon = Beacon(url: error.url, event: "error", scope: .error(error.code.rawValue))
      var record = PlayRecord(time: environment.clock.now, kind: .beacon, name: beacon.event, code: beacon.code)
      do throws(AdURL.Refusal) {
        record.url = try send(beacon, about: nil, media: nil)
      } catch {
        documents.report(.refused(beacon.event, error))
        (record.kind, record.name, record.url) = (.error, PlayRecord.refused(beacon.event, error), beacon.url)
      }
      trace?(record)
    }
  }

  /// Sends a beacon, and gives the URL that was sent.
  ///
  /// - Throws: why it is never sent (VA-807).
  func send(
    _ beacon: Beacon, about found: BreakResolution.Found?, media: @autoclosure () -> VAST.MediaFile?
  ) throws(AdURL.Refusal) -> String {
    let url = try BeaconExpansion.url(of: beacon, random: environment.random) {
      var facts = facts()
      var own = MacroFacts.Ad()
      own.startedCount = startedAds
      own.clickPoint = beacon.point.flatMap { point in
        guard let x = Int(exactly: point.x.rounded()), let y = Int(exactly: point.y.rounded()) else { return nil }
        return (x, y)
      }
      facts.ad = own
      return BeaconExpansion(facts: facts, ad: found?.ad, mediaURL: media()?.url)
    }
    environment.hits.send(BeaconExpansion.hit(url), tracker: nil)
    return url.text
  }
}
