import Testing

@testable import PlayerHost
@testable import VideoAds

@Suite struct OverlayPartTests {
  private let size = AdSize(width: 640, height: 360)

  private func element(_ text: String, _ target: OverlayTarget?, order: Int, isEnabled: Bool = true)
    -> OverlayModel.Element
  {
    OverlayModel.Element(
      text: text, label: text + ".", rectangle: AdRectangle(x: 500, y: 300, width: 100, height: 44), target: target,
      isEnabled: isEnabled, order: order)
  }

  private func picture(_ resource: VAST.Resource, _ target: OverlayTarget) -> OverlayModel.Picture {
    OverlayModel.Picture(
      resource: resource, rectangle: AdRectangle(x: 0, y: 0, width: 40, height: 40), label: "icon", target: target,
      order: 3)
  }

  @Test("VA-1001, VA-1005: every part of a model is drawn once, texts cannot be focused, a waiting skip neither")
  func parts() {
    var model = OverlayModel()
    model.attribution = element("Ad", nil, order: 0)
    model.countdown = element("Ad · 0:12", nil, order: 0)
    model.skip = element("Skip in 5", .skip, order: 1, isEnabled: false)
    model.learnMore = element("Learn more", .clickThrough, order: 2)
    model.icons = [picture(.file(url: "https://i.test/i.png", type: "image/png"), .icon(4))]
    model.isBuffering = true
    let parts = model.parts(in: size)
    #expect(parts.map(\.id) == [.icon(4), .attribution, .countdown, .learnMore, .skip, .buffering])
    #expect(parts.filter(\.isFocusable).sorted { $0.order < $1.order }.map(\.id) == [.learnMore, .icon(4)])
    #expect(parts.first?.kind == .image("https://i.test/i.png") && parts[1].kind == .text && parts[3].kind == .button)
    #expect(parts[4].label == "Skip in 5.")
    model.skip?.isEnabled = true
    #expect(
      model.parts(in: size).filter(\.isFocusable).sorted { $0.order < $1.order }.map(\.id)
        == [.skip, .learnMore, .icon(4)])
  }

  @Test("VA-1009: a tap on a skip control that waits is no tap on the ad")
  func waitingSkip() {
    var model = OverlayModel()
    model.skip = element("Skip in 5", .skip, order: 1, isEnabled: false)
    #expect(model.target(at: AdPoint(x: 550, y: 320)) == .skip)
    #expect(model.target(at: AdPoint(x: 499, y: 320)) == .ad && model.target(at: AdPoint(x: 600, y: 320)) == .ad)
  }

  @Test("VA-1404: pages are not drawn")
  func pages() {
    var model = OverlayModel()
    model.icons = [picture(.html("<b>"), .icon(0)), picture(.frame(url: "https://i.test/"), .icon(1))]
    #expect(model.parts(in: size).isEmpty)
  }

  @Test("VA-855, VA-856, VA-870: overlay ads and fallback images have their close controls")
  func closing() {
    let image = VAST.Resource.file(url: "https://i.test/o.png", type: "image/png")
    var model = OverlayModel()
    model.overlayAd = OverlayModel.OverlayAd(picture: picture(image, .overlay), close: nil)
    #expect(model.parts(in: size).map(\.id) == [.overlayAd])
    model.overlayAd?.close = element("Close", .closeOverlay, order: 1)
    model.fallbackImage = OverlayModel.OverlayAd(
      picture: picture(image, .closeFallback), close: element("Close", .closeFallback, order: 1))
    #expect(
      model.parts(in: size).map(\.id) == [.overlayAd, .closeOverlay, .fallbackImage, .closeFallback])
  }
}
