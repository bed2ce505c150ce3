#if canImport(Darwin)
  import os
#elseif SANITIZES_THREADS
  import Foundation
#else
  public import Synchronization
#endif

/// State behind one lock, for the storage of the engines' final classes.
///
/// `Synchronization.Mutex` needs iOS 18, so Apple's platforms use the unfair lock under the same name. App code never
/// runs inside `withLock` (TM-1201). It is public although no app needs it: the compiler specialises a generic of
/// another module only when its body is public, and without that a lock costs 150 ns in place of 15.
public final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    private let lock: OSAllocatedUnfairLock<State>

    /// Puts a state behind a lock.
    public init(_ state: State) { lock = OSAllocatedUnfairLock(initialState: state) }

    /// Works on the state while no one else does.
    public func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // The system's lock rethrows what `body` throws, untyped: it can be nothing but a `Failure`.
      do { return try lock.withLock(body) } catch { throw error as! Failure }
    }
  #elseif SANITIZES_THREADS
    // The thread sanitizer does not see into `Mutex`, which is not built with it, and would take every state for a race.
    // Touched only under `mutex`.
    nonisolated(unsafe) private var state: State
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Puts a state behind a lock.
    public init(_ state: consuming State) {
      self.state = state
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Works on the state while no one else does.
    public func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&state)
    }
  #else
    @usableFromInline let mutex: Mutex<State>

    /// Puts a state behind a lock.
    @inlinable
    public init(_ state: consuming State) { mutex = Mutex(state) }

    /// Works on the state while no one else does.
    @inlinable
    public func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { state throws(Failure) in try body(&state) }
    }
  #endif
}
