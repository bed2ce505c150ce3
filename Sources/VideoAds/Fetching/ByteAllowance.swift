import Hits

/// The bytes that the documents of one request may have together (VA-213).
///
/// A fetch takes what it may need before it begins, and gives back what it did not use. So fetches side by side never
/// exceed the sum; one that finds too little left waits for those under way, and gets nothing once all is used up.
final class ByteAllowance: Sendable {
  private struct Waiting {
    let wanted: Int
    let continuation: CheckedContinuation<Int, Never>
  }

  private struct State {
    var left: Int
    /// How many have taken a part and not given the rest of it back.
    var takers = 0
    var waiting: [Waiting] = []

    /// Takes what is wanted, or all there is when nobody will give anything back; nil to wait.
    mutating func take(_ wanted: Int) -> Int? {
      guard left >= wanted || takers == 0 else { return nil }
      let part = min(wanted, left)
      left -= part
      if part > 0 { takers += 1 }
      return part
    }
  }

  private let state: Locked<State>

  init(_ bytes: Int) { state = Locked(State(left: bytes)) }

  /// Takes a part before a fetch: as much as is wanted while there is that much, less at the end, and 0 after it.
  ///
  /// Whoever took one gives back what is over, in any case.
  func take(_ wanted: Int) async -> Int {
    await withCheckedContinuation { continuation in
      let part = state.withLock { state -> Int? in
        if let part = state.take(wanted) { return part }
        state.waiting.append(Waiting(wanted: wanted, continuation: continuation))
        return nil
      }
      if let part { continuation.resume(returning: part) }
    }
  }

  /// Gives back what a fetch did not use of its part.
  func giveBack(_ rest: Int) {
    let served = state.withLock { state -> [(Waiting, Int)] in
      state.takers -= 1
      state.left += rest
      var served: [(Waiting, Int)] = []
      while let first = state.waiting.first, let part = state.take(first.wanted) {
        served.append((first, part))
        state.waiting.removeFirst()
      }
      return served
    }
    for (waiting, part) in served { waiting.continuation.resume(returning: part) }
  }
}
