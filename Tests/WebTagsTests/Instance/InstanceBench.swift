import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

/// An instance with everything around it in a test's hands.
final class InstanceBench: Sendable {
  let key = UUID().uuidString
  let clock = ManualClock()
  let storage: MemoryWebTagsStorage
  let transport: ScriptedTransport
  let hosts: ScriptedPageHostFactory
  let connectivity = ScriptedConnectivity()
  let power = ScriptedPower()
  let sink = RecordingSink()
  let lines = Locked<[String]>([])
  let device = FixedDevice(
    osVersion: "12.1", model: "box", language: "de-DE", screen: ScreenSize(width: 1920, height: 1080), appName: "Shop",
    appID: "com.acme.shop", appVersion: "3.1", installID: "install-1")

  init(
    storage: MemoryWebTagsStorage = MemoryWebTagsStorage(), cookies: [WebCookie] = [],
    sharesAppSession: Bool = true, transport: ScriptedTransport = ScriptedTransport { InstanceBench.site($0) },
    script: @escaping @Sendable (Int) -> ScriptedPageHost.Script = { _ in ScriptedPageHost.Script() }
  ) {
    self.storage = storage
    self.transport = transport
    hosts = ScriptedPageHostFactory(
      clock: clock, cookies: cookies, sharesAppSession: sharesAppSession, script: script)
  }

  /// A page with publish settings, in the published form.
  static func page(_ five: String = "{}", body: String = "") -> [UInt8] {
    let text =
      "<!--tealium tag management - mobile.webview ut4.0.202001010000-->\n<html><head><script>"
      + "var utag_cfg_ovrd={noview:true};var mps = {\"4\":{},\"5\":\(five)};</script></head><body>"
      + "<script src=\"//tags.tiqcdn.com/utag/A/P/E/utag.js\"></script>\(body)</body></html>"
    return Array(text.utf8)
  }

  static func answer(_ body: [UInt8], etag: String? = nil, type: String = "text/html") -> ScriptedTransport.Answer {
    var headers: HTTPHeaders = ["Content-Type": type]
    headers["ETag"] = etag
    return .response(HTTPResponse(status: 200, headers: headers, body: body))
  }

  static func site(_ request: HTTPRequest) -> ScriptedTransport.Answer { answer(page()) }

  /// A site with other settings.
  static func site(_ five: String) -> ScriptedTransport { ScriptedTransport { _ in answer(page(five)) } }

  var environment: WebTagsEnvironment {
    WebTagsEnvironment(
      host: hosts, transport: transport, storage: storage, connectivity: connectivity, power: power, clock: clock,
      device: device, collectSink: sink,
      log: { [lines] _, line in lines.withLock { $0.append(line) } })
  }

  static func configuration(_ change: (inout WebTagsConfiguration) -> Void = { _ in }) -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "A", profile: "P", environment: "E", dataSource: "D")
    configuration.lifecycleAutomatic = false
    change(&configuration)
    return configuration
  }

  func open(
    withEngine: Bool = true, _ change: (inout WebTagsConfiguration) -> Void = { _ in }
  ) throws -> WebTagManager {
    var environment = environment
    if !withEngine { environment.host = nil }
    return try WebTagManager.newInstance(
      forKey: key, configuration: Self.configuration(change), environment: environment)
  }

  func close(erase: Bool = false) async { await WebTagManager.destroyInstance(forKey: key, erase: erase) }

  var host: ScriptedPageHost? { hosts.hosts.last }

  /// All events that the page got, in order, of all hosts.
  var deliveries: [JSONObject] {
    hosts.hosts.flatMap { $0.arguments(of: "__tagworks.deliver") }.flatMap { text in
      ((try? Value(json: text))?.map?["events"]?.list ?? []).compactMap(\.map)
    }
  }

  var delivered: [JSONObject] { deliveries.compactMap { $0["data"]?.map } }
  var titles: [String] { delivered.compactMap { $0["tealium_event"]?.string } }

  /// The requests whose URL holds a text.
  func requests(_ part: String) -> [HTTPRequest] { transport.requests.filter { $0.url.contains(part) } }

  /// Waits until something holds.
  func wait(
    _ what: Comment = "what was waited for", sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async -> Bool
  ) async {
    for turn in 1...5_000 {
      if await holds() { return }
      if turn > 50 { try? await Task.sleep(for: .milliseconds(1)) } else { await Task.yield() }
    }
    Issue.record(what, sourceLocation: sourceLocation)
  }

  /// Waits until something holds, while the clock goes on in steps.
  func advance(
    _ what: Comment = "what was waited for", by step: Duration = .milliseconds(100), most: Int = 2_000,
    sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async -> Bool
  ) async {
    for _ in 1...most {
      for _ in 1...10 {
        if await holds() { return }
        await Task.yield()
      }
      clock.advance(by: step)
    }
    Issue.record(what, sourceLocation: sourceLocation)
  }

  /// Waits until the instance has done all that is asked of it so far.
  func settle(_ manager: WebTagManager) async {
    for _ in 1...5 {
      await withCheckedContinuation { continuation in
        if !manager.shared.mailbox.put(.run { _ in continuation.resume() }) { continuation.resume() }
      }
      for _ in 1...20 { await Task.yield() }
    }
  }

  func ready(_ manager: WebTagManager) async { await wait("ready") { await manager.pageState == .ready } }
}
