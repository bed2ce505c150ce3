import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Preview traces")
struct PreviewTraceTests {
  private static let link = "https://tags.example.com/preview/p?id=GTM-TEST&gtm_auth=SECRET&gtm_preview=3"

  private static func draft(_ headers: HTTPHeaders = [:]) -> ScriptedTransport.Answer {
    .response(HTTPResponse(status: 200, headers: headers, body: Array(OpeningBench.json("draft").utf8)))
  }

  /// A preview under way, with a held session of traces.
  private func preview(_ answers: [ScriptedTransport.Answer], traces: Bool = true) async throws -> OpeningBench {
    let bench = OpeningBench(
      answers,
      configuration: TagManager.Configuration(server: .tagworks("https://tags.example.com"), previewTraces: traces))
    bench.manager.dataLayer.push("before", 1)
    bench.manager.previewWithURL(try #require(URL(string: Self.link)))
    _ = try await bench.open(.fresh)
    return bench
  }

  @Test(
    "TM-1008: outcomes of a preview go to the server's session, with full detail, their update and the first snapshot")
  func sent() async throws {
    let bench = try await preview([Self.draft(["Tagworks-Debug-Session": "s-1"]), .status(204), .status(204)])
    bench.manager.dataLayer.push(["event": "e", "x": 7])
    await bench.transport.waitForRequests(2)
    let request = bench.transport.requests[1]
    #expect(request.method == "POST")
    #expect(request.url == "https://tags.example.com/v1/debug/s-1")
    #expect(request.headers["Authorization"] == "Bearer SECRET")
    #expect(request.gzip)
    let lines = try bench.transport.lines.map { try Value(json: $0) }
    guard case .map(let line) = try #require(lines.first) else { return }
    #expect(line["event"] == "e")
    #expect(line["update"] == ["event": "e", "x": 7])
    #expect(line["snapshot"] == ["before": 1])
    #expect(line["traceDetail"] == "full")

    bench.manager.dataLayer.push(["y": 8])
    await bench.clock.waitForSleepers(2)  // the next look at the draft, and the pause between requests
    bench.clock.advance(by: .milliseconds(500))
    await bench.transport.waitForRequests(3)
    #expect(bench.transport.lines.count == 2)
    #expect(!bench.transport.lines[1].contains("snapshot"))
  }

  @Test("TM-1008: a server that names no session gets 32 hexadecimal digits")
  func drawnName() async throws {
    let bench = try await preview([Self.draft(), .status(204)])
    bench.manager.dataLayer.push(["event": "e"])
    await bench.transport.waitForRequests(2)
    let name = try #require(bench.transport.requests[1].url.split(separator: "/").last)
    #expect(name.count == 32)
    let digits = name.filter(\.isHexDigit)
    #expect(digits.count == 32)
  }

  @Test("TM-1008: 403, 404 and 410 stop it; the preview goes on", arguments: [403, 404, 410])
  func stopped(status: Int) async throws {
    let bench = try await preview([Self.draft(), .status(status)])
    bench.manager.dataLayer.push(["event": "e"])
    await bench.transport.waitForRequests(2)
    while bench.manager.environment.settings.evaluationDetail == .full { await Task.yield() }
    bench.manager.dataLayer.push(["event": "f"])
    #expect(bench.transport.requests.count == 2)
    #expect(bench.manager.container(OpeningBench.id)?.isPreview == true)
  }

  @Test("TM-1008: nothing is sent outside a preview, after it, or where the app forbids it")
  func silent() async throws {
    let forbidden = try await preview([Self.draft()], traces: false)
    _ = await forbidden.manager.dataLayer.push(["event": "e"]).outcome
    #expect(forbidden.transport.requests.count == 1)
    let ended = try await preview([Self.draft()])
    ended.manager.endPreview()
    _ = await ended.manager.dataLayer.push(["event": "e"]).outcome
    #expect(!ended.transport.requests.contains { $0.method == "POST" })
    #expect(ended.manager.environment.settings.evaluationDetail == .standard)
  }
}
