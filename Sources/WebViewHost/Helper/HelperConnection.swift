#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// The pages of this process in one helper: numbers what they ask and hands out what comes back.
  ///
  ///     starting ──hello──▶ running ──end, kill, its own death──▶ over
  ///
  /// Requests may be sent at once: they wait in the pipe for the helper's first message. When the helper ends, each
  /// page hears of it once, and every open request fails: as `unavailable` before the hello, as
  /// `processTerminated(.helper)` after it. A helper that has been silent for 15 s while something is asked of it, a
  /// ping at the least, is ended.
  final class HelperConnection: Sendable {
    /// What a page gets.
    struct Page: Sendable {
      var event: @Sendable (PageEvent) -> Void
      var ended: @Sendable () -> Void
      var decide: (@Sendable (PageNavigation) async -> NavigationDecision)?
    }

    typealias Outcome = Result<HelperAnswer.Outcome, PageHostError>

    private enum Phase: Sendable, Equatable {
      case starting
      case running
      case over(PageHostError)
    }

    private struct State: Sendable {
      var phase = Phase.starting
      var process: HelperProcess?
      var nextNumber: UInt64 = 1
      var pages: [UInt64: Page] = [:]
      var open: [UInt64: @Sendable (Outcome) -> Void] = [:]
      var lastHeard = SuspendingClock.now
      var isWatched = false
      var isRetired = false
      var endWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private static let silence: Duration = .seconds(15)
    private static let watchInterval: Duration = .seconds(5)

    private let state = Locked(State())

    /// Starts a helper.
    init(program: String, settings: EngineSettings) throws(PageHostError) {
      let process = HelperProcess(
        program: program, usesOwnDirectory: settings.display == .private,
        onFrame: { [weak self] json throws(FrameError) in try self?.receive(HelperAnswer(json: json)) },
        onEnd: { [weak self] reason in self?.over(reason) })
      state.withLock { $0.process = process }
      try send(.hello(version: Frame.version, settings: settings))
    }

    deinit { state.withLock { $0.process }?.end() }

    /// Adds a page; gives its number, or nil when the helper has ended.
    func add(_ page: Page) -> UInt64? {
      state.withLock { state in
        if case .over = state.phase { return nil }
        if state.isRetired { return nil }
        let number = state.nextNumber
        state.nextNumber += 1
        state.pages[number] = page
        return number
      }
    }

    /// Forgets a page: nothing more comes for it.
    ///
    /// - Returns: whether it was the last, after which none can be added.
    func remove(_ page: UInt64) -> Bool {
      state.withLock { state in
        state.pages[page] = nil
        state.isRetired = state.pages.isEmpty
        return state.isRetired
      }
    }

    /// Asks a page to do something, and hands on how it ended.
    func ask(_ page: UInt64, _ operation: PageOperation, then end: @escaping @Sendable (Outcome) -> Void) {
      request(end) { .page(page: page, id: $0, operation: operation) }
    }

    /// Closes a page, and ends the helper after its last one.
    ///
    /// A helper that takes longer than the limit is ended at once, unless it has other pages: then one that does nothing
    /// any more is found by its silence.
    func close(_ page: UInt64, within limit: Duration) async {
      let waiting = Locked<CheckedContinuation<Bool, Never>?>(nil)
      let end = { @Sendable (isLate: Bool) in
        let continuation = waiting.withLock { waiting in
          defer { waiting = nil }
          return waiting
        }
        continuation?.resume(returning: isLate)
      }
      let watch = Task {
        try await Task.sleep(for: limit, clock: .suspending)
        end(true)
      }
      let isLate = await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        // A helper that cannot be asked any more has closed its pages.
        ask(page, .close) { _ in end(false) }
      }
      watch.cancel()
      guard remove(page) else { return }
      if isLate { kill() }
      await self.end()
    }

    /// Ends the helper once it has done what it was asked, and waits until it is gone.
    func end() async {
      state.withLock { $0.process }?.end()
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state.phase { return true }
          state.endWaiters.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    }

    /// Ends the helper at once.
    func kill() { state.withLock { $0.process }?.kill() }

    private func request(
      _ end: @escaping @Sendable (Outcome) -> Void, _ message: (UInt64) -> HelperRequest
    ) {
      let (number, error) = state.withLock { state -> (UInt64, PageHostError?) in
        if case .over(let error) = state.phase { return (0, error) }
        let number = state.nextNumber
        state.nextNumber += 1
        state.open[number] = end
        return (number, nil)
      }
      if let error { return end(.failure(error)) }
      do throws(PageHostError) {
        try send(message(number))
      } catch {
        state.withLock { $0.open.removeValue(forKey: number) }?(.failure(error))
      }
      watch()
    }

    private func send(_ message: HelperRequest) throws(PageHostError) {
      do { state.withLock { $0.process }?.send(try message.frame()) } catch {
        throw PageHostError(.argumentTooLarge, "too much for a message to the helper: \(error.message)")
      }
    }

    /// Takes one message of the helper, on its thread.
    private func receive(_ answer: HelperAnswer) throws(FrameError) {
      state.withLock { $0.lastHeard = .now }
      switch answer {
      case .hello(let version):
        guard version == Frame.version else {
          throw FrameError(.version, "it speaks version \(version), not \(Frame.version)")
        }
        state.withLock { state in
          if state.phase == .starting { state.phase = .running }
        }
      case .done(let number, let outcome):
        let end = state.withLock { $0.open.removeValue(forKey: number) }
        if case .failure(let error) = outcome { end?(.failure(error)) } else { end?(.success(outcome)) }
      case .event(let page, let event): state.withLock { $0.pages[page] }?.event(event)
      case .decide(let page, let number, let navigation):
        guard let decide = state.withLock({ $0.pages[page] })?.decide else {
          return answerDecision(number, .cancel)
        }
        Task { self.answerDecision(number, await decide(navigation)) }
      }
    }

    private func answerDecision(_ number: UInt64, _ decision: NavigationDecision) {
      // A decision is short: its frame can always be made.
      try? send(.decision(id: number, decision: decision))
    }

    private func over(_ reason: String) {
      let (pages, open, waiters, error) = state.withLock { state in
        let error =
          state.phase == .starting
          ? PageHostError(.unavailable, Self.words(for: reason)) : .processTerminated(.helper)
        defer {
          state.phase = .over(error)
          state.process = nil
          (state.pages, state.open, state.endWaiters) = ([:], [:], [])
        }
        return (state.pages, state.open, state.endWaiters, error)
      }
      for page in pages.sorted(by: { $0.key < $1.key }) { page.value.ended() }
      for end in open.sorted(by: { $0.key < $1.key }) { end.value(.failure(error)) }
      for waiter in waiters { waiter.resume() }
    }

    private static func words(for reason: String) -> String {
      let isMissing = reason.contains("shared libraries")
      return "\(HelperProgram.name) could not start: \(reason)"
        + (isMissing ? " (Debian packages libwebkitgtk-6.0-4 and libgl1-mesa-dri)" : "")
    }

    /// Looks after the helper as long as something is asked of it.
    private func watch() {
      let isNew = state.withLock { state in
        defer { state.isWatched = true }
        if !state.isWatched { state.lastHeard = .now }
        return !state.isWatched
      }
      guard isNew else { return }
      Task { [weak self] in
        while true {
          do { try await Task.sleep(for: Self.watchInterval, clock: .suspending) } catch { return }
          guard let self, look() else { return }
        }
      }
    }

    /// Ends a silent helper, and asks one that was silent for a while; false when nothing is to be looked after.
    private func look() -> Bool {
      let silent = state.withLock { state -> Duration? in
        guard !state.open.isEmpty else {
          state.isWatched = false
          return nil
        }
        return state.lastHeard.duration(to: .now)
      }
      guard let silent else { return false }
      if silent >= Self.silence {
        kill()
      } else if silent >= Self.watchInterval {
        request({ _ in }) { .ping(id: $0) }
      }
      return true
    }
  }
#endif
