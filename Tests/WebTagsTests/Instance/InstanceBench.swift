import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

/// An instance with everything around it in a test's hands.
final class InstanceBench: Sendable {
  let key = UUID().uuidString
  let changes: Changes
  let clock: ManualClock
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
    changes = transport.changes
    clock = ManualClock(changes: changes)
    hosts = ScriptedPageHostFactory(
      clock: clock, cookies: cookies, sharesAppSession: sharesAppSession, changes: changes, script: script)
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

  /// A site whose page comes when `answerPage` says so: what is tracked before is there before the page.
  static func held() -> ScriptedTransport { ScriptedTransport([.hold]) { site($0) } }

  func answerPage(_ answer: ScriptedTransport.Answer = answer(page())) { transport.answerNext(answer) }

  var environment: WebTagsEnvironment {
    var environment = WebTagsEnvironment(
      host: hosts, transport: transport, storage: storage, connectivity: connectivity, power: power, clock: clock,
      device: device, collectSink: sink,
      log: { [lines] _, line in lines.withLock { $0.append(line) } })
    environment.didWork = { [changes] in changes.note() }
    return environment
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

  /// Waits until something of the instance, its page or its requests holds.
  func wait(_ what: String, _ holds: () async -> Bool) async throws {
    try await changes.wait(for: what, until: holds)
  }

  /// Waits until someone sleeps for as long as that, and lets the time pass.
  func pass(_ pause: ClosedRange<Duration>) async throws {
    try await wait("a pause of \(pause)") { clock.pauses.contains { pause ~= $0 } }
    clock.advance(by: pause.upperBound)
  }

  func pass(_ pause: Duration) async throws { try await pass(pause...pause) }

  /// Waits until the instance has done all that is asked of it so far.
  func settle(_ manager: WebTagManager) async {
    await withCheckedContinuation { continuation in
      if !manager.shared.mailbox.put(.run { _ in continuation.resume() }) { continuation.resume() }
    }
  }

  func ready(_ manager: WebTagManager) async throws {
    try await wait("ready") { await manager.pageState == .ready }
  }

  /// Waits until the instance has heard all that its host has told so far: a host's events come in order.
  func heard(_ manager: WebTagManager) async throws {
    let mark = UUID().uuidString
    host?.emit(.requestBlocked(host: mark))
    try await wait("the last event") { await manager.diagnostics().blockedRequests[mark] == 1 }
  }

  /// Waits until the instance knows of what keeps events from leaving.
  func closed(_ reason: IdleReason?, _ manager: WebTagManager) async throws {
    try await wait("the gate") { await manager.machine.gates.network == reason }
  }

  /// What the instance tells from now on.
  func notices(of manager: WebTagManager) -> NoticeLog { NoticeLog(manager, changes) }
}

/// What an instance told, for a test to look at.
final class NoticeLog: Sendable {
  private let notices = Locked<[WebTagsNotice]>([])

  init(_ manager: WebTagManager, _ changes: Changes) {
    let stream = manager.events()
    Task { [notices] in
      for await notice in stream {
        notices.withLock { $0.append(notice) }
        changes.note()
      }
    }
  }

  /// What of it is something, in order.
  func all<Found>(_ isIt: (WebTagsNotice) -> Found?) -> [Found] { notices.withLock { $0 }.compactMap(isIt) }
}

extension WebTagsNotice {
  var origin: PageOrigin? { if case .pageSource(let origin) = self { origin } else { nil } }
  var settings: (from: PublishSettings, to: PublishSettings)? {
    if case .settingsChanged(let from, let to) = self { (from, to) } else { nil }
  }
  var storeFailure: String? { if case .storeFailed(let text) = self { text } else { nil } }
  var refusal: String? { if case .commandRefused(let reason) = self { reason } else { nil } }
  var refusedFile: String? { if case .remoteCommandFileRejected(let id, _) = self { id } else { nil } }
  var waiting: (id: UUID, reason: QueueReason)? {
    if case .queued(let id, let reason) = self { (id, reason) } else { nil }
  }
}

extension TrackedEvent {
  /// The outcome; one that does not come fails the test in place of holding it up.
  func ended() async throws -> EventOutcome { try await Changes().value("the outcome of an event") { await outcome() } }
}
