import Foundation
import Hits
import TestSupport
import Testing

@testable import WebTags

@Suite struct WebTagManagerTests {
  @Test("WT-1201: the first seed example loads one page of its URL, and its data names the data source")
  func seedExample() async throws {
    let bench = InstanceBench()
    var c = WebTagsConfiguration(
      account: "ACCOUNT", profile: "PROFILE", environment: "ENVIRONMENT", dataSource: "DATASOURCE")
    final class View: Sendable {}
    let view = View()
    let reference = await PlatformReference(view)
    c.attachment = .view(reference)
    c.lifecycleAutomatic = false
    let manager = try WebTagManager.newInstance(
      forKey: bench.key, configuration: c, environment: bench.environment)
    let tracked = manager.trackView(title: "Home")
    #expect(try await tracked.ended() == .delivered(confirmed: true))
    let url =
      "https://tags.tiqcdn.com/utag/ACCOUNT/PROFILE/ENVIRONMENT/mobile.html?platform=linux&device_os_version=12.1"
      + "&library_version=\(ProductInfo.version)&sdk_session_count=true"
    #expect(bench.transport.requests.map(\.url) == [url])
    let host = try #require(bench.host)
    #expect(host.loads.count == 1)
    guard case .html(let html, let base)? = host.loads.first?.source else {
      Issue.record("no text was loaded")
      return
    }
    #expect(base.absoluteString == url && Array(html.utf8) == InstanceBench.page())
    #expect(bench.delivered.first?["tealium_datasource"] == "DATASOURCE")
    #expect(host.options?.attachment == .view(reference))
    await bench.close()
  }

  @Test("WT-1201: without a data source its key is absent", arguments: [nil, ""])
  func noDataSource(source: String?) async throws {
    let bench = InstanceBench()
    let manager = try bench.open {
      $0.account = "companyXYZ"
      $0.dataSource = source
    }
    _ = try await manager.trackEvent(title: "e").ended()
    #expect(bench.delivered.first?["tealium_datasource"] == nil && bench.delivered.count == 1)
    await bench.close()
  }

  @Test("WT-1202: a pool and a shared session reach the host; a configuration's own pool wins, with a warning")
  func sharing() async throws {
    final class Thing: Sendable {}
    let (one, two) = (Thing(), Thing())
    let (pool, view) = (await PlatformReference(one), await PlatformReference(two))
    let bench = InstanceBench()
    let manager = try bench.open { $0.processPool = pool }
    try await bench.ready(manager)
    #expect(bench.host?.options?.processPool == pool && bench.host?.options?.session == .appDefault)
    await bench.close()

    let both = InstanceBench()
    let second = try both.open {
      $0.processPool = pool
      $0.webViewConfiguration = view
    }
    try await both.ready(second)
    #expect(both.host?.options?.processPool == nil && both.host?.options?.webViewConfiguration == view)
    #expect(both.lines.withLock { $0.contains { $0.contains("the process pool is ignored") } })
    await both.close()

    let session = SharedWebSession(directory: nil)
    let shared = InstanceBench()
    let third = try shared.open { $0.webData = .shared(session) }
    try await shared.ready(third)
    #expect(shared.host?.options?.session == .shared(session))
    await shared.close()
  }

  @Test("WT-145: the app's own web data needs a host that shares it")
  func appSession() throws {
    let bench = InstanceBench(sharesAppSession: false)
    #expect { try bench.open { $0.webData = .appDefault } } throws: {
      ($0 as? WebTagsError)?.code == .engineUnavailable
    }
    #expect(!WebTagManager.instanceKeys.contains(bench.key))
  }

  @Test("WT-1203: destroyed and made again with another view, the events arrive and the visitor is the same")
  func pushCase() async throws {
    final class View: Sendable {}
    let (first, second) = (View(), View())
    let (a, b) = (await PlatformReference(first), await PlatformReference(second))
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    let manager = try bench.open { $0.attachment = .view(a) }
    let events = (1...3).map { manager.trackEvent(title: "e\($0)") }
    for event in events { #expect(await event.stored()) }
    let visitor = manager.visitorID
    await bench.close()
    for event in events { #expect(try await event.ended() == .carriedOver) }
    bench.connectivity.change(.wifi)
    let next = try bench.open { $0.attachment = .view(b) }
    try await bench.wait("three events") { bench.titles.count == 3 }
    #expect(bench.titles == ["e1", "e2", "e3"] && next.visitorID == visitor)
    #expect(bench.host?.options?.attachment == .view(b))
    await bench.close()
  }

  @Test("WT-110, WT-111: a key gives its instance; an equal configuration too; another one is refused")
  func registry() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    #expect(WebTagManager.instance(forKey: bench.key) === manager)
    #expect(try bench.open() === manager)
    #expect { try bench.open { $0.sessionCounting = false } } throws: { ($0 as? WebTagsError)?.code == .keyInUse }
    #expect(WebTagManager.instanceKeys.contains(bench.key))
    await bench.close()
    await bench.close()
    #expect(WebTagManager.instance(forKey: bench.key) == nil)
    let replaced = try await WebTagManager.replaceInstance(
      forKey: bench.key, configuration: InstanceBench.configuration(), environment: bench.environment)
    #expect(replaced !== manager)
    await bench.close()
  }

  @Test("WT-101: an invalid configuration touches nothing")
  func invalid() {
    let bench = InstanceBench()
    #expect { try bench.open { $0.profile = "../x" } } throws: {
      ($0 as? WebTagsError)?.code == .invalidConfiguration && ($0 as? WebTagsError)?.subject == "profile"
    }
    #expect(bench.transport.requests.isEmpty && bench.hosts.hosts.isEmpty && bench.storage.values == nil)
  }

  @Test("WT-113: an instance that was destroyed says so to every call, and its page and folder are free")
  func destroyed() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    let host = try #require(bench.host)
    await bench.close()
    #expect(host.isClosed && host.drains == [.seconds(2)])
    #expect(try await manager.trackEvent(title: "late").ended() == .dropped(.instanceClosed))
    #expect(await manager.pageState == .closed)
    await manager.reload()
    await manager.eraseVisitor()
    manager.flush()
    await #expect(throws: WebTagsError.self) { try await manager.refreshSettings() }
    await #expect(throws: PageHostError.self) { try await manager.cookies() }
    var updates = manager.stateUpdates().makeAsyncIterator()
    #expect(await updates.next() == nil)
  }

  @Test("WT-113: destroyed during load, call or fetch, again and again, nothing crashes (peer bugs 5, 16, 18, 22)")
  func destroyedAnyTime() async throws {
    for turn in 0..<60 {
      let bench = InstanceBench(
        transport: turn % 3 == 0
          ? ScriptedTransport { _ in .hold } : ScriptedTransport { InstanceBench.site($0) }
      ) { _ in
        var script = ScriptedPageHost.Script()
        if turn % 3 == 1 { script.load = { _ in [.started] } }
        if turn % 3 == 2 {
          script.call = { path, _ in path == "__tagworks.probe" ? .value(#"{"ready":true}"#) : .hold }
        }
        return script
      }
      let manager = try bench.open()
      let tracked = (0..<4).map { manager.trackEvent(title: "e\($0)") }
      for _ in 0..<turn { await Task.yield() }
      await bench.close(erase: turn % 2 == 0)
      for event in tracked {
        let outcome = try await event.ended()
        #expect(outcome == (turn % 2 == 0 ? .dropped(.erased) : .carriedOver))
      }
    }
  }

  @Test("WT-115: a folder that another process holds is refused, and nothing of it is touched (peer bug 28)")
  func storageInUse() throws {
    let bench = InstanceBench()
    let folder = InstanceFolder.url(of: bench.key, below: InstanceBench.configuration().storageRoot)
    _ = try bench.storage.open(folder)
    #expect { try bench.open() } throws: { ($0 as? WebTagsError)?.code == .storageInUse }
    #expect(!WebTagManager.instanceKeys.contains(bench.key))
  }

  @Test("WT-114: erased, an instance leaves nothing")
  func erase() async throws {
    let bench = InstanceBench()
    bench.connectivity.change(.offline)
    let manager = try bench.open()
    manager.addPersistentData(["p": 1])
    let event = manager.trackEvent(title: "e")
    _ = await event.stored()
    await bench.close(erase: true)
    #expect(try await event.ended() == .dropped(.erased))
    bench.connectivity.change(.wifi)
    let next = try bench.open()
    try await bench.ready(next)
    #expect(next.persistentData == [:] && bench.titles.isEmpty)
    await bench.close()
  }

  @Test("WT-852: an erased visitor leaves ids, data, queue, web data and page; consent stays")
  func eraseVisitor() async throws {
    let bench = InstanceBench()
    let manager = try bench.open { $0.consent.enabled = true }
    manager.consent.set(status: .consented)
    try await bench.ready(manager)
    bench.connectivity.change(.offline)
    manager.addPersistentData(["p": 1])
    try await bench.closed(.offline, manager)
    let event = manager.trackEvent(title: "e")
    _ = await event.stored()
    let visitor = manager.visitorID
    await manager.eraseVisitor()
    #expect(try await event.ended() == .dropped(.erased))
    #expect(manager.visitorID != visitor && manager.persistentData == [:] && manager.consent.status == .consented)
    #expect(bench.storage.values?.value(of: StoredValues.page) == nil)
    #expect(bench.host?.jar == [])
    await bench.close()
  }

  @Test(
    "WT-116, WT-422: the first line after creation returns at once and its event waits for the page (peer bugs 3, 4, 20)"
  )
  func firstLine() async throws {
    let bench = InstanceBench(transport: InstanceBench.held())
    let manager = try bench.open()
    let notices = bench.notices(of: manager)
    let event = manager.trackView(title: "first")
    func reasons() -> [QueueReason] {
      notices.all(\.waiting).filter { $0.id == event.id }.map(\.reason)
    }
    try await bench.wait("why the event waits") { !reasons().isEmpty }
    #expect(reasons() == [.pageNotReady])
    bench.answerPage()
    #expect(try await event.ended() == .delivered(confirmed: true))
    #expect(
      bench.delivered.first?["was_queued"] == "true" && bench.delivered.first?["queue_reason"] == "page_not_ready")
    await bench.close()
  }

  @Test("WT-116: an engine that takes ten seconds to start holds nobody up (peer bug 4)")
  func slowEngine() async throws {
    let bench = InstanceBench { _ in
      var script = ScriptedPageHost.Script()
      script.opening = .seconds(10)
      return script
    }
    let manager = try bench.open()
    let event = manager.trackView(title: "early")
    #expect(await event.stored())
    #expect(manager.visitorID.utf8.count == 32)
    try await bench.wait("the engine's start") { bench.host?.options != nil }
    #expect(bench.host?.loads.count == 0)
    try await bench.pass(.seconds(10))
    #expect(try await event.ended() == .delivered(confirmed: true))
    await bench.close()
  }

  @Test("WT-207: without a track nothing but the page is fetched, and nothing is delivered (peer bug 25)")
  func noAutomaticView() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    try await bench.ready(manager)
    await bench.settle(manager)
    #expect(bench.transport.requests.count == 1 && bench.deliveries.isEmpty)
    #expect(bench.host?.bootstrap.contains(#""noview":true"#) == true)
    await bench.close()
  }

  @Test("WT-312: without an engine events wait, or end where the configuration says so")
  func noEngine() async throws {
    let bench = InstanceBench()
    let manager = try bench.open(withEngine: false)
    let event = manager.trackEvent(title: "e")
    _ = await event.stored()
    try await bench.wait("what the events wait for") { await manager.diagnostics().waiting == [.noEngine: 1] }
    #expect(await manager.pageState == .idle(.noEngine))
    await bench.close()
    #expect(try await event.ended() == .carriedOver)
  }

  @Test("WT-316: the end of the process that makes a loop of ends is counted like the others")
  func crashCount() async throws {
    let bench = InstanceBench()
    let manager = try bench.open()
    // What the launch lets leave later; the pauses that follow are those after an end.
    try await bench.pass(.seconds(3))
    for pause in [Duration.milliseconds(800)...(.milliseconds(1200)), .milliseconds(1600)...(.milliseconds(2400))] {
      try await bench.ready(manager)
      bench.host?.die(.crash)
      try await bench.pass(pause)
    }
    try await bench.ready(manager)
    bench.host?.die(.crash)
    try await bench.wait("the loop") { await manager.diagnostics().lastFailure?.code == .crashLoop }
    #expect(await manager.diagnostics().crashes == 3)
    await bench.close()
  }

  @Test("WT-113: a call of the app in a call-back does not lock the instance")
  func reentrantCallback() async throws {
    final class Delegate: WebTagManagerDelegate {
      let seen = Locked<[String]>([])
      let loads = Locked<Int?>(nil)
      let hosts: ScriptedPageHostFactory
      init(_ hosts: ScriptedPageHostFactory) { self.hosts = hosts }
      func webTagsPageIsReady(_ manager: WebTagManager) async {
        let isFirst = seen.withLock { seen in
          seen.append(manager.visitorID)
          return seen.count == 1
        }
        if isFirst {
          await manager.reload()
          loads.withLock { $0 = hosts.hosts.last?.loads.count }
        }
        manager.flush()
      }
      func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool {
        await manager.reload()
        return false
      }
    }
    let bench = InstanceBench(transport: InstanceBench.held())
    let delegate = Delegate(bench.hosts)
    let manager = try bench.open()
    manager.delegate = delegate
    bench.answerPage()
    try await bench.wait("two call-backs") { delegate.seen.withLock { $0.count >= 2 } }
    #expect(delegate.loads.withLock { $0 } == 2)
    #expect(try await manager.trackEvent(title: "e").ended() == .delivered(confirmed: true))
    await bench.close()
    // WT-407, peer bug 10: the visitor is there before any call-back.
    #expect(delegate.seen.withLock { $0.allSatisfy { $0 == manager.visitorID && $0.utf8.count == 32 } })
  }
}
