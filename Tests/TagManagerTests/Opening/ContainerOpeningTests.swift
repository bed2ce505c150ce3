import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Opening of containers")
struct ContainerOpeningTests {
  private static let hour = OpeningBench.hour

  @Test("S1, TM-305: an opener with a notifier, preferring fresh, calls it once, with what the network brought")
  func notifier() async throws {
    let bench = OpeningBench([OpeningBench.answer()], defaults: OpeningBench.json("default"))
    let notifier = RecordingNotifier()
    try ContainerOpener.open(OpeningBench.id, in: bench.manager, prefer: .fresh, notifier: notifier)
    let container = await notifier.container.value
    #expect(container.string(for: "title") == "network")
    #expect(!container.isDefault)
    #expect(container.lastRefreshTime == Date(timeIntervalSince1970: Double(OpeningBench.start) / 1_000))
    #expect(container === bench.manager.container(OpeningBench.id))
    #expect(notifier.calls.withLock { $0 } == 1)
  }

  @Test("S1, B2: no answer in time ends with the saved content, or the default; a later answer installs all the same")
  func timeout() async throws {
    for (saved, source): ([UInt8]?, ContainerOrigin) in [
      (try OpeningBench.saved(age: 12 * Self.hour), .saved), (nil, .default),
    ] {
      let bench = OpeningBench(saved: saved, defaults: OpeningBench.json("default"))
      async let opening = bench.open(.fresh)
      await bench.transport.waitForRequests(1)
      await bench.clock.waitForSleepers(1)
      bench.clock.advance(by: .milliseconds(1_999))
      bench.clock.advance(by: .milliseconds(1))
      let result = try await opening
      #expect(result.endedBy == .timeout)
      #expect(result.source == source)
      let updates = result.container.updates
      bench.transport.answerNext(OpeningBench.answer())
      for await update in updates.prefix(1) { #expect(update.origin == .network) }
      #expect(result.container.string(for: "title") == "network")
    }
  }

  @Test("B1: saved content of 11 h 59 min ends the opening and nothing is fetched; of exactly 12 h, a fetch follows")
  func saved() async throws {
    let fresh = OpeningBench(saved: try OpeningBench.saved(age: 12 * Self.hour - 60_000))
    for preference in [OpenPreference.nonDefault, .fresh] {
      let result = try await fresh.open(preference)
      #expect(result.endedBy == .saved)
      #expect(result.source == .saved)
      #expect(result.container.string(for: "title") == "saved")
    }
    #expect(fresh.transport.requests.isEmpty)

    let stale = OpeningBench(saved: try OpeningBench.saved(age: 12 * Self.hour))
    #expect(try await stale.open(.nonDefault).endedBy == .saved)
    await stale.transport.waitForRequests(1)
    #expect(stale.transport.requests[0].headers["If-None-Match"] == "\"s\"")
  }

  @Test("B2: stale saved content does not end an opening that prefers fresh; the network's answer does")
  func freshWaits() async throws {
    let bench = OpeningBench([OpeningBench.answer()], saved: try OpeningBench.saved(age: 12 * Self.hour))
    let result = try await bench.open(.fresh)
    #expect(result.endedBy == .network)
    #expect(result.container.string(for: "title") == "network")
    #expect(bench.savedContainer?.header.fetchedAt == OpeningBench.start)
  }

  @Test("B3: with nothing saved, an answer of 503 ends the opening at once, with the default")
  func failure() async throws {
    let bench = OpeningBench([.status(503)], defaults: OpeningBench.json("default"))
    let result = try await bench.open(.nonDefault)
    #expect(result.endedBy == .failure(.serverError))
    #expect(result.source == .default)
    #expect(result.container.lastRefreshTime == nil)
  }

  @Test("S5, TM-311, TM-315: first run offline: begin and failure of each phase, in order; the default stays")
  func offline() async throws {
    let bench = OpeningBench([OpeningBench.offline], defaults: OpeningBench.json("default"))
    let container = try bench.manager.openContainer(OpeningBench.id, callback: bench.callback)
    #expect(
      await bench.callback.first(4) == [
        "begin(saved)", "failure(saved, noSavedContainer)", "begin(network)", "failure(network, noNetwork)",
      ])
    #expect(container.isDefault)
    #expect(container.string(for: "title") == "default")
  }

  @Test("TM-300: the container answers from its default as soon as openContainer returns")
  func atOnce() throws {
    let bench = OpeningBench(saved: try OpeningBench.saved(age: 0), defaults: OpeningBench.json("default"))
    bench.manager.refreshMode = .defaultContainer
    #expect(try bench.manager.openContainer(OpeningBench.id).string(for: "title") == "default")
  }

  @Test("TM-335: in default-container mode neither disk nor network is asked, and refresh says so")
  func defaultMode() async throws {
    let bench = OpeningBench(saved: try OpeningBench.saved(age: 0), defaults: OpeningBench.json("default"))
    bench.manager.refreshMode = .defaultContainer
    let result = try await bench.open(.fresh)
    #expect(result.endedBy == .mode)
    #expect(result.container.string(for: "title") == "default")
    #expect(await result.container.refreshed() == .defaultMode)
    #expect(bench.transport.requests.isEmpty)
  }

  @Test("B5, TM-330: a second opener joins: one fetch, both told once, the same container")
  func joined() async throws {
    let bench = OpeningBench()
    async let first = bench.open(.fresh)
    await bench.transport.waitForRequests(1)
    async let second = bench.open(.nonDefault)
    await bench.clock.waitForSleepers(2)
    bench.transport.answerNext(OpeningBench.answer())
    let results = try await [first, second]
    #expect(results[0].container === results[1].container)
    #expect(results.map(\.endedBy) == [.network, .network])
    #expect(bench.transport.requests.count == 1)
  }

  @Test("B7, TM-303: a future ends while its thread waits for it, though callbacks run on that thread alone")
  func future() throws {
    let waiting = Locked<[@Sendable () -> Void]>([])
    let bench = OpeningBench(
      [.status(503)], defaults: OpeningBench.json("default"),
      configuration: TagManager.Configuration(
        server: .tagworks("https://tags.example.com"),
        callbackExecutor: { work in waiting.withLock { $0.append(work) } }))
    let future = try ContainerOpener.future(OpeningBench.id, in: bench.manager, prefer: .nonDefault)
    let container = future.get()
    #expect(future.isDone)
    #expect(container.isDefault)
  }

  @Test("TM-303: a future asked inside a callback answers at once, with an error in the log")
  func futureInCallback() async throws {
    let bench = OpeningBench([.status(503)])
    let done = Promise<Bool>()
    let manager = bench.manager
    try ContainerOpener.open(
      OpeningBench.id, in: manager, prefer: .fresh,
      onAvailable: { _ in
        let future = try? ContainerOpener.future("GTM-OTHER", in: manager, prefer: .fresh)
        done.fulfil(Self.asks(future))
      })
    #expect(await done.value)
    #expect(bench.logger.texts(.error).filter { $0.contains("future") }.count == 1)
  }

  private static func asks(_ future: ContainerFuture?) -> Bool { future?.get().id == "GTM-OTHER" }

  @Test(
    "B8, TM-302: nil is 2 s; zero and less are 1 ms; an hour is the most",
    arguments: [
      (nil, .seconds(2)), (.zero, .milliseconds(1)), (.seconds(-1), .milliseconds(1)),
      (.seconds(7_200), .seconds(3_600)), (.seconds(5), .seconds(5)),
    ] as [(Duration?, Duration)])
  func bounds(timeout: Duration?, expected: Duration) {
    #expect(OpeningBench().manager.bounded(timeout) == expected)
  }

  @Test("B9, TM-333: closing during the fetch ends openings as closed, frees the id, and no callback comes after")
  func close() async throws {
    let bench = OpeningBench()
    let container = try bench.manager.openContainer(OpeningBench.id, callback: bench.callback)
    await bench.transport.waitForRequests(1)
    async let opening = bench.open(.fresh)
    async let refresh = container.refreshed()
    await bench.clock.waitForSleepers(2)
    container.close()
    container.close()
    let result = try await opening
    #expect(result.endedBy == .closed)
    #expect(await refresh == .closed)
    #expect(bench.manager.container(OpeningBench.id) == nil)
    bench.transport.answerNext(OpeningBench.answer())
    #expect(await container.refreshed() == .closed)
    #expect(await bench.callback.first(3) == ["begin(saved)", "failure(saved, noSavedContainer)", "begin(network)"])
    #expect(bench.callback.words.count == 3)
    #expect(container.string(for: "title") == "")
    _ = try bench.manager.openContainer(OpeningBench.id)
  }

  @Test("TM-304: cancelling the task ends the wait alone; the container stays open")
  func cancelled() async throws {
    let bench = OpeningBench()
    let task = Task { try await bench.open(.fresh) }
    await bench.transport.waitForRequests(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(bench.manager.container(OpeningBench.id) != nil)
  }

  @Test("TM-306: prepare, then the notifier, then held events")
  func order() async throws {
    let bench = OpeningBench([OpeningBench.answer()])
    let order = Locked<[String]>([])
    bench.recorder.onFire { _ in order.withLock { $0.append("event") } }
    let receipt = bench.manager.dataLayer.push(["event": "e"])
    try ContainerOpener.open(
      OpeningBench.id, in: bench.manager, prefer: .fresh, prepare: { _ in order.withLock { $0.append("prepare") } },
      onAvailable: { _ in order.withLock { $0.append("available") } })
    _ = await receipt.outcome
    #expect(order.withLock { $0 } == ["prepare", "available", "event"])
  }

  @Test(
    "A6, TM-100: an id that is none fails in every form, before any file or network",
    arguments: ["", "../x", "GTM/1", String(repeating: "a", count: 65)])
  func invalid(text: String) async throws {
    let bench = OpeningBench()
    let id = ContainerID(text)
    let error = #expect(throws: TagManagerError.self) {
      try ContainerOpener.future(id, in: bench.manager, prefer: .fresh)
    }
    #expect(error?.code == .invalidContainerID)
    #expect(throws: TagManagerError.self) { try bench.manager.openContainer(id) }
    #expect(throws: TagManagerError.self) {
      try ContainerOpener.open(id, in: bench.manager, prefer: .fresh, onAvailable: { _ in })
    }
    await #expect(throws: TagManagerError.self) { try await ContainerOpener.open(id, in: bench.manager) }
    #expect(bench.transport.requests.isEmpty)
  }

  @Test("TM-216: an older saved container is not applied, and the fetch that follows sends no validator")
  func olderThanDefault() async throws {
    let bench = OpeningBench(
      [OpeningBench.answer()], saved: try OpeningBench.saved(age: 0),
      defaults: OpeningBench.json("default", version: "2"))
    let container = try bench.manager.openContainer(OpeningBench.id, callback: bench.callback)
    let words = await bench.callback.first(4)
    #expect(
      words == ["begin(saved)", "failure(saved, noSavedContainer)", "begin(network)", "success(network)"])
    #expect(container.string(for: "title") == "network")
    #expect(bench.transport.requests.first?.headers["If-None-Match"] == nil)
    #expect(bench.logger.texts(.info).contains { $0.contains("ships with a newer version") })
  }

  @Test("C7, TM-213: a damaged saved file is ioError, removed, and the network phase follows")
  func damaged() async throws {
    var file = try OpeningBench.saved(age: 0)
    file[40] ^= 1
    let bench = OpeningBench([OpeningBench.answer()], saved: file)
    _ = try bench.manager.openContainer(OpeningBench.id, callback: bench.callback)
    #expect(
      await bench.callback.first(4) == [
        "begin(saved)", "failure(saved, ioError)", "begin(network)", "success(network)",
      ])
    #expect(bench.savedContainer?.header.etag == "\"n\"")
    #expect(bench.logger.texts(.warning).filter { $0.contains("damaged") }.count == 1)
  }

  @Test("TM-1211: with no server the network phase fails as noServerConfigured, and one warning says so")
  func noServer() async throws {
    let bench = OpeningBench(configuration: TagManager.Configuration())
    let result = try await bench.open(.fresh)
    #expect(result.endedBy == .failure(.unknownError))
    guard case .failed(let failure) = await result.container.refreshed() else {
      Issue.record("not failed")
      return
    }
    #expect(failure.detail == .noServerConfigured)
    #expect(bench.logger.texts(.warning).filter { $0.contains("No server is configured") }.count == 1)
  }

  @Test("TM-342, G4: gtm.load is pushed to a container that asks for it, and to no other, without a word in the log")
  func loadEvent() async throws {
    for (macro, events) in [
      (#",{"function":"__c","instance_name":"_gtm.loadEventEnabled","vtp_value":true}"#, ["gtm.load"]), ("", []),
    ] {
      let body = Array(OpeningBench.json("t", macros: macro).utf8)
      let bench = OpeningBench([.response(HTTPResponse(status: 200, body: body))])
      _ = try await bench.open(.fresh)
      _ = await bench.manager.dataLayer.push(["event": "own"]).outcome
      #expect(bench.recorder.calls.map(\.event) == events + ["own"])
      #expect(!bench.logger.messages.contains { $0.level >= .warning && $0.text.contains("oadEvent") })
    }
  }
}

/// Hears of one container.
final class RecordingNotifier: ContainerOpenerNotifier {
  let container = Promise<Container>()
  let calls = Locked(0)

  func containerAvailable(_ container: Container) {
    calls.withLock { $0 += 1 }
    self.container.fulfil(container)
  }
}
