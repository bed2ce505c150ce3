import Foundation
import Hits
import TestSupport
import Testing
import VideoAds

@testable import Tagworks

/// Two verification scripts of ours in a page of the real engine, while an ad plays on the simulated player.
@Suite("Verification of ads on WebKitGTK", RealEngine.condition) @MainActor struct VerificationTests {
  /// Calls `omid3p` itself, and asks for a picture of each event.
  private static let direct = """
    (function () {
      let count = 0;
      const hear = (event) => {
        const data = event.data, more = event.type === "sessionStart"
          ? [data.verificationParameters, data.context.omidJsInfo.omidImplementer, data.context.accessMode].join(",") : "";
        new Image().src = "HEARD/direct?" + [++count, event.type, more].map(encodeURIComponent).join("&");
      };
      omid3p.registerSessionObserver(hear, "one");
      for (const type of ["impression", "media"]) { omid3p.addEventListener(type, hear); }
    })();
    """

  /// Calls by messages, as clients in a frame do, and has each event sent.
  private static let messages = """
    (function () {
      let number = 0;
      const waiting = {};
      window.addEventListener("message", (event) => {
        const message = event.data;
        if (message && message.omid_message_method === "response" && waiting[message.omid_message_guid]) {
          waiting[message.omid_message_guid](...message.omid_message_args);
        }
      });
      const call = (method, answered, ...values) => {
        const guid = "g" + ++number;
        waiting[guid] = answered;
        window.top.postMessage({
          omid_message_guid: guid, omid_message_method: "VerificationService." + method, omid_message_version: "1.6.7",
          omid_message_args: values,
        }, "*");
      };
      const hear = (event) => {
        const parameters = String(event.data && event.data.verificationParameters);
        call("sendUrl", () => {}, "https://v.test/" + event.type + (event.type === "sessionStart" ? "?" + parameters : ""));
      };
      if (!window.frames["omid_v1_present"]) { throw new Error("no service"); }
      call("addSessionListener", hear, "two");
      call("addEventListener", hear, "media");
      call("attest", (isSuccess) => call("sendUrl", () => {}, "https://v.test/attest?" + isSuccess), "m", "1", {});
      call("setTimeout", () => call("sendUrl", () => {}, "https://v.test/timeout"), 1, 1);
    })();
    """

  private static let broken = "omid3p.registerSessionObserver(() => {}, 'three'); throw new Error('x');"

  @Test(
    "VA-900 to VA-906: scripts of ours hear the events of an ad in order, by calls and by messages; a throwing one is told"
  )
  func hearing() async throws {
    let texts = Locked<[String: String]>([:])
    let server = try LoopbackServer { request in
      let name = String(request.target.dropFirst().prefix { $0 != "?" })
      guard let text = texts.withLock({ $0[name] }) else { return .response(status: 404) }
      return .response(status: 200, headers: ["Content-Type": "text/javascript"], body: Array(text.utf8))
    }
    texts.withLock { texts in
      texts["direct.js"] = Self.direct.replacingOccurrences(of: "HEARD", with: server.url("/heard"))
      texts["messages.js"] = Self.messages
      texts["broken.js"] = Self.broken
    }
    let changes = Changes()
    let sent = NotingSink(changes)
    let clock = ManualAdClock()
    let host = PageVerificationHost(pages: RealEngine.factory, beacons: sent, device: FixedDevice())
    let loader = AdsLoader(
      environment: AdsEnvironment(
        transport: ScriptedTransport(), hits: sent, players: SimulatedPlayerFactory(clock: clock), clock: clock,
        links: NoPages(), verification: host, privacy: FixedPrivacySignals()))
    let manager = try await loader.load(AdsRequest(adsResponse: Self.document(server)))
    manager.initialize()
    manager.start()
    for _ in 0..<20 { await manager.settle(); clock.advance(by: 0.1) }
    // The ad stands still until both scripts have heard the beginning, and the third has thrown.
    try await Self.wait(changes, "the second script") { sent.names.contains("start") }
    try await Self.wait(changes, "the third script") { !sent.beacons.isEmpty }
    try await server.requests(atLeast: 4 + 3)
    for _ in 0..<110 { await manager.settle(); clock.advance(by: 0.1) }
    try await Self.wait(changes, "the end") { sent.names.contains("sessionFinish") }
    let media = ["loaded", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    #expect(
      sent.names.filter { !["attest?false", "timeout"].contains($0) }
        == ["sessionStart?second parameters"] + media + ["sessionFinish"])
    #expect(sent.names.contains("attest?false") && sent.names.contains("timeout"))
    // The page is gone when its requests are done.
    try await server.requests(atLeast: 3 + 9)
    let heard = server.requests.map(\.target).filter { $0.hasPrefix("/heard") }.compactMap { target -> [String]? in
      target.split(separator: "?").last?.split(separator: "&").compactMap { $0.removingPercentEncoding }
    }.sorted { (Int($0[0]) ?? 0) < (Int($1[0]) ?? 0) }
    // Each of its three listeners gets past events at once when it registers: the impression's place is its own.
    let types = heard.map { $0[1] }
    #expect(types.filter { $0 != "impression" } == ["sessionStart"] + media + ["sessionFinish"])
    #expect(types.count { $0 == "impression" } == 1)
    #expect(heard.first?.last == "first parameters,tagworks,limited")
    #expect(sent.beacons == ["not-3"])
  }

  /// Conditions of the main actor's tests that look at what is shared.
  private nonisolated static func wait(
    _ changes: Changes, _ what: String, until holds: @escaping @Sendable () -> Bool
  ) async throws { try await changes.wait(for: what) { holds() } }

  private static func document(_ server: LoopbackServer) -> String {
    let script = { (vendor: String, file: String, parameters: String) in
      """
      <Verification vendor='\(vendor)'><JavaScriptResource apiFramework='omid'>\(server.url("/" + file))
      </JavaScriptResource><TrackingEvents><Tracking event='verificationNotExecuted'>https://t.test/not-[REASON]
      </Tracking></TrackingEvents><VerificationParameters>\(parameters)</VerificationParameters></Verification>
      """
    }
    return """
      <VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
      <Impression>https://i.test/</Impression><AdVerifications>
      \(script("one", "direct.js", "first parameters"))\(script("two", "messages.js", "second parameters"))
      \(script("three", "broken.js", ""))</AdVerifications><Creatives><Creative><Linear><Duration>00:00:10</Duration>
      <MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://m.test/a.mp4
      </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
      """
  }
}

@MainActor
private final class NoPages: LinkOpener {
  nonisolated init() {}
  func canOpen(_ url: String) -> Bool { false }
  func open(_ url: String, closed: @escaping @MainActor () -> Void) { closed() }
}

/// Keeps what is sent, and notes it.
private struct NotingSink: HitSink {
  private let kept = RecordingSink()
  private let changes: Changes

  init(_ changes: Changes) { self.changes = changes }

  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt {
    defer { changes.note() }
    return kept.send(hit, tracker: tracker)
  }

  /// What the second script asked to send, without the host.
  var names: [String] { urls("https://v.test/") }
  /// The trackers of the ad.
  var beacons: [String] { urls("https://t.test/") }

  private func urls(_ prefix: String) -> [String] {
    kept.hits.compactMap { $0.get("url") }.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
