import Hits

/// At most four fetches at a time for one manager; the others wait in line (TM-405).
final class FetchSlots: Sendable {
  static let count = 4

  private struct State {
    var free = FetchSlots.count
    var nextID = 0
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  /// Does work in a slot; nil when the task is cancelled before one is free.
  func run<Result: Sendable>(_ work: () async -> Result) async -> Result? {
    guard await acquire() else { return nil }
    defer { release() }
    return await work()
  }

  private func acquire() async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.cancelled.remove(id) != nil { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          // It has its slot already, or will find this mark where it asks for one.
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      waiting?.resume(returning: false)
    }
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
