import Foundation
import Hits
import Testing

@testable import WebTags

@Suite(.enabled(if: ScriptEngine.isThere)) struct BootstrapTests {
  private static let utag = """
    window.utag_data = [];
    window.utag = { handler: { iflag: 1 }, track(type, data, done, uids) { utag_data.push([type, data, uids ?? null]); done(); } };
    """

  private static func batch(_ events: Value...) -> Value { ["events": .list(events)] }

  private static func event(_ id: String, _ data: JSONObject = [:], type: String = "link") -> Value {
    ["id": .string(id), "type": .string(type), "name": "n", "data": .map(data)]
  }

  @Test("WT-841: the bridge cannot be replaced, changed or removed")
  func frozen() async throws {
    let result = try await ScriptEngine.run(
      before: Self.utag,
      """
      const bridge = window.__tagworks, deliver = bridge.deliver;
      try { window.__tagworks = 1; } catch (error) {}
      try { delete window.__tagworks; } catch (error) {}
      try { Object.defineProperty(window, "__tagworks", { value: 1 }); } catch (error) {}
      try { bridge.deliver = 1; } catch (error) {}
      try { bridge.more = 1; } catch (error) {}
      return [window.__tagworks === bridge, bridge.deliver === deliver, "more" in bridge, Object.isFrozen(bridge)];
      """)
    #expect(result == [true, true, false, true])
  }

  @Test("WT-841: what pages change in built-ins afterwards does not reach the bridge")
  func builtIns() async throws {
    let result = try await ScriptEngine.run(
      before: Self.utag,
      """
      const original = JSON.stringify;
      JSON.stringify = () => "stolen";
      window.webkit.messageHandlers.tagworks.postMessage = () => { throw new Error("stolen"); };
      window.open("tealium://a");
      JSON.stringify = original;
      return posted.map((message) => message.v.url);
      """)
    #expect(result == ["tealium://a"])
  }

  @Test(
    "WT-840: other origins and sub-frames get no bridge",
    arguments: [
      "window.location = { origin: 'https://evil.invalid' };", "window.top = {};", "delete window.webkit;",
    ])
  func strangers(before: String) async throws {
    #expect(try await ScriptEngine.run(before: before, "return typeof window.__tagworks;") == "undefined")
  }

  @Test("WT-423, WT-424, WT-800: hostile data arrives as data, in order, and each event has its result")
  func delivery() async throws {
    let hostile = "');window.pwn=1;('\"\\\n\u{2028}\u{2029}😀</script>${window.pwn=1}`"
    let batch = Self.batch(
      Self.event("1", [hostile: .string(hostile), "number": 9_007_199_254_740_991]),
      ["id": "2", "type": "view", "name": "n", "data": ["a": [1, nil]], "uids": ["7"]])
    let result = try await ScriptEngine.run(
      before: Self.utag,
      """
      const answer = await \(ScriptEngine.call("__tagworks.deliver", batch));
      return [JSON.parse(answer.slice(1)), utag_data, typeof window.pwn, posted.map((m) => [m.k, m.t, m.v.id, m.v.final])];
      """)
    #expect(
      result == [
        ["results": [["id": "1", "ok": true, "confirmed": true], ["id": "2", "ok": true, "confirmed": true]]],
        [
          ["link", [hostile: .string(hostile), "number": 9_007_199_254_740_991], nil],
          ["view", ["a": [1, nil]], ["7"]],
        ],
        "undefined",
        [
          ["0123456789ABCDEF", "confirm", "1", false], ["0123456789ABCDEF", "confirm", "2", false],
          ["0123456789ABCDEF", "confirm", "1", true], ["0123456789ABCDEF", "confirm", "2", true],
        ],
      ])
  }

  @Test("WT-424, WT-425: an event that throws does not stop the next; no call-back is delivered, unconfirmed")
  func errors() async throws {
    let batch = Self.batch(Self.event("1"), Self.event("2"), Self.event("3"))
    let result = try await ScriptEngine.run(
      before: """
        \(Self.utag)
        window.setTimeout = (body) => { setImmediate(body); return 1; };
        let calls = 0;
        utag.track = (type, data, done) => { calls += 1; if (calls === 1) { throw new TypeError("x'y"); } if (calls === 3) { done(); } };
        """,
      "return JSON.parse((await \(ScriptEngine.call("__tagworks.deliver", batch))).slice(1)).results;")
    #expect(
      result == [
        ["id": "1", "ok": false, "confirmed": false, "error": "TypeError: x'y", "source": nil, "line": nil],
        ["id": "2", "ok": true, "confirmed": false], ["id": "3", "ok": true, "confirmed": true],
      ])
  }

  @Test(
    "WT-301: utag is ready when its flag is set and it can track",
    arguments: [
      ("", false), ("window.utag = {};", false), ("window.utag = { handler: {}, track() {} };", false),
      ("window.utag = { handler: { iflag: 1 } };", false), ("window.utag = null;", false),
      ("window.utag = { handler: { iflag: 1 }, track() {} };", true),
    ])
  func probe(page: String, isReady: Bool) async throws {
    let result = try await ScriptEngine.run(
      "\(page) return JSON.parse((await \(ScriptEngine.call("__tagworks.probe", nil))).slice(1)).ready;")
    #expect(result == .bool(isReady))
  }

  @Test("WT-207, WT-261, WT-851: what is forced stays forced in the page's own settings, and the rest is the page's")
  func overrides() async throws {
    let result = try await ScriptEngine.run(
      overrides: ["noview": true, "no_session_count": true],
      """
      const before = window.utag_cfg_ovrd.noview;
      window.utag_cfg_ovrd = { noview: false, own: 1 };
      return [before, window.utag_cfg_ovrd];
      """)
    #expect(result == [true, ["noview": true, "no_session_count": true, "own": 1]])
  }

  @Test("WT-507: window.open of a command is a message, in order, and no window; others open (peer bugs 65, 66)")
  func windowOpen() async throws {
    let result = try await ScriptEngine.run(
      """
      const results = [window.open("tealium://a", "_self"), window.open("TEALIUM://b", "_blank"),
        window.open("tealiumx://c"), window.open("https://d.example/"), window.open()];
      return [results, posted.map((m) => m.v.url), window.opened.length];
      """)
    #expect(result == [[nil, nil, "opened", "opened", "opened"], ["tealium://a", "TEALIUM://b"], 3])
  }

  @Test("WT-507: __tagworks.command gives a promise of status and body, each its own")
  func command() async throws {
    let answer: (Int64, String) -> String = { call, body in
      ScriptEngine.call(
        "__tagworks.respond",
        ["command": "a", "response_id": nil, "call": .int(call), "status": 200, "body": .string(body)])
    }
    let result = try await ScriptEngine.run(
      """
      const first = __tagworks.command("a", { n: 1 }), second = __tagworks.command("a");
      await \(answer(2, "two")); await \(answer(1, "one")); const late = await \(answer(1, "again"));
      return [await first, await second, posted.map((m) => [m.t, m.v]), late];
      """)
    #expect(
      result == [
        ["status": 200, "body": "one"], ["status": 200, "body": "two"],
        [
          ["command", ["id": "a", "payload": ["n": 1], "call": 1]],
          ["command", ["id": "a", "payload": [:], "call": 2]],
        ],
        "vfalse",
      ])
  }

  @Test("WT-502: an answer goes to the page's own function alone, as status and text; inherited names are none")
  func respond() async throws {
    func respond(_ command: String, _ id: String, _ body: Value, encoding: Value = .absent) -> String {
      ScriptEngine.call(
        "__tagworks.respond",
        [
          "command": .string(command), "response_id": .string(id), "call": .absent, "status": 204, "body": body,
          "encoding": encoding,
        ])
    }
    let hostile = "');window.pwn2=1;('"
    let result = try await ScriptEngine.run(
      before: """
        window.got = [];
        window.utag = { mobile: { remote_api: { response: { c: { 1: (...rest) => got.push(rest.map((v) => v ?? "none")), x: 5 } } } } };
        """,
      """
      const results = [await \(respond("c", "1", .string(hostile))), await \(respond("c", "1", nil)),
        await \(respond("c", "1", "AA==", encoding: "base64")), await \(respond("c", "toString", nil)),
        await \(respond("constructor", "constructor", "return 1")), await \(respond("c", "x", nil)),
        await \(respond("d", "1", nil)), await \(respond("__proto__", "toString", nil))];
      return [results, got, typeof window.pwn2];
      """)
    #expect(
      result == [
        ["vtrue", "vtrue", "vtrue", "vfalse", "vfalse", "vfalse", "vfalse", "vfalse"],
        [[204, .string(hostile)], [204, "none"], [204, "AA==", ["encoding": "base64"]]], "undefined",
      ])
  }

  @Test("WT-429: a beacon that the engine refuses leaves by fetch, and is counted")
  func beacons() async throws {
    let result = try await ScriptEngine.run(
      """
      const first = navigator.sendBeacon("https://b.example/", "x");
      beacons = false;
      const second = navigator.sendBeacon("https://b.example/", "x");
      const third = navigator.sendBeacon("https://b.example/", new Blob(["{}"], { type: "application/json" }));
      return [first, second, third, window.fetched, posted.map((m) => m.t)];
      """)
    #expect(
      result == [
        true, true, true, [["https://b.example/", "POST", "no-cors"], ["https://b.example/", "POST", "cors"]],
        ["beacon", "beacon"],
      ])
  }

  @Test("WT-302: parts of the page that fail to load are told")
  func resources() async throws {
    let result = try await ScriptEngine.run(
      """
      fire("error", { target: { src: "https://vendor.example/a.js", tagName: "SCRIPT" } });
      fire("error", { target: window, message: "boom", filename: "f", lineno: 3 });
      return posted.map((m) => [m.t, m.v.url ?? m.v.text]);
      """)
    #expect(result == [["resource", "https://vendor.example/a.js"], ["log", "boom"]])
  }

  @Test("WT-800: constants cannot end the bootstrap")
  func constants() {
    let source = Bootstrap.source(
      Bootstrap.Options(
        token: "t", origin: "https://a.example", scheme: "tealium",
        overrides: ["x": "</script><script>alert(1)</script>\u{2028}"], beaconFallback: false, scripts: []), for: .utag)
    #expect(!source.contains("</script>") && !source.contains("\u{2028}"))
  }
}
