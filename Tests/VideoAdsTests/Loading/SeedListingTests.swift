import Hits
import TestSupport
import Testing

@testable import VideoAds

/// The guide's listing, line by line in our names; observers are closures, as selectors exist on Apple alone (VA-1700).
@MainActor
private final class ViewController: AdsLoaderDelegate, AdsManagerDelegate {
  let contentPlayer: ContentPlayer
  var contentPlayhead: (any ContentPlayhead)?
  var adsLoader: AdsLoader
  var adsManager: AdsManager?
  var log: [String] = []

  init(environment: AdsEnvironment, contentPlayer: ContentPlayer) {
    self.contentPlayer = contentPlayer
    adsLoader = AdsLoader(environment: environment)
  }

  func viewDidLoad() {
    setUpContentPlayer()
    setUpAdsLoader()
  }

  func setUpContentPlayer() {
    contentPlayhead = contentPlayer.playhead
    contentPlayer.onEnd = { [weak self] item in self?.contentDidFinishPlaying(item) }
  }

  func contentDidFinishPlaying(_ item: String) {
    // Make sure that contentComplete is not called as a result of an ad completing.
    if item == contentPlayer.currentItem { adsLoader.contentComplete() }
  }

  func setUpAdsLoader() { adsLoader.delegate = self }

  func requestAds(_ adTag: String) -> AdsRequestHandle {
    let adDisplayContainer = AdDisplayContainer(surface: SurfaceID("videoView"), companionSlots: [])
    let request = AdsRequest(
      adTagURL: adTag, displayContainer: adDisplayContainer, contentPlayhead: contentPlayhead, userContext: nil)
    return adsLoader.requestAds(with: request)
  }

  func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData) {
    log.append("adsLoadedWith")
    adsManager = data.adsManager
    adsManager?.delegate = self
    let adsRenderingSettings = AdsRenderingSettings()
    adsManager?.initialize(with: adsRenderingSettings)
  }

  func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData) {
    log.append("Error loading ads: \(data.adError.message)")
    contentPlayer.play()
  }

  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    log.append(event.kind.rawValue)
    if event.kind == .loaded {
      // When the SDK notifies us that ads have been loaded, play them.
      manager.start()
    }
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) {
    log.append("AdsManager error: \(error.message)")
    contentPlayer.play()
  }

  func adsManagerDidRequestContentPause(_ manager: AdsManager) { contentPlayer.pause() }

  func adsManagerDidRequestContentResume(_ manager: AdsManager) { contentPlayer.play() }
}

@MainActor
private final class ContentPlayer {
  let playhead = ManualContentPlayhead(duration: 60)
  let currentItem = "content"
  var onEnd: ((String) -> Void)?
  var calls: [String] = []

  func play() { calls.append("play") }
  func pause() { calls.append("pause") }
}

@Suite @MainActor struct SeedListingTests {
  @Test("VA-1700: the guide's listing plays one ad: loaded, start, content pause, started … complete, content play")
  func single() async throws {
    let fixture = AdsFixture(["tag": Markup.vast(Markup.full("a"))])
    let player = ContentPlayer()
    let controller = ViewController(environment: fixture.environment, contentPlayer: player)
    controller.viewDidLoad()
    await controller.requestAds("https://t.test/tag").task?.value
    let manager = try #require(controller.adsManager)
    await fixture.run(manager, seconds: 11)
    #expect(
      controller.log == [
        "adsLoadedWith", "loaded", "adBreakStarted", "started", "impression", "firstQuartile", "midpoint",
        "thirdQuartile", "complete", "adBreakEnded", "allAdsCompleted",
      ])
    #expect(player.calls == ["pause", "play"])
  }

  @Test("VA-1700: a failing tag is told with a message, and content plays once")
  func failing() async {
    let fixture = AdsFixture()
    let player = ContentPlayer()
    let controller = ViewController(environment: fixture.environment, contentPlayer: player)
    controller.viewDidLoad()
    await controller.requestAds("https://t.test/nothing").task?.value
    #expect(controller.log == ["Error loading ads: The ad request got status 404."] && player.calls == ["play"])
  }

  @Test("VA-1700, VA-111: the end of another item is not content's; content's own end plays the post-roll")
  func ends() async throws {
    let fixture = AdsFixture([
      "tag": Markup.vmap(Markup.adBreak("end", "p")), "p": Markup.vast(Markup.full("p")),
    ])
    let player = ContentPlayer()
    let controller = ViewController(environment: fixture.environment, contentPlayer: player)
    controller.viewDidLoad()
    await controller.requestAds("https://t.test/tag").task?.value
    let manager = try #require(controller.adsManager)
    #expect(player.calls == ["play"])
    player.onEnd?("an ad")
    await fixture.run(manager, seconds: 5)
    #expect(player.calls == ["play"])
    player.onEnd?("content")
    await fixture.run(manager, seconds: 12)
    #expect(player.calls == ["play", "pause", "play"] && controller.log.last == "allAdsCompleted")
  }
}
