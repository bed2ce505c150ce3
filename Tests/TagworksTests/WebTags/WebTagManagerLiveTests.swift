import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@testable import Tagworks

@Suite("Web tags on the system", .serialized) struct WebTagManagerLiveTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func configuration(_ hosts: ScriptedPageHostFactory) throws -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "a", profile: "p", environment: "e")
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.pageMode = .bundled(html: "<p>", base: try #require(URL(string: "https://page.invalid/")))
    configuration.storageRoot = directory.url
    configuration.host = hosts
    return configuration
  }

  @Test(
    "WT-117, 115: without an environment an instance has the system's stores, its lock, and the configuration's host")
  func live() async throws {
    let hosts = ScriptedPageHostFactory(clock: SystemHitClock())
    let key = UUID().uuidString.lowercased()
    let manager = try WebTagManager.newInstance(forKey: key, configuration: configuration(hosts))
    #expect(try WebTagManager.newInstance(forKey: key, configuration: configuration(hosts)) === manager)
    #expect(await manager.trackEvent(title: "first").outcome() == .delivered(confirmed: true))
    #expect(hosts.hosts.count == 1)
    let folder = directory.url.appendingPathComponent(key)
    #expect { try WebTagsFolders().open(folder) } throws: { ($0 as? WebTagsError)?.code == .storageInUse }
    let visitor = manager.visitorID
    let next = try await WebTagManager.replaceInstance(forKey: key, configuration: configuration(hosts))
    #expect(next !== manager && next.visitorID == visitor)
    #expect(await next.trackEvent(title: "second").outcome() == .delivered(confirmed: true))
    await WebTagManager.destroyInstance(forKey: key, erase: true)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}
