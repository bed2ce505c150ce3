#if canImport(Darwin)
  import os
#else
  package import Synchronization
#endif

/// State behind one lock, for the storage of a final class.
///
/// `Synchronization.Mutex` needs iOS 18, so Apple's platforms use the unfair lock under the same name. App code never
/// runs inside `withLock` (TM-1201).
package final class Locked<State: Sendable>: Sendable {
  #if canImport(Darwin)
    private let lock: OSAllocatedUnfairLock<State>

    package init(_ state: State) { lock = OSAllocatedUnfairLock(initialState: state) }

    package func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      do { return try lock.withLock(body) } catch { throw error as! Failure }
    }
  #else
    @usableFromInline let mutex: Mutex<State>

    package init(_ state: consuming State) { mutex = Mutex(state) }

    @inlinable
    package func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { state throws(Failure) in try body(&state) }
    }
  #endif
}
