import Hits

/// The open containers, in the order they were opened (TM-334).
final class ContainerRegistry: Sendable {
  private let containers = Locked<[Container]>([])

  /// The open containers.
  var open: [Container] { containers.withLock { $0 } }

  /// The open container of an id.
  func container(_ id: ContainerID) -> Container? { containers.withLock { $0.first { $0.id == id } } }

  /// Adds a container unless its id is open already; tells whether it was added.
  func add(_ container: Container) -> Bool {
    containers.withLock { containers in
      guard !containers.contains(where: { $0.id == container.id }) else { return false }
      containers.append(container)
      return true
    }
  }

  /// Frees a container's id.
  func remove(_ container: Container) { containers.withLock { $0.removeAll { $0 === container } } }

  /// Lets go of all of them; they stay usable to whoever holds them.
  func removeAll() { containers.withLock { $0 = [] } }
}
