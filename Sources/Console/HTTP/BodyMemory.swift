import Hits

/// The memory that bodies fill while they arrive and while their handlers work, all connections together (CO-106).
///
/// Ten thousand clients within the limits of each could send more than the machine has.
final class BodyMemory: Sendable {
  private let limit: Int
  private let state = Locked(0)

  init(limit: Int) { self.limit = limit }

  /// Bytes that are taken.
  var filled: Int { state.withLock { $0 } }

  /// Takes room for bytes; false when there is none.
  func take(_ count: Int) -> Bool {
    state.withLock { filled in
      guard count <= limit - filled else { return false }
      filled += count
      return true
    }
  }

  func giveBack(_ count: Int) { state.withLock { $0 -= count } }
}
