// A video with ads before it, in it and after it, in one window: `Examples/VideoPlayer/run` prepares media and starts it.
import Foundation
import HTTPClient
import PlayerHost
import Tagworks
import VideoAds

/// The window's controller, step by step as an app takes them: content, loader, request, manager.
@MainActor
final class ViewController {
  private let contentURL: String
  private let adTagURL: String
  private let window: PlayerWindow
  private let contentPlayer: GStreamerContent
  private let contentPlayhead: GStreamerContentPlayhead
  private let adsLoader: AdsLoader
  private var adsManager: AdsManager?
  /// Called when the window is closed.
  var onClose: () -> Void = {}

  init?(contentURL: String, adTagURL: String, loop: GTKLoop) throws {
    // One companion of 300 × 250 has its place beside the video.
    let window = PlayerWindow(
      title: "Video with ads", size: AdSize(width: 640, height: 360), companions: [AdSize(width: 300, height: 250)],
      transport: PlatformTransport(), loop: loop)
    guard let window, let content = window.content else { return nil }
    self.contentURL = contentURL
    self.adTagURL = adTagURL
    self.window = window
    contentPlayer = content
    contentPlayhead = GStreamerContentPlayhead(player: content)

    // The window makes the players of ads, opens their pages in the browser, and tells what is seen of them.
    var settings = LiveAdsSettings(players: window, links: BrowserLinks(window: window))
    settings.geometry = window
    settings.ads.language = Locale.current.language.languageCode?.identifier ?? "en"
    adsLoader = try AdsLoader.live(settings)
  }

  func start() {
    setUpContentPlayer()
    setUpAdsLoader()
    requestAds()
  }

  // Content

  private func setUpContentPlayer() {
    contentPlayer.open(contentURL)
    contentPlayer.onEnd = { [weak self] failure in
      if let failure { print("Content cannot be played: \(failure.rawValue)") }
      self?.contentDidFinishPlaying()
    }
    window.onClose = { [weak self] in
      self?.adsManager?.destroy()
      self?.onClose()
    }
  }

  /// The loader now plays the post-roll.
  private func contentDidFinishPlaying() { adsLoader.contentComplete() }

  // Ads

  private func setUpAdsLoader() { adsLoader.delegate = self }

  private func requestAds() {
    let request = AdsRequest(
      adTagURL: adTagURL, displayContainer: window.container, contentPlayhead: contentPlayhead, userContext: nil)
    adsLoader.requestAds(with: request)
  }
}

extension ViewController: AdsLoaderDelegate {
  func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData) {
    adsManager = data.adsManager
    adsManager?.delegate = self
    window.onTap = { [weak self] target, point in self?.adsManager?.tap(target, at: point) }
    adsManager?.initialize(with: AdsRenderingSettings())
  }

  func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData) {
    print("Error loading ads: \(data.adError.message)")
    contentPlayer.play()
  }
}

extension ViewController: AdsManagerDelegate {
  func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
    print(event.kind.rawValue, event.ad?.title ?? "")
    if event.kind == .loaded { manager.start() }
    if event.kind == .allAdsCompleted, !contentPlayer.isPlaying { onClose() }
  }

  func adsManager(_ manager: AdsManager, didReceive error: AdError) {
    print("Error playing ads: \(error.message)")
    contentPlayer.play()
  }

  func adsManagerDidRequestContentPause(_ manager: AdsManager) { contentPlayer.pause() }

  func adsManagerDidRequestContentResume(_ manager: AdsManager) {
    window.showContent()
    contentPlayer.play()
  }

  func adsManager(_ manager: AdsManager, overlayDidChange model: OverlayModel?) { window.show(model) }
}

@main
enum VideoPlayer {
  @MainActor static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: VideoPlayer CONTENT-URL AD-TAG-URL; Examples/VideoPlayer/run gives both")
      exit(2)
    }
    let loop = try GTKLoop()
    guard let controller = try ViewController(contentURL: arguments[1], adTagURL: arguments[2], loop: loop) else {
      print("GStreamer, or a plug-in that it needs to play MP4, is not installed")
      exit(1)
    }
    controller.onClose = { loop.stop() }
    controller.start()
    // GTK's loop has the main thread, and runs the main actor too.
    loop.run()
  }
}
