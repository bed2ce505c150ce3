import Hits
import Testing

@testable import VideoAds

@Suite struct BeaconExpansionTests {
  private static func expansion(_ ad: String = EngineHarness.ad("a", sequence: 1)) throws -> BeaconExpansion {
    var run = Resolution(["x": Markup.vast(ad, EngineHarness.ad("b", sequence: 2))])
    return BeaconExpansion(
      facts: MacroExpansionTests.facts, ad: try run.run("x").ads.first, mediaURL: "https://t.test/m.mp4")
  }

  private static func url(_ template: String, scope: MacroScope = .tracking, position: Int64? = nil) throws -> String? {
    let beacon = Beacon(url: template, event: "start", scope: scope, adPosition: position)
    guard case .hit(let hit) = try expansion().expand(beacon, random: SeededRandomSource(seed: 2)) else { return nil }
    return hit.get("url")
  }

  @Test("VA-800: a beacon is one GET that needs no consent")
  func hit() throws {
    let beacon = Beacon(url: "https://t.test/", event: "start", scope: .tracking)
    guard case .hit(let hit) = try Self.expansion().expand(beacon, random: SeededRandomSource(seed: 2)) else {
      return #expect(Bool(false))
    }
    #expect(hit.kind == .beacon && hit.purposes == [] && hit.fields == ["url": "https://t.test/"])
  }

  @Test("VA-808, VA-814, VA-815: macros of the ad, its position and its content's, the same for the same inputs")
  func macros() throws {
    let template = "https://t.test/?p=[ADPLAYHEAD]&m=[ASSETURI]&s=[PODSEQUENCE]&c=[CONTENTPLAYHEAD]&r=[CACHEBUSTING]"
    let first = try #require(try Self.url(template, position: 2_500))
    #expect(
      first.hasPrefix("https://t.test/?p=00%3A00%3A02.500&m=https%3A%2F%2Ft.test%2Fm.mp4&s=1&c=00%3A05%3A21.123&r="))
    #expect(try Self.url(template, position: 2_500) == first)
    #expect(try Self.url("https://t.test/[ERRORCODE]", scope: .error(402)) == "https://t.test/402")
    #expect(try Self.url("https://t.test/[ERRORCODE]|") == "https://t.test/%5BERRORCODE%5D%7C")
  }

  @Test("VA-807: what is no http URL with a host, or too long, is not sent")
  func refused() throws {
    for template in [
      "", "about:blank", "javascript:x", "file:///x", "x.gif", "http://",
      "https://t.test/" + String(repeating: "a", count: 8_200),
    ] {
      #expect(try Self.url(template) == nil, "\(template.prefix(20))")
    }
    #expect(try Self.url("//t.test/x") == "https://t.test/x")
  }

  @Test("VA-807: what is refused whatever its macros come to is known before")
  func refusals() {
    let long = "https://t.test/" + String(repeating: "a", count: 8_200)
    for (url, refusal) in [
      ("https://t.test/x?[CACHEBUSTING]", nil), ("//t.test/x", nil), (" http://t.test/ ", nil),
      (long + "[RANDOM]", nil),
      (long, .tooLong), ("file:///x", .scheme), ("http://", .noHost), ("x.gif", .relative), ("  ", .blank),
      ("https://t.test", nil), ("https:///x", .noHost),
    ] as [(String, AdURL.Refusal?)] {
      #expect(AdURL.refusal(of: url) == refusal, "\(url.prefix(30))")
    }
  }
}
