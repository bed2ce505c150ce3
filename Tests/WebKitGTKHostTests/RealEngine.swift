import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

/// The real engine, in the helper process beside the tests, for suites that need it.
enum RealEngine {
  /// The helper that most suites share.
  static let factory = WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))

  /// Why it cannot run here; nil when it can.
  ///
  /// Says once which sandbox is in force (WT-734).
  static let absence = Task<String?, Never> {
    do {
      let page = try await RealPage(factory: factory)
      let sandbox =
        page.capabilities.isSandboxed == true ? "in its sandbox" : "without a sandbox, which does not work here"
      print("web engine: \(page.capabilities.engine), \(sandbox)")
      // Stays open, so that all suites are served by one helper.
      keeper.withLock { $0 = (page, .now) }
      return nil
    } catch {
      // An engine that is here and fails is no reason to skip.
      guard let error = error as? PageHostError, error.code == .unavailable else { return nil }
      print("web engine: not here, so its tests are skipped: \(error.message)")
      return error.message
    }
  }

  private static let keeper = Locked<(page: RealPage, since: SuspendingClock.Instant)?>(nil)

  /// A page that has been open for a minute: the first one, unless its helper has died meanwhile.
  static func oldPage() async throws -> RealPage {
    if let (page, since) = keeper.withLock({ $0 }), !page.events.seen.contains(where: { $0.termination != nil }) {
      try await Task.sleep(until: since + .seconds(62), clock: .suspending)
      return page
    }
    let page = try await RealPage(factory: factory)
    try await Task.sleep(for: .seconds(62), clock: .suspending)
    return page
  }

  /// Whether it can run here.
  static func isHere() async -> Bool { await absence.value == nil }

  static let condition: ConditionTrait = .enabled("the web engine cannot run here", { await isHere() })
}

/// One page of the real engine with its events, and a server that counts what it asks for.
final class RealPage: Sendable {
  let host: any PageHost
  let events: EventReader
  let server: LoopbackServer
  let capabilities: PageHostCapabilities
  private let nextLoad = Locked<UInt64>(0)

  /// Opens a page that may reach loopback.
  init(
    factory: any PageHostFactory = RealEngine.factory, options: PageHostOptions = PageHostOptions(),
    answers: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer = { _ in .text("") }
  ) async throws {
    server = try LoopbackServer(answers)
    host = factory.make()
    events = EventReader(host)
    var options = options
    options.network.allowInsecure = true
    capabilities = try await host.open(options)
  }

  deinit {
    let host = host
    Task { await host.close() }
  }

  /// Loads a text as a document of the server, and waits until it is there.
  @discardableResult
  func load(_ html: String, path: String = "/") async throws -> LoadID {
    let id = begin()
    let base = try #require(URL(string: server.url(path)))
    await host.load(.html(html, base: base), id: id)
    try await finished(id)
    return id
  }

  /// The id of the next load.
  func begin() -> LoadID {
    LoadID(
      rawValue: nextLoad.withLock { number in
        number += 1
        return number
      })
  }

  /// Waits until a load has finished; throws what it failed with.
  func finished(_ id: LoadID) async throws {
    let end = try await events.first("the end of load \(id.rawValue)") { event -> Result<Void, PageHostError>? in
      guard event.load == id else { return nil }
      return switch event.kind {
      case .finished: .success(())
      case .failed(let error): .failure(error)
      default: nil
      }
    }
    try end.get()
  }

  /// Runs a function body in the page, through a function of the page that takes source.
  func run(_ body: String) async throws -> Value {
    try Value(json: try await host.call("run", Value.string(body).jsonText))
  }

  /// A document with `run`, which makes and calls an async function, and `post`.
  static let document = """
    <!doctype html><html><head><script>
    window.run = body => new (Object.getPrototypeOf(async function(){}).constructor)(body)();
    window.post = text => webkit.messageHandlers.tagworks.postMessage(String(text));
    </script></head><body></body></html>
    """
}

extension LoopbackServer {
  /// Waits until a number of requests has come; throws when they do not.
  func requests(atLeast count: Int) async throws {
    try await Changes().value("request \(count)") { await self.arrival(of: count) }
  }
}

extension TrackedEvent {
  /// What became of the event; throws when nothing does.
  func end() async throws -> EventOutcome { try await Changes().value("the outcome of an event") { await outcome() } }
}
