import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Preview")
struct PreviewTests {
  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
  private static let link = "https://tags.example.com/preview/p?id=GTM-TEST&gtm_auth=SECRET&gtm_preview=3"
  private static let exit = "https://tags.example.com/preview/p?id=GTM-TEST&gtm_preview="
  private static let draft = ScriptedTransport.Answer.response(
    HTTPResponse(status: 200, body: Array(OpeningBench.json("draft").utf8)))

  @Test("S4, TM-1003, TM-1004: a preview before the opening shows the draft; neither disk nor validator is used")
  func beforeOpening() async throws {
    let bench = OpeningBench([Self.draft], saved: try OpeningBench.saved(age: 0))
    let file = bench.store.load(OpeningBench.id, limit: .max)
    #expect(bench.manager.previewWithURL(try Self.url(Self.link)))
    #expect(!bench.manager.previewWithURL(try Self.url("myapp://x")))
    let result = try await bench.open(.nonDefault)
    #expect(result.endedBy == .preview)
    #expect(result.source == .preview)
    #expect(result.container.isPreview)
    #expect(result.container.string(for: "title") == "draft")
    #expect(
      bench.transport.requests[0].url
        == "https://tags.example.com/v1/containers/GTM-TEST?gtm_auth=SECRET&gtm_preview=3")
    #expect(bench.transport.requests[0].headers["If-None-Match"] == nil)
    #expect(bench.store.load(OpeningBench.id, limit: .max) == file)
    let outcome = await bench.manager.dataLayer.push(["event": "e"]).outcome
    #expect(outcome.containers.map(\.isPreview) == [true])
  }

  @Test("G2, TM-1006: the draft is gone with its end: saved content is back, and nothing of it is on disk")
  func ended() async throws {
    let bench = OpeningBench([Self.draft], saved: try OpeningBench.saved("live", age: 0))
    #expect(bench.manager.preview(try Self.url(Self.link)) == .started("GTM-TEST"))
    let container = try await bench.open(.nonDefault).container
    let updates = container.updates
    #expect(
      bench.manager.preview(try Self.url(Self.exit.replacing("TEST", with: "OTHER"))) == .notHandled(.badContainerID))
    #expect(bench.manager.preview(try Self.url(Self.exit)) == .ended("GTM-TEST"))
    for await update in updates where update.origin == .saved { break }
    #expect(container.string(for: "title") == "live")
    #expect(!container.isPreview)
  }

  @Test("TM-1003: an open container goes to preview at once, and leaves when another one does")
  func whileOpen() async throws {
    let bench = OpeningBench([Self.draft], saved: try OpeningBench.saved("live", age: 0))
    let container = try await bench.open(.nonDefault).container
    var updates = container.updates.makeAsyncIterator()
    bench.manager.previewWithURL(try Self.url(Self.link))
    #expect(await updates.next()?.origin == .preview)
    bench.manager.previewWithURL(try Self.url(Self.link.replacing("TEST", with: "OTHER")))
    #expect(await updates.next()?.origin == .empty)
    #expect(await updates.next()?.origin == .saved)
  }

  @Test(
    "TM-1005: a refused draft ends the preview with a warning, and the live flow starts",
    arguments: [401, 403, 404, 410])
  func refused(status: Int) async throws {
    let bench = OpeningBench(saved: try OpeningBench.saved("live", age: 0))
    bench.manager.previewWithURL(try Self.url(Self.link))
    let container = try bench.manager.openContainer(OpeningBench.id)
    let updates = container.updates
    await bench.transport.waitForRequests(1)
    bench.transport.answerNext(.status(status))
    for await update in updates where update.origin == .saved { break }
    #expect(!container.isPreview)
    #expect(bench.logger.texts(.warning).filter { $0.contains("preview is over") }.count == 1)
    #expect(bench.manager.environment.previews.link == nil)
  }

  @Test("TM-1006: the draft is fetched again 60 s after the last success")
  func refetched() async throws {
    let bench = OpeningBench([Self.draft, Self.draft])
    bench.manager.previewWithURL(try Self.url(Self.link))
    _ = try await bench.open(.fresh)
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(60))
    await bench.transport.waitForRequests(2)
  }

  @Test("G3, TM-1007: the token is in no message and no outcome, at any level")
  func secret() async throws {
    let bench = OpeningBench(
      [Self.draft, .status(403)],
      configuration: TagManager.Configuration(server: .tagworks("https://tags.example.com"), previewTraces: false))
    bench.manager.previewWithURL(try Self.url(Self.link))
    bench.manager.previewWithURL(try Self.url(Self.link + "&id=twice"))
    let container = try await bench.open(.fresh).container
    let outcome = await bench.manager.dataLayer.push(["event": "e"]).outcome
    _ = await container.refreshed()
    #expect(!bench.logger.messages.contains { $0.text.contains("SECRET") })
    #expect(!String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self).contains("SECRET"))
    #expect(!"\(container.diagnostics)".contains("SECRET"))
  }
}
