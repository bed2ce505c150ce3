import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Refresh")
struct RefreshTests {
  @Test("C1: 200 with an entity tag, then 304: one body, If-None-Match, the time of the last check moves, on disk too")
  func notChanged() async throws {
    let bench = OpeningBench([OpeningBench.answer(etag: "\"n\""), .status(304)])
    let container = try await bench.open(.fresh).container
    bench.clock.advance(by: .seconds(60))
    #expect(await container.refreshed() == .notChanged)
    #expect(bench.transport.requests.map { $0.headers["If-None-Match"] } == [nil, "\"n\""])
    #expect(bench.transport.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache"])
    let moved = OpeningBench.start + 60_000
    #expect(container.lastRefreshTime == Date(timeIntervalSince1970: Double(moved) / 1_000))
    #expect(bench.savedContainer?.header.fetchedAt == moved)
    #expect(bench.savedContainer?.payload == Array(OpeningBench.json("network").utf8))
  }

  @Test("S9, TM-401: three refreshes 10 s apart are three requests")
  func ownPeriod() async throws {
    let bench = OpeningBench([OpeningBench.answer()] + (1...3).map { OpeningBench.answer("v\($0)") })
    let container = try await bench.open(.fresh).container
    for number in 1...3 {
      bench.clock.advance(by: .seconds(10))
      #expect(await container.refreshed() == .updated(version: "1"))
      #expect(container.string(for: "title") == "v\(number)")
    }
    #expect(bench.transport.requests.count == 4)
  }

  @Test("C3, TM-402: a refresh too soon makes no request, and one warning says so")
  func limited() async throws {
    let bench = OpeningBench([OpeningBench.answer(), .status(304)])
    let container = try await bench.open(.fresh).container
    #expect(await container.refreshed() == .notChanged)
    for _ in 0..<2 { #expect(await container.refreshed() == .rateLimited(retryAfter: .seconds(5))) }
    #expect(bench.transport.requests.count == 2)
    #expect(bench.logger.texts(.warning).filter { $0.contains("too often") }.count == 1)
  }

  @Test("A5, TM-431: an answer of no use changes neither the container in force nor the saved file")
  func uselessAnswer() async throws {
    let export = Array(#"{"exportFormatVersion":2,"containerVersion":{}}"#.utf8)
    let bench = OpeningBench([OpeningBench.answer("good"), .response(HTTPResponse(status: 200, body: export))])
    let container = try await bench.open(.fresh).container
    let file = bench.store.load(OpeningBench.id, limit: .max)
    guard case .failed(let failure) = await container.refreshed() else {
      Issue.record("not failed")
      return
    }
    #expect(failure.reason == .serverError)
    #expect(failure.detail.rawValue == "invalid(workspaceExport)")
    #expect(container.string(for: "title") == "good")
    #expect(bench.store.load(OpeningBench.id, limit: .max) == file)
    #expect(bench.logger.texts(.error).filter { $0.contains("workspace export") }.count == 1)
  }

  @Test("TM-400: the next check comes by itself, 12 hours and up to 300 s after the last")
  func scheduled() async throws {
    let bench = OpeningBench([OpeningBench.answer()])
    _ = try await bench.open(.fresh)
    await bench.clock.waitForSleepers(1)
    bench.clock.advance(by: .seconds(12 * 3_600 + 300))
    await bench.transport.waitForRequests(2)
    #expect(bench.transport.requests[1].headers["Cache-Control"] == nil)
  }

  @Test("TM-340: after no network, the network's return fetches at once")
  func reachable() async throws {
    let connectivity = ScriptedConnectivity()
    let bench = OpeningBench([OpeningBench.offline, OpeningBench.answer()], connectivity: connectivity)
    let container = try await bench.open(.fresh).container
    #expect(container.isDefault)
    let updates = container.updates
    connectivity.change(to: .wifi)
    for await update in updates.prefix(1) { #expect(update.origin == .network) }
  }

  @Test("TM-405: at most four fetches at a time; the fifth container waits in line")
  func slots() async throws {
    let bench = OpeningBench()
    let containers = try (1...5).map { try bench.manager.openContainer(ContainerID("GTM-\($0)")) }
    await bench.transport.waitForRequests(4)
    #expect(bench.transport.requests.count == 4)
    bench.transport.answerNext(.status(503))
    await bench.transport.waitForRequests(5)
    for container in containers { container.close() }
  }

  @Test("TM-905: an update names the constants that changed")
  func updates() async throws {
    let bench = OpeningBench(defaults: OpeningBench.json("default"))
    let updates = try bench.manager.openContainer(OpeningBench.id).updates
    await bench.transport.waitForRequests(1)
    bench.transport.answerNext(OpeningBench.answer("other"))
    for await update in updates.prefix(1) {
      #expect(update.changedConstants == ["title"])
      #expect(update.generation == 2)
    }
  }

  @Test("TM-126: supplementals clear, push and draw; a number in its range is kept where they say so")
  func supplementals() throws {
    let bench = OpeningBench()
    bench.manager.refreshMode = .defaultContainer
    let container = try bench.manager.openContainer(OpeningBench.id)
    let layer = bench.manager.dataLayer
    layer.push(["old": ["a": 1], "kept": 5])
    var supplemental = Supplemental(name: "gaExperiment:1")
    supplemental.keysToClear = ["old"]
    supplemental.valuesToPush = [["experiment": "x"], "no map"]
    supplemental.randoms = [
      ExperimentRandom(key: "kept", range: 0...9, keepsOriginal: true, lifetimeMilliseconds: 0),
      ExperimentRandom(key: "drawn", range: 7...7, keepsOriginal: false, lifetimeMilliseconds: 60_000),
    ]
    container.apply([supplemental])
    #expect(layer.get("old") == .null)
    #expect(layer.get("experiment") == "x")
    #expect(layer.get("kept") == 5)
    #expect(layer.get("drawn") == 7)
    #expect(layer.get("gtm.lifetime") == "60000")
  }
}

/// A network that changes when a test says so.
final class ScriptedConnectivity: Connectivity {
  private let stream: AsyncStream<NetworkState>
  private let continuation: AsyncStream<NetworkState>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  var state: NetworkState { .unknown }
  var isMetered: Bool { false }
  var changes: AsyncStream<NetworkState> { stream }

  func change(to state: NetworkState) { continuation.yield(state) }
}
