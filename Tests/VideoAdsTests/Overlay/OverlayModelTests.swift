import Testing

@testable import VideoAds

@Suite struct OverlayModelTests {
  typealias H = EngineHarness

  private static let clicks = "<VideoClicks><ClickThrough>https://c.test/</ClickThrough></VideoClicks><MediaFiles>"

  private static func ad(_ id: String, sequence: Int? = nil) -> String {
    H.ad(id, sequence: sequence, skip: "skipoffset='00:00:05'").replacing("<MediaFiles>", with: clicks)
  }

  @Test("VA-1001: attribution, countdown of the pod, the skip control's three states, learn more")
  func parts() throws {
    var h = try H.playing(Markup.vast(Self.ad("a", sequence: 1), Self.ad("b", sequence: 2)))
    let first = try #require(h.overlay)
    #expect(
      first.attribution?.text == "Ad" && first.countdown?.text == "Ad 1 of 2 · 0:10"
        && first.learnMore?.text == "Learn more")
    #expect(
      first.skipState == .waiting(secondsLeft: 5) && first.skip?.text == "Skip in 5" && first.skip?.isEnabled == false)
    #expect(first.announcement == "Ad 1 of 2, 10 seconds", "VA-1005")
    h.now += 4_500
    h.player(.position(4_500))
    #expect(h.overlay?.countdown?.text == "Ad 1 of 2 · 0:06" && h.overlay?.skip?.text == "Skip in 1")
    #expect(h.overlay?.announcement == nil)
    h.now += 500
    h.player(.position(5_000))
    #expect(
      h.overlay?.skipState == .available && h.overlay?.skip?.text == "Skip ad"
        && h.overlay?.announcement == "Skip ad available")
    h.player(.ended(10_000))
    #expect(h.overlay == nil)
  }

  @Test("VA-1001: an hour is h:mm:ss, seconds are rounded up")
  func clock() {
    #expect(
      OverlayBuilder.clock(9) == "0:09" && OverlayBuilder.clock(60) == "1:00"
        && OverlayBuilder.clock(3_661) == "1:01:01")
  }

  @Test("VA-746, VA-1009: a tap on skip before its time is no click, at its time it skips")
  func skipping() throws {
    var h = try H.playing(Markup.vast(Self.ad("a")))
    #expect(h.send(.tap(.skip, nil)) == [])
    h.now += 5_000
    h.player(.position(5_000))
    #expect(h.send(.tap(.skip, nil)).contains("skipped"))
  }

  @Test("VA-1003: elements can be left out")
  func elements() throws {
    let h = try H.playing(Markup.vast(Self.ad("a"))) { _, rendering, _ in rendering.uiElements = [] }
    #expect(h.overlay?.attribution == nil && h.overlay?.countdown == nil && h.overlay?.skip != nil)
  }

  @Test(
    "VA-1002: controls are at least 44 × 44, inside, and do not overlap, from either side; a small container has two",
    arguments: [
      (640.0, 360.0, "en"), (256, 144, "en"), (1_280, 720, "he"), (300, 200, "ar"), (255, 143, "de"),
    ])
  func layout(width: Double, height: Double, language: String) throws {
    var h = try H(Markup.vast(Self.ad("a"))) { _, rendering, _ in rendering.texts = OverlayTexts(language: language) }
    h.engine.container = ContainerState(size: AdSize(width: width, height: height))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    h.player(.firstFrame)
    let model = try #require(h.overlay)
    let parts = [model.attribution, model.countdown, model.skip, model.learnMore].compactMap { $0 }
    let isRoomy = width >= 256 && height >= 144
    #expect(parts.count == (isRoomy ? 4 : 2) && model.isRightToLeft == ["he", "ar"].contains(language))
    for (index, part) in parts.enumerated() {
      let rectangle = part.rectangle
      if part.target != nil { #expect(rectangle.size.width >= 44 && rectangle.size.height >= 44) }
      #expect(
        rectangle.origin.x >= 0 && rectangle.origin.x + rectangle.size.width <= width
          && rectangle.origin.y + rectangle.size.height <= height)
      for other in parts.dropFirst(index + 1) {
        #expect(!rectangle.intersects(other.rectangle), "\(part.text) \(other.text)")
      }
    }
    let isLeft = model.skip.map { $0.rectangle.origin.x < width / 2 } ?? false
    #expect(isLeft == model.isRightToLeft)
  }

  @Test("VA-1004: texts by the longest known prefix of the language, else English")
  func languages() {
    let skips = [
      "en": "Skip ad", "de-CH": "Überspringen", "he": "דילוג על המודעה", "iw": "דילוג על המודעה", "zh-TW": "略過廣告",
      "zh": "跳过广告", "zh-Hant-HK": "略過廣告", "pt_BR": "Pular anúncio", "xx": "Skip ad", "": "Skip ad",
    ]
    for (language, text) in skips { #expect(OverlayTexts(language: language).skip == text, "\(language)") }
    for language in [
      "en", "de", "es", "fr", "it", "pt", "nl", "pl", "ru", "uk", "tr", "ar", "he", "hi", "ja", "ko", "zh-Hans",
      "zh-Hant",
    ] {
      let texts = OverlayTexts(language: language)
      let all = [
        texts.ad, texts.adOf, texts.skipIn, texts.skip, texts.learnMore, texts.close, texts.skipAvailable,
        texts.resumed, texts.seconds,
      ]
      #expect(all.allSatisfy { !$0.isEmpty } && (language == "en") == (texts.skip == "Skip ad"))
      #expect(
        texts.adOf.contains("%1") && texts.adOf.contains("%2") && texts.skipIn.contains("%1")
          && texts.seconds.contains("%1"))
    }
  }

  @Test("VA-1007: the model changes at most ten times a second, and only when something visible does")
  func rate() throws {
    var h = try H.playing(Markup.vast(Self.ad("a")))
    let first = h.overlay
    for step in 1...9 {
      h.now += 10
      h.player(.position(Int64(step) * 10))
      h.send(.pause(.user))
      h.send(.resume(.user))
    }
    #expect(h.overlay == first)
    h.send(.pause(.user))
    h.now += 10
    h.wait(100)
    #expect(h.overlay?.isPaused == true)
  }

  @Test("VA-855: icons of one corner lie side by side, inwards")
  func iconPlaces() {
    var icon = VAST.Icon()
    (icon.width, icon.height) = (40, 20)
    var other = icon
    other.x = .leading
    other.pixelRatio = 2
    let layout = OverlayLayout(size: AdSize(width: 640, height: 360), isRightToLeft: false)
    #expect(
      layout.places(of: [icon, icon, other]) == [
        AdRectangle(x: 600, y: 0, width: 40, height: 20), AdRectangle(x: 560, y: 0, width: 40, height: 20),
        AdRectangle(x: 0, y: 0, width: 20, height: 10),
      ])
  }
}
