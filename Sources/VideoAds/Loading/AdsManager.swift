/// Plays the ads of one request (VA-1300).
///
/// Every fact is told in one order: to the delegate, to the streams of `events()`, and by `play()`. Callbacks come on the
/// main actor; what is called from inside one is done after it (VA-710). Dropping the last reference stops the player.
@MainActor
public final class AdsManager {
  /// Hears what happens.
  public weak var delegate: (any AdsManagerDelegate)? {
    get { driver.audience.delegate }
    set { driver.audience.delegate = newValue }
  }
  /// What was found out about the documents.
  public let diagnostics: [AdDiagnostic]
  let driver: EngineDriver

  init(_ driver: EngineDriver, diagnostics: [AdDiagnostic]) {
    self.driver = driver
    self.diagnostics = diagnostics
    driver.attach(self)
  }

  deinit {
    // The player belongs to the main actor; it is silent within one turn (VA-117).
    Task { @MainActor [driver] in driver.handle(.destroy) }
  }

  /// Everything that happens from now on; one stream a call.
  public func events() -> AsyncStream<AdsManagerEvent> { driver.audience.events() }

  /// The seconds at which breaks play: 0 the pre-roll, −1 the post-roll (VA-520).
  public var adCuePoints: [Double] { driver.isSingle ? [] : driver.schedule.cuePoints }
  /// The breaks and what has become of them.
  public var schedule: AdSchedule { driver.schedule }
  /// The ad that plays, or is to play next.
  public var currentAd: Ad? { driver.ad }
  /// What lies over the ad.
  public var overlay: OverlayModel? { driver.overlay }
  /// How far the ad is.
  public var playbackInfo: AdPlaybackInfo { driver.playbackInfo }

  /// Linear amplitude, 0 to 1; kept over ads (VA-750).
  public var volume: Float {
    get { driver.volume }
    set { driver.setVolume(newValue) }
  }

  /// Whether ads are silent.
  public var isMuted: Bool {
    get { driver.isMuted }
    set { driver.setMuted(newValue) }
  }

  /// Begins: a single document's first ad is made ready, a schedule is followed (VA-707).
  public func initialize(with settings: AdsRenderingSettings? = nil) {
    driver.initialize(settings ?? AdsRenderingSettings())
  }

  /// Starts the break that is ready; in a schedule that plays by itself it does nothing (VA-706).
  public func start() { driver.handle(.start) }
  /// Pauses the ad (VA-740).
  public func pause() { driver.handle(.pause(.user)) }
  /// Takes `pause()` back.
  public func resume() { driver.handle(.resume(.user)) }
  /// Skips the ad where that is allowed now (VA-745).
  public func skip() { driver.handle(.skip) }
  /// Gives the break up that plays, or is ready or due (VA-550).
  public func discardAdBreak() { driver.handle(.discard) }
  /// Ends everything; nothing is called afterwards (VA-734).
  public func destroy() { driver.handle(.destroy) }
  /// Makes a seek exact that the playhead would only show (VA-530).
  public func contentDidSeek(to time: Double) {
    if let position = RequestContext.milliseconds(time) { driver.handle(.contentSeek(position)) }
  }
  /// Tells a tap by its target (VA-1001).
  public func tap(_ target: OverlayTarget, at point: AdPoint? = nil) { driver.handle(.tap(target, point)) }
  /// Sends the CustomClick URLs of an id; nil for all (VA-852).
  public func reportCustomClick(id: String? = nil) { driver.handle(.customClick(id)) }
  /// Sends the trackers of an event that only the app can see, such as `acceptInvitation`.
  public func reportCustomEvent(_ name: String) { driver.handle(.customEvent(name)) }

  func contentComplete() { driver.handle(.contentComplete) }

  /// Plays all ads: initialises, starts on `loaded`, and returns when nothing is left.
  ///
  /// - Throws: the error that `didReceive error` tells.
  public func play() async throws(AdError) -> AdsOutcome {
    let events = driver.audience.events()
    initialize()
    var failure: AdError?
    for await event in events {
      switch event {
      case .ad(let event) where event.kind == .loaded: start()
      case .ad(let event) where event.kind == .allAdsCompleted:
        if let failure { throw failure }
        return .completed
      case .error(let error): failure = error
      default: continue
      }
    }
    return .destroyed
  }
}

/// Hears what happens to a manager's ads.
@MainActor
public protocol AdsManagerDelegate: AnyObject {
  /// Tells an event.
  func adsManager(_ manager: AdsManager, didReceive event: AdEvent)
  /// Tells that nothing more will play (VA-722).
  func adsManager(_ manager: AdsManager, didReceive error: AdError)
  /// Asks for content to stop.
  func adsManagerDidRequestContentPause(_ manager: AdsManager)
  /// Asks for content to go on.
  func adsManagerDidRequestContentResume(_ manager: AdsManager)
  /// Tells the ad's position, in seconds.
  func adsManager(_ manager: AdsManager, adDidProgressTo time: Double, total: Double)
  /// Tells that media is prepared, or runs again after waiting.
  func adsManagerAdPlaybackReady(_ manager: AdsManager)
  /// Tells that the ad waits for media.
  func adsManagerAdDidStartBuffering(_ manager: AdsManager)
  /// Tells up to what second media is there.
  func adsManager(_ manager: AdsManager, adDidBufferTo time: Double)
  /// Tells what lies over the ad.
  func adsManager(_ manager: AdsManager, overlayDidChange model: OverlayModel?)
}

extension AdsManagerDelegate {
  /// Does nothing.
  public func adsManager(_ manager: AdsManager, adDidProgressTo time: Double, total: Double) {}
  /// Does nothing.
  public func adsManagerAdPlaybackReady(_ manager: AdsManager) {}
  /// Does nothing.
  public func adsManagerAdDidStartBuffering(_ manager: AdsManager) {}
  /// Does nothing.
  public func adsManager(_ manager: AdsManager, adDidBufferTo time: Double) {}
  /// Does nothing.
  public func adsManager(_ manager: AdsManager, overlayDidChange model: OverlayModel?) {}
}
