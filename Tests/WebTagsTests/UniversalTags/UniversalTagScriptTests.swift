import Foundation
import Hits
import Testing

@testable import WebTags

@Suite(.enabled(if: ScriptEngine.isThere)) struct UniversalTagScriptTests {
  private static let script = URL(string: "https://tags.example/container_AbCd1234.js") ?? URL(fileURLWithPath: "/")

  private static func deliver(_ type: String, _ name: String, _ data: JSONObject) -> String {
    let event: Value = ["id": .string(type + name), "type": .string(type), "name": .string(name), "data": .map(data)]
    return "JSON.parse((await \(ScriptEngine.call("__tagworks.deliver", ["events": [event]]))).slice(1)).results[0]"
  }

  private static let probe = "JSON.parse((await \(ScriptEngine.call("__tagworks.probe", nil))).slice(1)).ready"

  @Test("WT-601: Matomo gets its events in _mtm, a view as mtm.PageView")
  func matomo() async throws {
    let result = try await ScriptEngine.run(
      for: .matomo(Self.script), overrides: [:], before: UniversalTag.matomo(Self.script).prelude(noSessionCount: true),
      """
      const early = \(Self.probe);
      window.MatomoTagManager = { addContainer() {} };
      const view = \(Self.deliver("view", "Home", ["a": 1])), link = \(Self.deliver("link", "buy", ["event": "x", "b": [1]]));
      return [early, \(Self.probe), view.confirmed, link.ok, window._mtm.slice(1), window._mtm[0].event];
      """)
    #expect(
      result == [
        false, true, false, true, [["a": 1, "event": "mtm.PageView"], ["b": [1], "event": "buy"]], "mtm.Start",
      ])
  }

  @Test("WT-601: a Google container confirms by its call-back, and keys of the event before are cleared")
  func gtm() async throws {
    let tag = UniversalTag.gtm("GTM-ABC1", dataLayer: "layer")
    let result = try await ScriptEngine.run(
      for: tag, overrides: [:], before: tag.prelude(noSessionCount: true),
      """
      const early = \(Self.probe);
      const pushed = [];
      window.google_tag_manager = { "GTM-ABC1": {} };
      const unready = \(Self.probe);
      layer.push = (item) => {
        pushed.push(Object.fromEntries(Object.entries(item).map(([k, v]) => [k, v === undefined ? "cleared" : typeof v === "function" ? "function" : v])));
        if (item.eventCallback) { item.eventCallback(); }
      };
      const first = \(Self.deliver("link", "one", ["a": 1, "b": 2])), second = \(Self.deliver("link", "two", ["b": 3]));
      return [early, unready, \(Self.probe), first.confirmed, second.confirmed, pushed, layer[0].event];
      """)
    #expect(
      result == [
        false, false, true, true, true,
        [
          ["a": 1, "b": 2, "event": "one", "eventCallback": "function", "eventTimeout": 2000], ["a": "cleared"],
          ["b": 3, "event": "two", "eventCallback": "function", "eventTimeout": 2000],
        ], "gtm.js",
      ])
  }

  @Test("WT-601: a Google tag gets page_view with a title, and events with a call-back")
  func gtag() async throws {
    let tag = UniversalTag.gtag("G-ABC")
    let result = try await ScriptEngine.run(
      for: tag, overrides: [:], before: tag.prelude(noSessionCount: true),
      """
      window.google_tag_manager = { "G-ABC": {} };
      const calls = [];
      window.gtag = (...rest) => { calls.push([rest[0], rest[1], rest[2].page_title ?? null, rest[2].a]); rest[2].event_callback(); };
      const view = \(Self.deliver("view", "Home", ["a": 1])), link = \(Self.deliver("link", "buy", ["a": 2]));
      return [\(Self.probe), view.confirmed, link.confirmed, calls, dataLayer.map((a) => Array.from(a)[0])];
      """)
    #expect(
      result == [
        true, true, true, [["event", "page_view", "Home", 1], ["event", "buy", nil, 2]], ["js", "config"],
      ])
  }

  @Test("WT-601: Adobe is ready when loaded, and is not confirmed")
  func adobe() async throws {
    let result = try await ScriptEngine.run(
      for: .adobe(Self.script), overrides: [:],
      """
      const early = \(Self.probe);
      const calls = [];
      window.__satelliteLoaded = true;
      window._satellite = { track: (...rest) => { calls.push(rest); } };
      const link = \(Self.deliver("link", "buy", ["a": 1]));
      return [early, \(Self.probe), link.ok, link.confirmed, calls];
      """)
    #expect(result == [false, true, true, false, [["buy", ["a": 1]]]])
  }

  @Test("WT-601: Segment is ready when it says so; views are pages, events are confirmed")
  func segment() async throws {
    let tag = UniversalTag.segment(key: "abc")
    let result = try await ScriptEngine.run(
      for: tag, overrides: [:], before: tag.prelude(noSessionCount: true),
      """
      const early = \(Self.probe);
      const stub = window.analytics.length;
      window.analytics[0][1]();
      const calls = [];
      window.analytics.page = (...rest) => { calls.push(["page", ...rest]); };
      window.analytics.track = (name, data, done) => { calls.push(["track", name, data]); done(); };
      const view = \(Self.deliver("view", "Home", ["a": 1])), link = \(Self.deliver("link", "buy", ["a": 2]));
      return [early, stub, \(Self.probe), view.confirmed, link.confirmed, calls];
      """)
    #expect(
      result == [false, 1, true, false, true, [["page", "Home", ["a": 1]], ["track", "buy", ["a": 2]]]])
  }

  @Test("WT-601: Piwik PRO and any list get the event with its data")
  func lists() async throws {
    let piwik = UniversalTag.piwikPro(Self.script)
    let first = try await ScriptEngine.run(
      for: piwik, overrides: [:], before: piwik.prelude(noSessionCount: true),
      """
      const early = \(Self.probe);
      window.ppms = {};
      const link = \(Self.deliver("link", "buy", ["a": 1]));
      return [early, \(Self.probe), link.confirmed, dataLayer[1], dataLayer[0].event];
      """)
    #expect(first == [false, true, false, ["a": 1, "event": "buy"], "stg.start"])
    let list = UniversalTag.dataLayer(name: "list", script: Self.script, ready: "my.tag.ready")
    let second = try await ScriptEngine.run(
      for: list, overrides: [:], before: list.prelude(noSessionCount: true),
      """
      const early = \(Self.probe);
      window.my = { tag: { ready: 1 } };
      const view = \(Self.deliver("view", "Home", ["a": 1]));
      return [early, \(Self.probe), view.ok, window.list];
      """)
    #expect(second == [false, true, true, [["a": 1, "event": "Home"]]])
    let loaded = UniversalTag.dataLayer(name: "list", script: Self.script)
    let third = try await ScriptEngine.run(
      for: loaded, overrides: [:],
      """
      const early = \(Self.probe);
      fire("load", { target: { src: "\(Self.script.absoluteString)" } });
      return [early, \(Self.probe)];
      """)
    #expect(third == [false, true])
  }

  @Test("WT-600: combined tags are ready when all are and confirm when all do; an app's own adapter is one of them")
  func combined() async throws {
    let own = UniversalTag.custom(
      id: "own", source: "{ probe: () => window.isReady === true, deliver(event) { window.seen = event.name; } }")
    let result = try await ScriptEngine.run(
      for: .combined([.utag, own]),
      """
      window.utag = { handler: { iflag: 1 }, track(type, data, done) { done(); } };
      const early = \(Self.probe);
      window.isReady = true;
      const link = \(Self.deliver("link", "buy", [:]));
      return [early, \(Self.probe), link.confirmed, window.seen];
      """)
    #expect(result == [false, true, true, "buy"])
  }
}
