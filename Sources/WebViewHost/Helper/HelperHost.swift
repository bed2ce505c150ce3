#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// The port to a page in a helper process (WT-731): links no web library and survives every abort of the engine.
  ///
  /// When the helper dies, the page reports `processTerminated(.helper)` and is of no use any more; the next host of the
  /// factory starts a new helper.
  final class HelperHost: PageHost {
    /// A page's place in a helper.
    private struct Seat: Sendable {
      var connection: HelperConnection
      var page: UInt64

      /// Asks for something, in the order of the calls.
      func ask(_ operation: PageOperation) async throws(PageHostError) -> HelperAnswer.Outcome {
        let outcome = await withCheckedContinuation { continuation in
          connection.ask(page, operation) { continuation.resume(returning: $0) }
        }
        return try outcome.get()
      }
    }

    private struct State: Sendable {
      var phase = PagePhase<Seat>.new
      /// Where the page is, or is to be.
      var seat: Seat?
      var load: LoadID?
      var terminations = 0
    }

    let events: AsyncStream<PageEvent>
    private let report: AsyncStream<PageEvent>.Continuation
    private let helpers: HelperPool
    private let state = Locked(State())
    /// How long the helper may take over what WT-700 gives three and two seconds for; then it is ended.
    private static let closeLimit: Duration = .milliseconds(2500)
    private static let terminateLimit: Duration = .milliseconds(1500)

    init(helpers: HelperPool) {
      self.helpers = helpers
      (events, report) = AsyncStream.makeStream()
    }

    deinit {
      report.finish()
      guard let seat = state.withLock({ $0.seat }) else { return }
      seat.connection.ask(seat.page, .close) { _ in }
      Self.leave(seat)
    }

    @discardableResult
    func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
      let operation = PageOperation.open(try HelperPageOptions(options))
      try state.withLock { state throws(PageHostError) in try state.phase.begin() }
      var taken: Seat?
      do throws(PageHostError) {
        let seat = try takeSeat(decide: options.decideNavigation)
        taken = seat
        guard case .capabilities(let capabilities) = try await seat.ask(operation) else { throw Self.confused }
        try state.withLock { state throws(PageHostError) in try state.phase.opened(seat) }
        return capabilities
      } catch {
        if let taken { Self.leave(taken) }
        throw state.withLock { state in
          state.seat = nil
          return state.phase.failed(error)
        }
      }
    }

    private func takeSeat(
      decide: (@Sendable (PageNavigation) async -> NavigationDecision)?
    ) throws(PageHostError) -> Seat {
      let (connection, page) = try helpers.connection(
        for: HelperConnection.Page(
          event: { [weak self] in self?.take($0) }, ended: { [weak self] in self?.helperEnded() }, decide: decide))
      let seat = Seat(connection: connection, page: page)
      let reason = state.withLock { state in
        if case .over(let reason) = state.phase { return PageHostError?.some(reason) }
        state.seat = seat
        return nil
      }
      guard let reason else { return seat }
      Self.leave(seat)
      throw reason
    }

    /// Gives a seat back; the last one in a helper ends it.
    private static func leave(_ seat: Seat) {
      if seat.connection.remove(seat.page) { Task { await seat.connection.end() } }
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

    func drain(limit: Duration) async { await tell(.drain(milliseconds: limit.timerMilliseconds)) }

    func stop() async { await tell(.stop) }

    func terminate() async {
      let (seat, before) = state.withLock { (try? $0.phase.page, $0.terminations) }
      guard let seat else { return }
      Task { [weak self] in
        // Only the helper itself can hang here: WebKit kills the content process.
        try? await Task.sleep(for: Self.terminateLimit, clock: .suspending)
        guard let self else { return }
        if state.withLock({ $0.terminations }) == before { seat.connection.kill() }
      }
      await tell(.terminate)
    }

    func close() async {
      let (before, seat) = state.withLock { state in
        defer { state.seat = nil }
        return (state.phase.end(.closed), state.seat)
      }
      guard before != nil else { return }
      if let seat { await seat.connection.close(seat.page, within: Self.closeLimit) }
      report.yield(PageEvent(load: state.withLock { $0.load }, .closed))
      report.finish()
    }

    private static let confused = PageHostError(.unavailable, "the helper gave an answer to another question")

    private func tell(_ operation: PageOperation) async {
      // Whoever cannot be told is gone, which is reported by itself.
      do throws(PageHostError) { _ = try await ask(operation) } catch {}
    }

    private func ask(_ operation: PageOperation) async throws(PageHostError) -> HelperAnswer.Outcome {
      let seat = try state.withLock { state throws(PageHostError) in try state.phase.page }
      return try await seat.ask(operation)
    }

    /// Hands on what happened in the page.
    private func take(_ event: PageEvent) {
      let isOpen = state.withLock { state in
        if case .processTerminated = event.kind { state.terminations += 1 }
        return switch state.phase {
        case .opening, .open: true
        case .new, .over: false
        }
      }
      // The last event is this host's own.
      if isOpen, event.kind != .closed { report.yield(event) }
    }

    /// The helper died: whoever opens the page hears it there, an open page reports it.
    private func helperEnded() {
      let reason = PageHostError.processTerminated(.helper)
      let (before, load) = state.withLock { state in
        state.terminations += 1
        state.seat = nil
        return (state.phase.end(reason), state.load)
      }
      if case .open = before { report.yield(PageEvent(load: load, .processTerminated(.helper))) }
    }
  }
#endif
