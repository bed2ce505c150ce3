import Hits

/// The open containers, in the order they were opened (TM-334), and which events closed ones have evaluated.
final class ContainerRegistry: Sendable {
  private struct State {
    var open: [Container] = []
    var openings = 0
    /// The highest sequence evaluated under an id, by containers that are closed (TM-563).
    var evaluated: [ContainerID: UInt64] = [:]
  }

  private let state = Locked(State())

  /// The open containers.
  var open: [Container] { state.withLock { $0.open } }

  /// The open container of an id.
  func container(_ id: ContainerID) -> Container? { state.withLock { $0.open.first { $0.id == id } } }

  /// The number of the next opening, counted from 1.
  func nextOpening() -> HeldEvents.Opening {
    state.withLock { state in
      state.openings += 1
      return state.openings
    }
  }

  /// Adds a container unless its id is open already; tells whether it was added.
  func add(_ container: Container) -> Bool {
    state.withLock { state in
      guard !state.open.contains(where: { $0.id == container.id }) else { return false }
      state.open.append(container)
      return true
    }
  }

  /// The highest sequence that was evaluated under an id before; 0 for none.
  func lastSequence(of id: ContainerID) -> UInt64 { state.withLock { $0.evaluated[id] ?? 0 } }

  /// Frees a container's id, and keeps in mind which event it evaluated last.
  func remove(_ container: Container, lastSequence: UInt64) {
    state.withLock { state in
      state.open.removeAll { $0 === container }
      state.evaluated[container.id] = max(lastSequence, state.evaluated[container.id] ?? 0)
    }
  }

  /// Lets go of all of them; they stay usable to whoever holds them.
  func removeAll() { state.withLock { $0.open = [] } }
}
