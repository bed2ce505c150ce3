import Authoring
import DurableStore
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Refresh of the catalogue") struct CatalogueRefreshTests {
  let directory: TemporaryDirectory
  let clock = ManualClock()
  let catalogue = DeliveryCatalogue()
  let lines = Locked<[String]>([])
  let store: SQLiteWorkspaceStore
  private static let author = Authorship(Actor(id: "token:1", name: "Ana"), at: 1_800_000_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    store = try SQLiteWorkspaceStore(path: directory.file("console.sqlite3"))
  }

  private func refresh(site: String? = nil) -> CatalogueRefresh {
    CatalogueRefresh(
      store: store, catalogue: catalogue, site: site.map { StaticSite(directory: $0) }, keys: [], clock: clock,
      log: { [lines] line in lines.withLock { $0.append(line) } })
  }

  private func make(_ kind: ContainerKind = .iOS, id: ContainerID = SampleContainer.id) async throws {
    try await store.create(
      AuthoredContainer(id: id, kind: kind, name: "Sample", created: 1), draft: SampleContainer.export(id: id),
      by: Self.author)
  }

  @discardableResult
  private func publish(
    _ text: [UInt8], on store: SQLiteWorkspaceStore? = nil, share: RolloutShare = .all
  ) async throws -> Publication {
    let store = store ?? self.store
    let draft = try #require(try await store.draft(of: SampleContainer.id))
    guard
      case .done(let saved) = try await store.save(
        text, of: SampleContainer.id, basedOn: draft.revision, subject: "workspace", by: Self.author),
      case .done(let version) = try await store.createVersion(
        of: SampleContainer.id, basedOn: saved.revision, name: "", notes: "", by: Self.author)
    else { throw CancellationError() }
    return try await store.publish(
      version.number, of: SampleContainer.id, in: "live", share: share, after: nil, by: Self.author)
  }

  /// What an app is told now.
  private func answer(_ id: ContainerID = SampleContainer.id) -> ServerResponse? {
    catalogue.answer(id, environment: "live", token: nil, InstantRequest(path: "/"))?.response
  }

  private func title() -> String? {
    let container = answer().flatMap { ContainerDecoder.decode($0.body, id: SampleContainer.id).container }
    return container.map { container in
      ContainerOutput.values.text(of: container)
    }
  }

  @Test("CO-603: before the first look into the store nobody is told that a container is not there")
  func notReady() async throws {
    #expect(answer() == nil)
    await refresh().refresh()
    #expect(answer()?.status == 404)
  }

  @Test("CO-602: what another process publishes is delivered within a second; what this one publishes, at once")
  func looks() async throws {
    try await make()
    let refresh = refresh()
    let run = Task { await refresh.run() }
    await clock.waitForSleepers()
    #expect(answer()?.status == 404)
    let other = try SQLiteWorkspaceStore(path: directory.file("console.sqlite3"))
    try await publish(SampleContainer.export("second"), on: other)
    #expect(answer()?.status == 404)
    clock.advance(by: CatalogueRefresh.period)
    await clock.waitForSleepers()
    #expect(title()?.contains("second") == true)
    #expect(answer()?.headers["Tagworks-Sequence"] == "1")
    try await publish(SampleContainer.export("third"))
    await refresh.refresh()
    #expect(title()?.contains("third") == true)
    #expect(answer()?.headers["Tagworks-Sequence"] == "2")
    try await store.remove(SampleContainer.id, by: Self.author)
    await refresh.refresh()
    #expect(answer()?.status == 404)
    run.cancel()
    await run.value
  }

  @Test("CO-400: a version that cannot be compiled leaves what was live, and the log says so")
  func broken() async throws {
    try await make()
    try await publish(SampleContainer.export("good"))
    let refresh = refresh()
    await refresh.refresh()
    let before = answer()
    try await publish(Array(#"{"exportFormatVersion":2,"containerVersion":{"tag":[{"name":"t","type":"no"}]}}"#.utf8))
    await refresh.refresh()
    #expect(answer() == before)
    #expect(lines.withLock { $0.first?.contains("GTM-TEST in live cannot be delivered") } == true)
  }

  @Test("CO-404: a share is said to apps together with the version before")
  func share() async throws {
    try await make()
    try await publish(SampleContainer.export("old"))
    try await publish(SampleContainer.export("new"), share: try #require(RolloutShare(percent: 12.5)))
    await refresh().refresh()
    let rollout = ContainerDecoder.decode(try #require(answer()).body, id: SampleContainer.id).rollout
    #expect(rollout?.percent == 12.5)
    #expect(rollout?.previous.version == "1")
    #expect(answer()?.headers["Tagworks-Version"] == "2")
  }

  @Test("CO-202: containers of another kind are refused with their kind")
  func kinds() async throws {
    try await make(.web, id: "GTM-WEB")
    await refresh().refresh()
    #expect(answer("GTM-WEB")?.status == 403)
  }

  @Test("CO-406: live containers are written as plain files too")
  func site() async throws {
    try await make()
    try await publish(SampleContainer.export("good"))
    await refresh(site: directory.file("site")).refresh()
    let file = try Data(contentsOf: URL(fileURLWithPath: directory.file("site/v1/containers/GTM-TEST")))
    #expect(Array(file) == answer()?.body)
    #expect(lines.withLock { $0.isEmpty })
  }

  private func siteFiles() throws -> [String] {
    let names = FileManager.default.enumerator(atPath: directory.file("site/v1"))?.compactMap { $0 as? String } ?? []
    return names.filter { $0.contains("GTM-TEST") }
  }

  @Test("CO-406: a removed container leaves the plain files, and a restored one comes back")
  func siteRemoval() async throws {
    try await make()
    try await publish(SampleContainer.export("good"))
    let refresh = refresh(site: directory.file("site"))
    await refresh.refresh()
    #expect(try siteFiles().contains("containers/GTM-TEST"))
    try await store.remove(SampleContainer.id, by: Self.author)
    await refresh.refresh()
    #expect(try siteFiles().isEmpty)
    let manifest = try String(contentsOfFile: directory.file("site/manifest.json"), encoding: .utf8)
    let maps = try String(contentsOfFile: directory.file("site/nginx/maps.conf"), encoding: .utf8)
    #expect(!manifest.contains("GTM-TEST") && !maps.contains("GTM-TEST"))
    try await store.restore(SampleContainer.id, by: Self.author)
    await refresh.refresh()
    let file = try Data(contentsOf: URL(fileURLWithPath: directory.file("site/v1/containers/GTM-TEST")))
    #expect(Array(file) == answer()?.body)
  }

  @Test("CO-406: what a crash has left between the store and the plain files is repaired at the next start")
  func siteAfterCrash() async throws {
    try await make()
    try await publish(SampleContainer.export("good"))
    await refresh(site: directory.file("site")).refresh()
    // The removal is stored, and half of the files are gone.
    try await store.remove(SampleContainer.id, by: Self.author)
    try FileManager.default.removeItem(atPath: directory.file("site/v1/containers/GTM-TEST"))
    await refresh(site: directory.file("site")).refresh()
    #expect(try siteFiles().isEmpty)
    // The restoring is stored, and no file is there yet.
    try await store.restore(SampleContainer.id, by: Self.author)
    await refresh(site: directory.file("site")).refresh()
    #expect(try siteFiles().contains("containers/GTM-TEST"))
  }

  @Test("CO-406: plain files that could not be written are written with the next look, and the log says it once")
  func siteBusy() async throws {
    try await make()
    try await publish(SampleContainer.export("good"))
    let refresh = refresh(site: directory.file("site"))
    try FileManager.default.createDirectory(atPath: directory.file("site"), withIntermediateDirectories: true)
    let lock = try #require(try FileLock.take(directory.file("site/.lock")))
    await refresh.refresh()
    await refresh.refresh()
    #expect(try siteFiles().isEmpty)
    lock.release()
    await refresh.refresh()
    #expect(try siteFiles().contains("containers/GTM-TEST"))
    #expect(lines.withLock { $0.count } == 1)
  }
}

extension ContainerOutput {
  fileprivate func text(of container: CompiledContainer) -> String {
    (try? bytes(of: container)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
