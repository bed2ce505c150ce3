#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import VideoAds

  /// Ads over content in a real window on a screen of its own, seen in pictures, with a real mouse and keyboard.
  @Suite(.serialized) @MainActor struct WindowTests {
    private static let content: (UInt8, UInt8, UInt8) = (0x1b, 0x4f, 0x72)
    private static let first: (UInt8, UInt8, UInt8) = (0x92, 0x2b, 0x21)
    private static let second: (UInt8, UInt8, UInt8) = (0x19, 0x6f, 0x3d)
    private static let companion: (UInt8, UInt8, UInt8) = (0xb7, 0x95, 0x0b)
    private static let nothing: (UInt8, UInt8, UInt8) = (0x20, 0x20, 0x20)
    /// A point of the video where no clip has words, and one beside it in the companion; the mouse stays away from both.
    private static let video = (x: 320, y: 90)
    private static let side = (x: 660, y: 200)

    @Test(
      "VA-1000, VA-1001, VA-1112: content, the ad with its overlay, the second ad, the companion, content again; clicks and keys lead to their beacons and to the browser"
    )
    func watching() async throws {
      guard let display = try Display() else { return }
      let server = try #require(try MediaServer())
      let folder = try TemporaryDirectory()
      let browser = try Browser(in: folder)
      let source = try folder.write(Self.document(server), to: "ads.xml")
      let program = try RunningProgram(
        "tagworks",
        [
          "ads", "play", source, "--player", "gstreamer", "--window", "--content", server.url("content.mp4"),
          "--content-duration", "30",
        ], environment: display.environment.merging(browser.environment) { _, own in own })

      // Content, before the break at four seconds.
      #expect(await RealTime.wait { program.has("CONTENT resume") })
      try await see("1-content", on: display, Self.content, Self.nothing)

      // The first ad: the skip control waits, and a click on it is none.
      #expect(await RealTime.wait { program.has("overlay: Ad 1 of 2") }, "\(program.output)")
      try await display.act("mousemove", "560", "330", "click", "1")
      try await see("2-ad-skip-waits", on: display, Self.first, Self.companion)

      // Learn more: a click's beacon, the browser, and a pause until the page is done with.
      try await display.act("mousemove", "90", "330", "click", "1")
      #expect(await RealTime.wait { program.has("a-click") && browser.opened.contains("https://shop.example/a") })
      #expect(await RealTime.wait { program.has("  pause") })
      try await see("3-ad-paused", on: display, Self.first, Self.companion)
      #expect(program.output.count { $0.contains("a-click") } == 1)
      #expect(await RealTime.wait { program.has("  resume") })

      // The companion, likewise.
      try await display.act("mousemove", "800", "60", "click", "1")
      #expect(await RealTime.wait { program.has("companion-click") })
      #expect(await RealTime.wait { browser.opened.contains("https://shop.example/companion") })

      // Skip with the keyboard as soon as that is allowed.
      #expect(await RealTime.wait { program.has("skippableStateChanged") })
      try await see("4-ad-skip-available", on: display, Self.first, Self.companion)
      // There is no window manager that would give the window the keyboard.
      try await display.act("search", "--name", "tagworks ads play", "windowfocus")
      try await display.act("key", "Tab")
      _ = try await display.picture("5-ad-skip-focused")
      try await display.act("key", "space")
      #expect(await RealTime.wait { program.has("a-skip") && program.has("skipped") })
      #expect(!program.has("a-complete"))

      // The second ad; the companion stays, and the focus of the control that is gone has gone with it.
      #expect(await RealTime.wait { program.has("overlay: Ad 2 of 2") })
      try await display.act("key", "space")
      try await see("6-second-ad", on: display, Self.second, Self.companion)

      // Content again.
      #expect(await RealTime.wait { program.has("b-complete") })
      #expect(!program.has("b-click"))
      try await see("7-content-again", on: display, Self.content, Self.companion)
    }

    @Test("VA-1002, VA-1004: the overlay in German, Japanese, Hebrew and Arabic")
    func languages() async throws {
      guard let display = try Display() else { return }
      let program = try RunningProgram("tagworks-player", [], environment: display.environment)
      let size = AdSize(width: 640, height: 360)
      let window = PlayerRequest.Window(title: "languages", size: size, companions: [], content: nil)
      try send(.open(window: window), to: program)
      #expect(await RealTime.wait { program.has("opened") })
      for language in ["de", "ja", "he", "ar"] {
        try send(.overlay(Self.model(language, size)), to: program)
        let isRightToLeft = OverlayTexts(language: language).isRightToLeft
        // The attribution's yellow, at the edge where reading begins.
        let edge = isRightToLeft ? 640 - 12 : 12
        var isSeen = false
        for _ in 0..<40 where !isSeen {
          isSeen = try await display.picture("overlay-\(language)").has((0xf4, 0xc4, 0x30), at: (x: edge, y: 14))
        }
        #expect(isSeen, "\(language)")
        let taps = program.output.count { $0.contains("tap") }
        try await display.act("mousemove", isRightToLeft ? "90" : "560", "330", "click", "1")
        #expect(
          await RealTime.wait { program.output.count { $0.contains("tap") && $0.contains("skip") } > taps },
          "\(language): \(program.output)")
        try send(.overlay(nil), to: program)
      }
    }

    @Test("VA-1110: without a display the program says so, and ends")
    func noDisplay() async throws {
      let program = try RunningProgram(
        "tagworks-player", [], environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "GDK_BACKEND": "x11"])
      let window = PlayerRequest.Window(title: "", size: AdSize(width: 64, height: 36), companions: [], content: nil)
      try send(.open(window: window), to: program)
      #expect(await RealTime.wait { program.has("refused") && program.has("no display") })
    }

    /// Looks at the screen until the video and its side have their colours.
    private func see(
      _ title: String, on display: Display, _ video: (UInt8, UInt8, UInt8), _ side: (UInt8, UInt8, UInt8)
    ) async throws {
      for _ in 0..<60 {
        let picture = try await display.picture(title)
        if picture.has(video, at: Self.video), picture.has(side, at: Self.side) { return }
      }
      Issue.record("\(title): the screen never looked as it should; see .build/screenshots")
    }

    private func send(_ request: PlayerRequest, to program: RunningProgram) throws {
      try program.send(String(decoding: JSONEncoder().encode(request), as: UTF8.self))
    }

    private static func model(_ language: String, _ size: AdSize) -> OverlayModel {
      let texts = OverlayTexts(language: language)
      let layout = OverlayLayout(size: size, isRightToLeft: texts.isRightToLeft)
      let element = { (text: String, place: AdRectangle, target: OverlayTarget?, order: Int) in
        OverlayModel.Element(
          text: text, label: text, rectangle: place, target: target, isEnabled: true, order: order)
      }
      var model = OverlayModel()
      model.isRightToLeft = texts.isRightToLeft
      model.attribution = element(texts.ad, layout.attribution, nil, 0)
      model.countdown = element(OverlayTexts.filled(texts.adOf, 1, 2) + " · 0:12", layout.countdown, nil, 0)
      model.skipState = .available
      model.skip = element(OverlayTexts.filled(texts.skipIn, 5), layout.skip, .skip, 1)
      model.learnMore = element(texts.learnMore, layout.learnMore, .clickThrough, 2)
      return model
    }
  }

  /// A browser that writes down what it is to open.
  private struct Browser {
    let environment: [String: String]
    private let list: String

    init(in folder: TemporaryDirectory) throws {
      list = folder.file("opened")
      let script = try folder.write("#!/bin/sh\nprintf '%s\\n' \"$1\" >>'\(list)'\n", to: "browser")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      try FileManager.default.createDirectory(
        atPath: folder.file("applications"), withIntermediateDirectories: true)
      let entry = """
        [Desktop Entry]
        Type=Application
        Name=Browser
        Exec=\(script) %u
        MimeType=x-scheme-handler/http;x-scheme-handler/https;

        """
      _ = try folder.write(entry, to: "applications/browser.desktop")
      let defaults = "[Default Applications]\nx-scheme-handler/https=browser.desktop\n"
      _ = try folder.write(defaults, to: "mimeapps.list")
      environment = ["XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
    }

    var opened: String { FileManager.default.contents(atPath: list).map { String(decoding: $0, as: UTF8.self) } ?? "" }
  }

  extension WindowTests {
    /// A break of two ads at four seconds, the first with a companion, an icon and a skip control; and a post-roll, so
    /// that content goes on after it.
    fileprivate static func document(_ server: MediaServer) -> String {
      let image = { (name: String) in "<StaticResource creativeType='image/png'>\(server.url(name))</StaticResource>" }
      let companion = """
        <Creative><CompanionAds><Companion width='300' height='250'>\(image("companion.png"))
        <CompanionClickThrough>https://shop.example/companion</CompanionClickThrough>
        <CompanionClickTracking>\(server.url("beacon/companion-click"))</CompanionClickTracking>
        <AltText>A shop</AltText></Companion></CompanionAds></Creative>
        """
      let icons = """
        <Icons><Icon program='AdChoices' width='40' height='40' xPosition='right' yPosition='top'>\(image("icon.png"))
        </Icon></Icons>
        """
      let ad = { (id: String, sequence: Int, file: String, seconds: Int, skip: String, icons: String, more: String) in
        let events = ["start", "skip", "complete"].map {
          "<Tracking event='\($0)'>\(server.url("beacon/\(id)-\($0)"))</Tracking>"
        }
        return """
          <Ad id='\(id)' sequence='\(sequence)'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
          <Impression>\(server.url("beacon/\(id)"))</Impression><Creatives><Creative><Linear \(skip)>
          <Duration>00:00:\(seconds < 10 ? "0" : "")\(seconds)</Duration><TrackingEvents>\(events.joined())</TrackingEvents>
          <VideoClicks><ClickThrough>https://shop.example/\(id)</ClickThrough>
          <ClickTracking>\(server.url("beacon/\(id)-click"))</ClickTracking></VideoClicks>
          <MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>\(server.url(file))</MediaFile>
          </MediaFiles>\(icons)</Linear></Creative>\(more)</Creatives></InLine></Ad>
          """
      }
      let pod =
        ad("a", 1, "long.mp4", 20, "skipoffset='00:00:05'", icons, companion) + ad("b", 2, "ad2.mp4", 5, "", "", "")
      let item = { (offset: String, ads: String) in
        """
        <vmap:AdBreak timeOffset='\(offset)' breakType='linear'><vmap:AdSource><vmap:VASTAdData>
        <VAST version='4.2'>\(ads)</VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
        """
      }
      return "<vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>"
        + item("00:00:04", pod) + item("end", ad("c", 1, "ad2.mp4", 5, "", "", "")) + "</vmap:VMAP>"
    }
  }
#endif
