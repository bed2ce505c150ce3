import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct PageAddressTests {
  private static let device = FixedDevice(osVersion: "12.1")
  private static let facts = "platform=linux&device_os_version=12.1&library_version=\(ProductInfo.version)"

  private static func configuration(_ change: (inout WebTagsConfiguration) -> Void = { _ in }) -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "A", profile: "P", environment: "E")
    change(&configuration)
    return configuration
  }

  private static func query(
    _ url: String, provided: [[URLQueryItem]] = [], _ change: (inout WebTagsConfiguration) -> Void = { _ in }
  ) throws -> String {
    let url = try #require(URL(string: url))
    return PageAddress.withQuery(
      url, configuration(change), device: device, wallSeconds: 1_700_000_000, provided: provided
    ).absoluteString
  }

  @Test("WT-130: an overridden page does not move the settings")
  func settingsPlace() {
    let page = URL(string: "https://own.example/page.html")
    let published = "https://tags.tiqcdn.com/utag/A/P/E/mobile.html"
    #expect(PageAddress.pageURL(of: Self.configuration()).absoluteString == published)
    #expect(PageAddress.settingsURL(of: Self.configuration())?.absoluteString == published)
    let overridden = Self.configuration { $0.pageURL = page }
    #expect(PageAddress.pageURL(of: overridden) == page)
    #expect(PageAddress.settingsURL(of: overridden)?.absoluteString == published)
    #expect(!PageAddress.pageHasSettings(overridden))
    let profile = Self.configuration { $0.settingsProfile = "other" }
    #expect(
      PageAddress.settingsURL(of: profile)?.absoluteString == "https://tags.tiqcdn.com/utag/A/other/E/mobile.html")
    #expect(PageAddress.settingsURL(of: Self.configuration { $0.pageMode = .generated }) == nil)
    let both = Self.configuration {
      $0.pageMode = .generated
      $0.settingsURL = page
    }
    #expect(PageAddress.settingsURL(of: both) == page)
  }

  @Test("WT-200: the parameters stand in their order, before a fragment, behind a query that is there")
  func parameters() throws {
    #expect(try Self.query("https://a.example/m") == "https://a.example/m?\(Self.facts)&sdk_session_count=true")
    #expect(
      try Self.query("https://a.example/m?x=1#f") == "https://a.example/m?x=1&\(Self.facts)&sdk_session_count=true#f")
    #expect(try Self.query("https://a.example/m?") == "https://a.example/m?\(Self.facts)&sdk_session_count=true")
    #expect(try Self.query("https://a.example/m") { $0.sessionCounting = false } == "https://a.example/m?\(Self.facts)")
  }

  @Test("WT-200: cache busting goes to the end, with an ampersand on a URL with a query (peer bug 57)")
  func cacheBusting() throws {
    #expect(
      try Self.query("https://a.example/m?x=1") { $0.cacheBusting = true }
        == "https://a.example/m?x=1&\(Self.facts)&sdk_session_count=true&timestamp_unix=1700000000")
  }

  @Test("WT-200: a name that the URL carries is not added; a provider's items are sorted; values are encoded")
  func collisions() throws {
    let items = [
      [URLQueryItem(name: "z", value: "1"), URLQueryItem(name: "b", value: "ä &=")],
      [URLQueryItem(name: "a", value: nil), URLQueryItem(name: "platform", value: "mine")],
    ]
    #expect(
      try Self.query("https://a.example/m?library%5Fversion=9", provided: items)
        == "https://a.example/m?library%5Fversion=9&platform=linux&device_os_version=12.1&sdk_session_count=true"
        + "&b=%C3%A4%20%26%3D&z=1&a=")
  }

  @Test(
    "WT-303: URLs compare by scheme, host, port, path and query, without fragment and escapes that say nothing",
    arguments: [
      ("https://A.example:443", "https://a.example/"), ("https://a.example/%7Eb#x", "https://a.example/~b"),
      ("https://a.example/a%2fb", "https://a.example/a%2Fb"), ("http://a.example:80/?q", "http://a.example/?q"),
    ])
  func normalised(text: String, expected: String) {
    #expect(PageAddress.normalised(text) == expected)
  }

  @Test("WT-303: an engine's own pages are no documents", arguments: ["about:blank", "data:text/html,x", ""])
  func noDocument(text: String) {
    #expect(PageAddress.normalised(text) == nil)
  }

  @Test("WT-205: a page made here holds constants and one script, everything escaped")
  func shell() throws {
    let script = try #require(URL(string: "https://a.example/u.js?a=1&b=%22"))
    let hash = try #require(IntegrityHash("sha256-" + Data(repeating: 0, count: 32).base64EncodedString()))
    let html = PageShell.html(
      script: script, prelude: UniversalTag.utag.prelude(noSessionCount: true), integrity: hash,
      policy: "default-src 'self' \"><script>")
    #expect(
      html == """
        <!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="default-src 'self' \
        &quot;&gt;&lt;script&gt;"><meta charset="utf-8"><title>Tagworks</title></head><body>\
        <script>window.utag_cfg_ovrd={noview:true,no_session_count:true};</script>\
        <script src="https://a.example/u.js?a=1&amp;b=%22" integrity="\(hash.attribute)" crossorigin="anonymous"></script>\
        </body></html>
        """)
  }

  @Test("WT-831: a policy is the first element of a bundled page's head")
  func bundledPolicy() {
    #expect(
      PageShell.html("<html><HEAD lang=a><title>t</title></html>", policy: "p")
        == #"<html><HEAD lang=a><meta http-equiv="Content-Security-Policy" content="p"><title>t</title></html>"#)
    #expect(PageShell.html("<p>", policy: "p") == #"<meta http-equiv="Content-Security-Policy" content="p"><p>"#)
  }

  @Test("WT-205: constants in scripts cannot end them")
  func constants() {
    #expect(
      PageJSON.inScript(["a": "</script>&\u{2028}\u{2029}é"])
        == #"{"a":"\u003c/script\u003e\u0026\u2028\u2029é"}"#)
  }
}
