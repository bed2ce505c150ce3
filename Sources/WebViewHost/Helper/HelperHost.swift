#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// The port to a page in a helper process (WT-731): links no web library and survives every abort of the engine.
  ///
  /// When the helper dies, the page reports `processTerminated(.helper)` and is of no use any more; the next host of the
  /// factory starts a new helper.
  final class HelperHost: PageHost {
    private enum Phase: Sendable {
      case new
      case opening(HelperConnection, UInt64)
      case open(HelperConnection, UInt64)
      /// The helper died.
      case dead
      case closed
    }

    let events: AsyncStream<PageEvent>
    private let report: AsyncStream<PageEvent>.Continuation
    private let helpers: HelperPool
    private let state = Locked((phase: Phase.new, load: LoadID?.none, terminations: 0))
    /// How long the helper may take over what WT-700 gives three and two seconds for; then it is ended.
    private static let closeLimit: Duration = .milliseconds(2500)
    private static let terminateLimit: Duration = .milliseconds(1500)

    init(helpers: HelperPool) {
      self.helpers = helpers
      (events, report) = AsyncStream.makeStream()
    }

    deinit {
      report.finish()
      guard case .open(let connection, let page) = state.withLock({ $0.phase }) else { return }
      connection.ask(page, .close) { _ in }
      if connection.remove(page) { Task { await connection.end() } }
    }

    @discardableResult
    func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
      switch state.withLock({ $0.phase }) {
      case .new: break
      case .opening, .open: throw PageHostError(.unavailable, "the page is open already")
      case .dead: throw .processTerminated(.helper)
      case .closed: throw .closed
      }
      let operation = PageOperation.open(try HelperPageOptions(options))
      let page = HelperConnection.Page(
        event: { [weak self] in self?.take($0) }, ended: { [weak self] in self?.helperEnded() },
        decide: options.decideNavigation)
      let (connection, number) = try helpers.connection(for: page)
      state.withLock { $0.phase = .opening(connection, number) }
      let outcome = await Self.ask(connection, number, operation)
      let isOpening = state.withLock { state in
        guard case .opening = state.phase else { return false }
        state.phase = if case .success = outcome { .open(connection, number) } else { .new }
        return true
      }
      guard isOpening else { throw .closed }
      do throws(PageHostError) {
        guard case .capabilities(let capabilities) = try outcome.get() else { throw Self.confused }
        return capabilities
      } catch {
        state.withLock { $0.phase = .new }
        if connection.remove(number) { Task { await connection.end() } }
        throw error
      }
    }

    func load(_ source: PageSource, id: LoadID) async {
      state.withLock { $0.load = id }
      do throws(PageHostError) {
        _ = try await ask(.load(HelperPageSource(source), id))
      } catch {
        // What ends the page is reported as such; a text that is too long is the load's own failure.
        if error.code == .argumentTooLarge { report.yield(PageEvent(load: id, .failed(error))) }
      }
    }

    func call(_ path: String, _ argument: String) async throws(PageHostError) -> String {
      try PageCall.check(path: path, argument: argument)
      guard case .text(let text) = try await ask(.call(path: path, argument: argument)) else { throw Self.confused }
      return text
    }

    func setBootstrap(_ source: String) async { await tell(.setBootstrap(source)) }

    func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
      _ = try await ask(.setNetworkPolicy(policy))
    }

    func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] {
      guard case .cookies(let cookies) = try await ask(.cookies(url)) else { throw Self.confused }
      return cookies
    }

    func setCookie(_ cookie: WebCookie) async throws(PageHostError) { _ = try await ask(.setCookie(cookie)) }

    func removeCookies(for url: URL?) async throws(PageHostError) { _ = try await ask(.removeCookies(url)) }

    func eraseData() async throws(PageHostError) { _ = try await ask(.eraseData) }

    func drain(limit: Duration) async { await tell(.drain(milliseconds: limit.wholeMilliseconds)) }

    func stop() async { await tell(.stop) }

    func terminate() async {
      guard case .open(let connection, _) = state.withLock({ $0.phase }) else { return }
      let before = state.withLock { $0.terminations }
      Task { [weak self] in
        // Only the helper itself can hang here: WebKit kills the content process.
        try? await Task.sleep(for: Self.terminateLimit, clock: .suspending)
        guard let self else { return }
        if state.withLock({ $0.terminations }) == before { connection.kill() }
      }
      await tell(.terminate)
    }

    func close() async {
      let before = state.withLock { state in
        defer { state.phase = .closed }
        return state.phase
      }
      if case .closed = before { return }
      switch before {
      case .new, .dead, .closed: break
      case .opening(let connection, let page), .open(let connection, let page):
        let limit = Task {
          try await Task.sleep(for: Self.closeLimit, clock: .suspending)
          connection.kill()
        }
        defer { limit.cancel() }
        await withCheckedContinuation { continuation in
          connection.ask(page, .close) { _ in continuation.resume() }
        }
        if connection.remove(page) { await connection.end() }
      }
      report.yield(PageEvent(load: state.withLock { $0.load }, .closed))
      report.finish()
    }

    private static let confused = PageHostError(.unavailable, "the helper gave an answer to another question")

    private func tell(_ operation: PageOperation) async {
      // Whoever cannot be told is gone, which is reported by itself.
      do throws(PageHostError) { _ = try await ask(operation) } catch {}
    }

    /// Asks the helper, in the order of the calls.
    private func ask(_ operation: PageOperation) async throws(PageHostError) -> HelperAnswer.Outcome {
      switch state.withLock({ $0.phase }) {
      case .new, .opening: throw .notOpen
      case .dead: throw .processTerminated(.helper)
      case .closed: throw .closed
      case .open(let connection, let page): return try await Self.ask(connection, page, operation).get()
      }
    }

    private static func ask(
      _ connection: HelperConnection, _ page: UInt64, _ operation: PageOperation
    ) async -> HelperConnection.Outcome {
      await withCheckedContinuation { continuation in
        connection.ask(page, operation) { continuation.resume(returning: $0) }
      }
    }

    /// Hands on what happened in the page.
    private func take(_ event: PageEvent) {
      let isOpen = state.withLock { state in
        if case .processTerminated = event.kind { state.terminations += 1 }
        return switch state.phase {
        case .opening, .open: true
        case .new, .dead, .closed: false
        }
      }
      // The last event is this host's own.
      if isOpen, event.kind != .closed { report.yield(event) }
    }

    private func helperEnded() {
      let load = state.withLock { state -> LoadID?? in
        state.terminations += 1
        guard case .open = state.phase else { return nil }
        state.phase = .dead
        return .some(state.load)
      }
      if let load { report.yield(PageEvent(load: load, .processTerminated(.helper))) }
    }
  }
#endif
