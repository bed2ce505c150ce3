import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@Suite("WebKitGTK: a hidden page runs as a visible one", RealEngine.condition) struct VisibilityTests {
  @Test("WT-705: timers come on time, frames are drawn, and what is in view is seen")
  func timers() async throws {
    let page = try await RealPage()
    try await page.load(RealPage.document + "<p id=seen>text")
    try await expectRunning(page)
  }

  @Test("WT-1228: so it is after a minute, when the display has slowed down")
  func timersLater() async throws {
    // Opened at the start of the tests: hardly a minute is left to wait for.
    let page = try await RealEngine.oldPage()
    try await page.load(RealPage.document + "<p id=seen>text")
    try await expectRunning(page)
  }

  private func expectRunning(_ page: RealPage) async throws {
    let milliseconds = try await page.run(
      """
      const start = performance.now();
      for (let i = 0; i < 50; i++) await new Promise(done => setTimeout(done, 10));
      return Math.round(performance.now() - start);
      """)
    guard case .int(let milliseconds) = milliseconds else { throw ContractFailure(description: "no time") }
    // A throttled page would take 50 s; a busy machine may take more than one.
    #expect((500..<30_000).contains(milliseconds))
    #expect(
      try await page.run("return await new Promise(done => requestAnimationFrame(() => done('drawn')))") == "drawn")
    let seen = """
      return await new Promise(done => new IntersectionObserver(entries => done(entries[0].isIntersecting))
        .observe(document.getElementById('seen')))
      """
    #expect(try await page.run(seen) == true)
    #expect(try await page.run("return [document.visibilityState, innerWidth, innerHeight]") == ["visible", 1024, 768])
  }

  @Test("WT-429, 430: of a burst of 300 requests each arrives, and draining waits for the last")
  func burst() async throws {
    let page = try await RealPage { _ in .text("") }
    try await page.load(RealPage.document)
    let sent = try await page.run(
      """
      let sent = 0;
      for (let i = 0; i < 300; i++) if (navigator.sendBeacon("/beacon?" + i, "x".repeat(2048))) sent++;
      for (let i = sent; i < 300; i++) fetch("/beacon?more" + i, {method: "POST", body: "x".repeat(2048)});
      return sent;
      """)
    await page.host.drain(limit: .seconds(30))
    #expect(page.server.requests.count == 300, "\(sent) beacons were taken")
    #expect(page.capabilities.reportsRequests)
  }

  @Test("WT-707: the user agent and the language are those that were set")
  func identity() async throws {
    let page = try await RealPage(options: PageHostOptions(userAgent: "Shop/1.0 (tests)", language: "pt-BR"))
    try await page.load(RealPage.document + "<img src=/pixel>")
    #expect(try await page.run("return [navigator.userAgent, navigator.language]") == ["Shop/1.0 (tests)", "pt-BR"])
    #expect(page.server.requests.first?.headers["User-Agent"] == "Shop/1.0 (tests)")
  }

  @Test("WT-706: what a tag has no use for is off")
  func features() async throws {
    let page = try await RealPage()
    try await page.load(RealPage.document)
    let found = try await page.run(
      "return [document.createElement('canvas').getContext('webgl'), typeof AudioContext, "
        + "document.createElement('video').canPlayType?.('video/mp4') ?? '']")
    #expect(found == [nil, "undefined", ""])
  }
}
