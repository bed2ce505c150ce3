import Hits

/// Tells that something has changed to those who wait for it; nobody who tells waits for anybody.
final class ChangeSignal: Sendable {
  private struct State: Sendable {
    var count: Int64 = 0
    var waiting: [Int64: CheckedContinuation<Void, Never>] = [:]
    var last: Int64 = 0
    var isClosed = false
  }

  private let state = Locked(State())

  /// How many changes there were; look at this before you look at what changes.
  var count: Int64 { state.withLock { $0.count } }

  /// Whether nobody is to wait any more.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func signal() {
    let waiting = state.withLock { state in
      state.count += 1
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Lets everybody go, now and from now on: the server stops.
  func close() {
    state.withLock { $0.isClosed = true }
    signal()
  }

  /// Waits until there were more changes than a count, at most so long.
  func wait(past count: Int64, atMost duration: Duration, by clock: any HitClock) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait(past: count) }
      // A sleep that is cancelled has done its work.
      group.addTask { try? await clock.sleep(for: duration) }
      await group.next()
      group.cancelAll()
    }
  }

  private func wait(past count: Int64) async {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.count <= count, !state.isClosed else { return true }
          state.waiting[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
        // A cancellation before the insertion found nothing to wake.
        if Task.isCancelled { wake(id) }
      }
    } onCancel: {
      wake(id)
    }
  }

  private func wake(_ id: Int64) { state.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
}

/// How many browsers wait for events at a time; each holds a connection.
final class LiveWaits: Sendable {
  private static let most = 200
  private let count = Locked(0)

  /// Waits, unless too many do.
  func run(_ wait: () async -> Void) async {
    let mayWait = count.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
    guard mayWait else { return }
    await wait()
    count.withLock { $0 -= 1 }
  }
}
