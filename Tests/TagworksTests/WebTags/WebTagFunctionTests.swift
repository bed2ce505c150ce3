import Foundation
import Hits
import TagManager
import TestSupport
import Testing
import WebTags

@testable import Tagworks

@Suite("The tag kind webTag", .serialized) struct WebTagFunctionTests {
  private func call(_ parameters: [String: Value]) -> TagCall {
    TagCall(name: "t", function: .webTag, parameters: parameters, event: "purchase")
  }

  private func instance(_ key: String, _ hosts: ScriptedPageHostFactory) throws -> WebTagManager {
    var configuration = WebTagsConfiguration(account: "a", profile: "p", environment: "e")
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.pageMode = .bundled(
      html: "<p>", base: try #require(URL(string: "https://page.invalid/")))
    return try WebTagManager.newInstance(
      forKey: key, configuration: configuration,
      environment: WebTagsEnvironment(
        host: hosts, transport: ScriptedTransport(), storage: MemoryWebTagsStorage(),
        connectivity: ScriptedConnectivity(), device: FixedDevice()))
  }

  @Test("WT-470: the event goes to the only instance, or to the one that is named, with title, type, data and tag ids")
  func fires() async throws {
    let hosts = ScriptedPageHostFactory(clock: SystemHitClock())
    let key = UUID().uuidString
    let manager = try instance(key, hosts)
    let function = WebTagFunction()
    #expect(try function.fire(call([:])) == .started)
    try function.fire(
      call(["title": "Home", "type": "view", "data": ["a": 1], "instance": .string(key), "tagIDs": [1, "7"]]))
    try function.fire(call(["type": "trade", "data": "no map"]))
    let last = manager.trackEvent(title: "last")
    #expect(await last.outcome() == .delivered(confirmed: true))
    let events = hosts.hosts.flatMap { $0.arguments(of: "__tagworks.deliver") }
      .flatMap { (try? Value(json: $0))?.map?["events"]?.list ?? [] }.compactMap(\.map)
    #expect(events.map { $0["type"]?.string } == ["link", "view", "trade", "link"])
    #expect(events.map { $0["name"]?.string } == ["purchase", "Home", "purchase", "last"])
    #expect(events[1]["data"]?.map?["a"] == 1 && events[1]["uids"] == ["1", "7"] && events[0]["uids"] == nil)
    await WebTagManager.destroyInstance(forKey: key)
  }

  @Test("WT-470: where there is no such instance, or no single one, the tag fails and says so")
  func noInstance() async throws {
    let function = WebTagFunction()
    let failure = TagFailure.other("noInstance")
    #expect(throws: failure) { try function.fire(call(["instance": "missing"])) }
    #expect(throws: failure) { try function.fire(call([:])) }
    let hosts = ScriptedPageHostFactory(clock: SystemHitClock())
    let keys = [UUID().uuidString, UUID().uuidString]
    for key in keys { _ = try instance(key, hosts) }
    #expect(throws: failure) { try function.fire(call([:])) }
    for key in keys { await WebTagManager.destroyInstance(forKey: key) }
  }

  @Test("WT-1233: in a preview the trace that goes to the server tells what became of the tag")
  func previewTrace() async throws {
    let hosts = ScriptedPageHostFactory(clock: SystemHitClock())
    let key = UUID().uuidString
    _ = try instance(key, hosts)
    let draft =
      #"{"resource":{"version":"1","tags":[{"function":"__webtag","instance_name":"page","vtp_instance":"\#(key)"},"#
      + #"{"function":"__webtag","instance_name":"nowhere","vtp_instance":"missing"}],"rules":[[["add",0,1]]]}}"#
    let transport = ScriptedTransport(
      [.response(HTTPResponse(status: 200, body: Array(draft.utf8)))], otherwise: { _ in .status(204) })
    let manager = TagManager(
      configuration: TagManager.Configuration(server: .tagworks("https://tags.example.com")),
      ports: TagManager.Ports(
        sink: RecordingSink(), transport: transport, tagFunctions: ["__webtag": WebTagFunction()]))
    let link = "https://tags.example.com/preview/p?id=GTM-TEST&gtm_auth=SECRET&gtm_preview=3"
    #expect(manager.previewWithURL(try #require(URL(string: link))))
    _ = try await ContainerOpener.open("GTM-TEST", in: manager, prefer: .fresh)
    manager.dataLayer.push(["event": "purchase"])
    try await transport.changes.wait(for: "the trace") { transport.requests.count == 2 }
    let trace = try Value(json: try #require(transport.lines.first))
    let tags = trace.map?["containers"]?.list?.first?.map?["tags"]?.list ?? []
    #expect(tags.map { $0.map?["name"] } == ["page", "nowhere"])
    let statuses = tags.map { $0.map?["status"]?.string ?? "" }
    #expect(statuses == ["started", "failed(noInstance)"])
    await WebTagManager.destroyInstance(forKey: key)
  }
}
