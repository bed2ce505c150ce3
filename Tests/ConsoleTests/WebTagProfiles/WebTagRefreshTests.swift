import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@testable import Console
@testable import Tagworks

@Suite struct WebTagRefreshTests {
  @Test("WT-1233, 650: a change of a profile is in force in the app with its next refresh; unchanged, none is told")
  func refresh() async throws {
    let directory = try TemporaryDirectory()
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path), limits: ServerLimits())
    let folder = directory.file("webtags/shop/main")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func publish(_ settings: String) throws {
      try Data("{\"settings\": \(settings)}".utf8).write(to: URL(fileURLWithPath: folder + "/prod.json"))
    }
    try publish(#"{"event_batch_size": "3"}"#)
    var configuration = WebTagsConfiguration(account: "shop", profile: "main", environment: "prod")
    configuration.deliveryBase = try #require(URL(string: server.url + "/utag"))
    configuration.network.allowInsecure = true
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.storageRoot = directory.url.appendingPathComponent("app")
    let hosts = ScriptedPageHostFactory(clock: SystemHitClock())
    let key = UUID().uuidString
    let manager = try WebTagManager.newInstance(
      forKey: key, configuration: configuration, environment: .live(host: hosts, device: FixedDevice()))
    try await manager.refreshSettings()
    #expect(await manager.currentSettings.batchSize == 3)
    let changes = SettingsLog(manager)
    // An answer of 304 changes nothing and is told to nobody.
    try await manager.refreshSettings()
    try publish(#"{"event_batch_size": "1"}"#)
    try await manager.refreshSettings()
    #expect(await manager.currentSettings.batchSize == 1)
    #expect(await manager.trackEvent(title: "e").outcome() == .delivered(confirmed: true))
    await WebTagManager.destroyInstance(forKey: key)
    #expect(await changes.batchSizes() == [1])
    try await server.stop()
  }
}

/// The batch sizes that an instance told of.
private final class SettingsLog: Sendable {
  private let task: Task<[Int], Never>

  init(_ manager: WebTagManager) {
    let notices = manager.events()
    task = Task {
      await notices.reduce(into: []) { sizes, notice in
        if case .settingsChanged(_, let settings) = notice { sizes.append(settings.batchSize) }
      }
    }
  }

  func batchSizes() async -> [Int] { await task.value }
}
