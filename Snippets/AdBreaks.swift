// Ads before, in and after content: an ad tag's breaks play by themselves, and the app stops and goes on with content.
import Tagworks
import VideoAds

/// What the app's own player does.
@MainActor
protocol ContentPlayer: ContentPlayhead {
  func play()
  func pause()
}

// snippet.show
@MainActor
final class AdBreaks: AdsManagerDelegate {
  private let loader: AdsLoader
  private let content: any ContentPlayer
  private var manager: AdsManager?

  init(_ content: any ContentPlayer, players: any AdPlayerFactory, links: any LinkOpener) throws {
    var settings = LiveAdsSettings(players: players, links: links)
    settings.ads.persistBeacons = true
    loader = try AdsLoader.live(settings)
    self.content = content
  }

  func start(_ adTag: String) async {
    do {
      manager = try await loader.load(AdsRequest(adTagURL: adTag, contentPlayhead: content))
      manager?.delegate = self
      manager?.initialize()
    } catch {
      content.play()
    }
  }

  func contentDidEnd() { loader.contentComplete() }

  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    if event.kind == .loaded { manager.start() }
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) { print(error.message) }
  func adsManagerDidRequestContentPause(_ manager: AdsManager) { content.pause() }
  func adsManagerDidRequestContentResume(_ manager: AdsManager) { content.play() }
}
