import Hits
import TagManager

/// How often each container was fetched, whole and unchanged (CO-104).
///
/// Only what was found is counted: names that lead nowhere are the client's own text, and must not fill the memory.
final class FetchTally: Sendable {
  struct Counts: Sendable, Hashable {
    var whole = 0
    var unchanged = 0
  }

  private let state = Locked<[ContainerID: Counts]>([:])

  /// By the container's id.
  var counts: [ContainerID: Counts] { state.withLock { $0 } }

  func note(_ id: ContainerID, _ status: Int) {
    switch status {
    case 200: state.withLock { $0[id, default: Counts()].whole += 1 }
    case 304: state.withLock { $0[id, default: Counts()].unchanged += 1 }
    default: break
    }
  }
}
