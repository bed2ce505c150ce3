import Foundation
import Hits
import TestSupport
import Testing

@testable import VideoAds

/// Documents made to cost much or to bring the reader down, and what is written in odd places (VA-1401, VA-1406).
@Suite struct HostileMarkupTests {
  typealias M = Markup

  @Test("VA-1401: four times the input takes about four times as long, not sixteen")
  func linear() {
    let inputs: [(String, (Int) -> String)] = [
      ("a text in pieces", { "<VAST><Ad><InLine><AdTitle>" + String(repeating: "abcdefgh<!---->", count: $0) }),
      (
        "an extension in pieces",
        { "<VAST><Ad><InLine><Extensions><Extension>" + String(repeating: "abcdefgh<b/>", count: $0) }
      ),
      ("ampersands", { "<VAST>" + String(repeating: "&", count: $0 * 8) }),
      ("end tags", { "<VAST><Ad>" + String(repeating: "</x>", count: $0) }),
    ]
    for (name, make) in inputs {
      let (small, large) = (Array(make(8_000).utf8), Array(make(32_000).utf8))
      let least = { (bytes: [UInt8]) in
        (0..<3).map { _ in ProcessorTime.seconds { _ = VASTReader.read(bytes) } }.min() ?? 0
      }
      #expect(least(large) < 10 * least(small) + 0.05, "\(name)")
    }
  }

  @Test("VA-1401: thousands of declared prefixes and names with prefixes are not compared each with each")
  func prefixes() {
    let declared = (0..<60).map { level in
      "<a " + (0..<60).map { "xmlns:p\(level * 60 + $0)='u'" }.joined(separator: " ") + ">"
    }.joined()
    let used = "<b " + String(repeating: "p1:x='' ", count: 60) + "/>"
    let text = "<VAST>" + declared + String(repeating: used, count: 1_500)
    #expect(ProcessorTime.seconds { _ = VASTReader.read(Array(text.utf8)) } < 30)
  }

  @Test("VA-1401: playlists inside playlists, as text in text, are read one deep, on a small stack too")
  func nestedPlaylists() throws {
    var text = "<VAST version='3.0'/>"
    for _ in 0..<150 {
      let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      text =
        "<VMAP version='1.0'><AdBreak timeOffset='start'><AdSource><VASTAdData>\(escaped)</VASTAdData></AdSource></AdBreak></VMAP>"
    }
    let bytes = Array(text.utf8)
    let content = Locked<VMAP.AdSource.Content?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      if case .vmap(let playlist) = VASTReader.read(bytes).content {
        content.withLock { $0 = playlist.breaks.first?.source?.content }
      }
      done.signal()
    }
    thread.stackSize = 256 << 10
    thread.start()
    done.wait()
    #expect(content.withLock { $0 } == .unreadable(VAST.Failure(.invalidStructure)))
  }

  @Test("VA-211: a text that an app gives is not decoded a second time, whatever it says of its encoding")
  func declaredEncoding() async throws {
    let head = "<?xml version='1.0' encoding='ISO-8859-1'?>"
    let ad = M.full("a").replacing("<AdTitle>t", with: "<AdTitle>Größe")
    let fixture = await AdsFixture()
    let manager = try await fixture.loader.load(AdsRequest(adsResponse: head + M.vast(ad)))
    await manager.initialize()
    await fixture.run(manager, seconds: 0.2)
    #expect(await manager.currentAd?.title == "Größe")
    let inline =
      "<VMAP version='1.0'><AdBreak timeOffset='start'><AdSource><VASTAdData><![CDATA[\(head)\(M.vast(ad))]]>"
      + "</VASTAdData></AdSource></AdBreak></VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(inline.utf8)).content,
      case .document(let document) = playlist.breaks.first?.source?.content,
      case .inLine(let inLine) = document.ads.first?.content
    else {
      Issue.record("not read")
      return
    }
    #expect(inLine.title == "Größe")
    let latin = Array(head.utf8) + Array("<VAST>".utf8) + [0xFC]
    #expect(VASTReader.text(of: latin).hasSuffix("ü"))
  }

  @Test("VA-807, VA-1406: a URL of 40,000 macros with long values is refused, not written out")
  func macroBomb() {
    let written = "https://t.test/" + String(repeating: "[BLOCKEDADCATEGORIES]", count: 40_000)
    var facts = MacroExpansionTests.facts
    facts.blockedCategories = (0..<10_000).map { "category-\($0)" }
    let expansion = MacroExpansion(facts, scope: .request, random: SeededRandomSource(seed: 1))
    #expect(throws: AdURL.Refusal.tooLong) { try AdURL(written, base: nil) { expansion.expand($0) } }
    #expect(expansion.expand(written).utf8.count < 1 << 20)
  }

  @Test("VA-326: of 10,000 ads the first 100 count, and play")
  func manyAds() throws {
    let text = M.vast(
      (1...10_000).map {
        "<Ad sequence='\($0)'><InLine><Creatives><Creative><Linear/></Creative></Creatives></InLine></Ad>"
      }.joined())
    var run = Resolution(["x": text])
    #expect(try run.run("x").ads.count == 100)
  }

  @Test("VA-1401: wrappers that each lead to a hundred more end, in a bounded number of documents")
  func explosion() throws {
    var run = Resolution()
    run.policy.redirectLimit = 20
    let answer = { (seed: Int) in
      VASTReader.read(
        Array(
          M.vast(
            (0..<100).map { number in
              "<Ad sequence='\(number + 1)'><Wrapper allowMultipleAds='true'><VASTAdTagURI>https://t.test/\(seed)-\(number)"
                + "</VASTAdTagURI></Wrapper></Ad>"
            }.joined()
          ).utf8))
    }
    run.documents["https://t.test/x"] = .document(answer(0), url: "https://t.test/x")
    run.missing = .document(answer(1), url: "https://t.test/y")
    let response = try run.run("x")
    #expect(response.ads.isEmpty && run.fetched.count <= ChainResolver.candidateLimit)
    #expect(response.diagnostics.contains { $0.code == "vast.cap" })
  }

  @Test("VA-510: of 500 breaks at one time a few are asked for at a time, and all of them in the end")
  func manySources() throws {
    let breaks = (0..<500).map { EngineHarness.item("start", "n\($0)") }.joined()
    var h = try EngineHarness(playlist: breaks)
    h.send(.initialize(content: 0, duration: 60_000))
    #expect(h.pending.count == BreakResolution.fetchLimit)
    h.answer()
    #expect(h.log.filter { $0.hasSuffix("-error") }.count == 500 && h.engine.state == .done)
  }

  @Test(
    "VA-600, VA-1402: media without a scheme of the web is never given to a player",
    arguments: ["/etc/passwd", "m.mp4", "../m.mp4", "file:///etc/passwd", "http:///m.mp4", "https://", "C:\\m.mp4"])
  func media(url: String) throws {
    var h = try EngineHarness(
      Markup.vast(EngineHarness.ad("a", media: "<MediaFile type='video/mp4'>\(url)</MediaFile>")))
    h.send(.initialize(content: 0, duration: nil))
    h.send(.start)
    #expect(!h.log.contains("load") && h.log.contains("-> 403 a-error"))
  }

  @Test("VA-331: numbers of fifteen digits in every place do no harm")
  func hugeNumbers() throws {
    let huge = "width='999999999999999' height='999999999999999'"
    let image =
      "<IconClickFallbackImage \(huge)><StaticResource creativeType='image/png'>https://i.test/i.png</StaticResource></IconClickFallbackImage>"
    let icon =
      "<Icons><Icon program='p' \(huge) xPosition='999999999999999' yPosition='999999999999999' offset='23:59:59' duration='24:00:00'>"
      + "<StaticResource creativeType='image/png'>https://i.test/i.png</StaticResource></Icon>"
      + "<Icon program='q' \(huge) pxratio='0'><StaticResource creativeType='image/png'>https://i.test/i.png</StaticResource>"
      + "<IconClicks><IconClickFallbackImages>\(image)\(image)</IconClickFallbackImages></IconClicks></Icon></Icons>"
    let media =
      "<MediaFile type='video/mp4' \(huge) minBitrate='999999999999999' maxBitrate='999999999999999' fileSize='999999999999999'>https://m.test/m.mp4</MediaFile>"
    let text = Markup.vast(
      EngineHarness.ad("a", skip: "skipoffset='24:00:00'", media: media).replacing(
        "<Duration>10</Duration>", with: "<Duration>24:00:00</Duration>\(icon)"
      ).replacing("<Impression>", with: "<Expires>999999999999999</Expires><Impression>"))
    var h = try EngineHarness.playing(text) { _, rendering, _ in rendering.hasBrowser = false }
    h.engine.container = ContainerState(size: AdSize(width: 640, height: 360))
    h.send(.tap(.icon(1), AdPoint(x: .nan, y: .infinity)))
    h.send(.tap(.closeFallback, nil))
    h.player(.position(86_399_999))
    #expect(h.player(.ended(86_400_000)).contains("complete"))
  }

  @Test("VA-1403: sizes, points and places that are no numbers are 0 or unknown in macros")
  func strangeNumbers() {
    let expand = { (text: String, change: (inout MacroFacts) -> Void) in
      MacroExpansionTests.expand(text, .tracking, change)
    }
    #expect(expand("[PLAYERSIZE]") { $0.container = .init(size: AdSize(width: .nan, height: .infinity)) } == "0,0")
    #expect(
      expand("[LATLONG]") {
        $0.privacy.location = PrivacySignals.Location(latitude: .infinity, longitude: 1e300)
      }.hasPrefix("inf") == false)
  }
}

/// Ports that answer late, twice, or about what is gone.
@Suite @MainActor struct WrongOrderTests {
  typealias M = Markup

  @Test("VA-906: what the page of an earlier ad says late is not about the ad that plays now")
  func latePage() async throws {
    let verification =
      "<AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='omid'>https://v.test/v.js"
      + "</JavaScriptResource></Verification></AdVerifications>"
    let pages = RecordingPages()
    let fixture = AdsFixture(
      ["p": M.vast(M.full("a", sequence: 1, verification), M.full("b", sequence: 2, verification))],
      change: { $0.verification = pages })
    let manager = try await fixture.start("p")
    await fixture.run(manager, seconds: 15)
    pages.reports[0](0)
    pages.reports[1](5)
    pages.reports[1](-1)
    #expect(!fixture.beacons.contains { $0.contains("410") })
    pages.reports[1](0)
    pages.reports[1](0)
    #expect(fixture.beacons.filter { $0.contains("410") } == ["b-error-410"])
  }

  /// Keeps what it is told, to be answered at a wrong time.
  @MainActor
  private final class LateRenderer: CompanionRenderer {
    var answers: [@MainActor (Bool) -> Void] = []

    func show(_ companion: VAST.Companion?, in slot: CompanionSlot, shown: @escaping @MainActor (Bool) -> Void) {
      answers.append(shown)
    }
  }

  @Test("VA-861: a renderer that answers after its time, twice, or after the end changes nothing")
  func lateRenderer() async throws {
    let companions =
      "<Creative><CompanionAds><Companion width='300' height='250'><StaticResource creativeType='image/png'>https://c.test/c.png"
      + "</StaticResource></Companion></CompanionAds></Creative>"
    let ad = M.full("a").replacing("</Creatives>", with: companions + "</Creatives>")
    let renderer = LateRenderer()
    let slot = CompanionSlot(size: AdSize(width: 300, height: 250), renderer: renderer)
    let fixture = AdsFixture(["a": M.vast(ad)])
    let container = AdDisplayContainer(surface: SurfaceID("v"), companionSlots: [slot])
    let manager = try await fixture.start("a", container: container)
    await fixture.run(manager, seconds: 9)
    #expect(fixture.beacons.contains("a-error-603") && slot.companion == nil)
    renderer.answers.forEach { $0(true) }
    renderer.answers.forEach { $0(false) }
    await fixture.run(manager, seconds: 3)
    manager.destroy()
    renderer.answers.forEach { $0(true) }
    slot.click()
    #expect(
      fixture.beacons.filter { $0.contains("603") }.count == 1 && fixture.listener.requests == ["PAUSE", "RESUME"])
  }

  @Test("VA-710, VA-734: after destroy from inside a callback no other follows, and the player is silent")
  func destroyInside() async throws {
    for kind in [AdEvent.Kind.loaded, .started, .firstQuartile, .complete, .adBreakEnded] {
      let fixture = AdsFixture(["p": M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2))])
      fixture.listener.onEvent = { manager, event in if event.kind == kind { manager.destroy() } }
      let manager = try await fixture.start("p")
      await fixture.run(manager, seconds: 25)
      #expect(fixture.listener.log.last == kind.rawValue)
      #expect(fixture.players.players.allSatisfy { !$0.isPlaying(.first) && !$0.isPlaying(.second) })
    }
  }
}
