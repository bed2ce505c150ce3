import Foundation
import Hits
import TestSupport
import Testing
import WebTags

/// Libraries written for the tests that take their events as the real ones do, and are ready late.
@Suite("Web tags: other universal tags on WebKitGTK", RealEngine.condition) struct LiveAdapterTests {
  /// A library: what is in the page before it, what it does when it is ready, and what it must get of two events.
  struct Library: Sendable {
    var name: String
    var tag: @Sendable (URL) -> UniversalTag
    var before: String
    var ready: String
    var got: [Value]
    var isConfirmed: Bool
  }

  static let libraries = [
    Library(
      name: "Matomo", tag: { .matomo($0.appendingPathComponent("container_AbCd1234.js")) },
      before: "window._mtm = [];",
      ready: "_mtm.push = got; window.MatomoTagManager = { addContainer() {} };",
      got: [["event": "mtm.PageView", "n": 1], ["event": "buy", "n": 2]], isConfirmed: false),
    Library(
      name: "a Google container", tag: { _ in .gtm("GTM-ABC1") }, before: "window.dataLayer = [];",
      ready: """
        window.google_tag_manager = { "GTM-ABC1": {} };
        dataLayer.push = (item) => { got(item); if (item.eventCallback) { item.eventCallback(); } };
        """,
      got: [["event": "Home", "n": 1, "eventTimeout": 2000], ["event": "buy", "n": 2, "eventTimeout": 2000]],
      isConfirmed: true),
    Library(
      name: "an Adobe container", tag: { .adobe($0.appendingPathComponent("launch-1.js")) }, before: "",
      ready:
        "window._satellite = { track(name, data) { got({ event: name, n: data.n }); } }; window.__satelliteLoaded = true;",
      got: [["event": "Home", "n": 1], ["event": "buy", "n": 2]], isConfirmed: false),
    Library(
      name: "a list",
      tag: { .dataLayer(name: "list", script: $0.appendingPathComponent("list.js"), ready: "vendor.ready") },
      before: "window.list = []; window.vendor = {};", ready: "list.push = got; vendor.ready = true;",
      got: [["event": "Home", "n": 1], ["event": "buy", "n": 2]], isConfirmed: false),
  ]

  @Test("WT-1231: libraries that are ready three seconds late get their events, each in its own form")
  func late() async throws {
    try await withThrowingTaskGroup { group in
      for library in Self.libraries { group.addTask { try await run(library) } }
      try await group.waitForAll()
    }
  }

  private func run(_ library: Library) async throws {
    let live = try LiveInstance()
    let html = """
      <script>
      \(library.before)
      window.got = (item) => {
        const known = {};
        for (const key of ["event", "n", "eventTimeout"]) { if (item[key] !== undefined) { known[key] = item[key]; } }
        if (Object.keys(known).length > 0) { new Image().src = "/got?" + encodeURIComponent(JSON.stringify(known)); }
      };
      setTimeout(() => { \(library.ready) }, 3000);
      </script>
      """
    let base = try #require(URL(string: live.server.url("/")))
    let manager = try live.open { configuration in
      configuration.universalTag = library.tag(base)
      configuration.pageMode = .bundled(html: html, base: base)
    }
    let events = [manager.trackView(title: "Home", data: ["n": 1]), manager.trackEvent(title: "buy", data: ["n": 2])]
    for event in events {
      #expect(try await event.end() == .delivered(confirmed: library.isConfirmed), "\(library.name)")
    }
    try await live.server.requests(atLeast: 2)
    await live.close()
    // Two requests may overtake one another.
    let got = try live.asked("/got").map { try Value(json: $0.removingPercentEncoding ?? "") }
    #expect(got.count == 2 && Set(got) == Set(library.got), "\(library.name)")
  }
}
