import Hits

/// The port that keeps fetched containers from one run of the app to the next (TM-210, TM-1203).
///
/// The engine decides what a file holds; a store only keeps it, each container's on its own. Calls come from background
/// threads. A store must give back the old bytes or the new ones, whatever dies while it writes (TM-212).
public protocol SavedContainerStore: Sendable {
  /// Reads a container's file, at most `limit` bytes; nil when there is none.
  ///
  /// - Throws: when there is one that cannot be read, or a longer one.
  func load(_ id: ContainerID, limit: Int) throws -> [UInt8]?

  /// Replaces a container's file.
  func save(_ bytes: [UInt8], for id: ContainerID) throws

  /// Removes a container's file, if there is one.
  func remove(_ id: ContainerID) throws
}

/// A store that lives as long as the process, for tests and for apps that keep nothing.
public final class InMemorySavedContainers: SavedContainerStore {
  private let files: Locked<[ContainerID: [UInt8]]>

  /// Makes a store that holds some files.
  public init(_ files: [ContainerID: [UInt8]] = [:]) { self.files = Locked(files) }

  /// Reads a container's file.
  public func load(_ id: ContainerID, limit: Int) -> [UInt8]? { files.withLock { $0[id] } }

  /// Replaces a container's file.
  public func save(_ bytes: [UInt8], for id: ContainerID) { files.withLock { $0[id] = bytes } }

  /// Removes a container's file.
  public func remove(_ id: ContainerID) { files.withLock { $0[id] = nil } }
}
