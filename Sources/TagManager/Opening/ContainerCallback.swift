import Hits

/// Hears how a container loads (TM-310, TM-311).
///
/// A begin comes before its own success or failure, exactly one of which follows unless the container is closed
/// meanwhile. Calls come one at a time, in order, on any thread, never before `openContainer` returns; the
/// configuration's `callbackExecutor` can move them.
public protocol ContainerCallback: Sendable {
  /// Loading from disk or over the network begins.
  func containerRefreshBegin(_ container: Container, type: RefreshType)
  /// It brought content, or the news that the content in force is the newest.
  func containerRefreshSuccess(_ container: Container, type: RefreshType)
  /// It brought nothing; the content in force stays.
  func containerRefreshFailure(_ container: Container, failure: RefreshFailure, type: RefreshType)
}

/// Hears that an opening has ended (TM-305).
public protocol ContainerOpenerNotifier: Sendable {
  /// Called exactly once for each opening, on any thread.
  func containerAvailable(_ container: Container)
}

/// One lifecycle callback as a value (TM-310).
public enum LoadEvent: Sendable, Hashable {
  case begin(RefreshType)
  case success(RefreshType)
  case failure(RefreshFailure, RefreshType)
}

/// Runs work somewhere, such as on the main queue: `{ DispatchQueue.main.async(execute: $0) }`.
public typealias CallbackExecutor = @Sendable (@escaping @Sendable () -> Void) -> Void

/// Runs one container's callbacks one at a time, in order, on any executor.
final class CallbackLane: Sendable {
  private struct State {
    var waiting = Ring<@Sendable () -> Void>()
    var isRunning = false
  }

  private let state = Locked(State())
  private let executor: CallbackExecutor

  init(executor: @escaping CallbackExecutor) { self.executor = executor }

  func run(_ work: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      state.waiting.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isIdle { executor { self.runNext() } }
  }

  private func runNext() {
    state.withLock { $0.waiting.popFirst() }?()
    let goesOn = state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return state.isRunning
    }
    if goesOn { executor { self.runNext() } }
  }
}

/// Knows which threads run the app's code for openings, where waiting for an opening would wait for itself (TM-303).
final class CallbackPath: Sendable {
  private let threads = Locked<[ThreadIdentity: Int]>([:])

  /// Whether the calling thread runs a callback, a notifier or a `prepare`.
  var isCurrent: Bool { threads.withLock { $0[.current] != nil } }

  func run(_ work: () -> Void) {
    let thread = ThreadIdentity.current
    threads.withLock { $0[thread, default: 0] += 1 }
    work()
    threads.withLock { threads in
      let depth = threads[thread, default: 1] - 1
      threads[thread] = depth > 0 ? depth : nil
    }
  }
}
