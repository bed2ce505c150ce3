package import Foundation
package import Hits
package import WebTags

/// Folders in memory, with their locks: what an instance keeps is there for the next one.
package final class MemoryWebTagsStorage: WebTagsStorage {
  private struct Folder {
    var events = FailingEventStore()
    var values = MemoryValues()
    var isOpen = false
  }

  private let folders = Locked<[URL: Folder]>([:])

  package init() {}

  package func open(_ folder: URL) throws(WebTagsError) -> (events: any EventStore, values: any KeyValueStore) {
    try folders.withLock { folders throws(WebTagsError) in
      var entry = folders[folder] ?? Folder()
      guard !entry.isOpen else { throw WebTagsError(.storageInUse, folder.path, "the folder is in use") }
      entry.isOpen = true
      folders[folder] = entry
      return (entry.events, entry.values)
    }
  }

  package func close(_ folder: URL) async { folders.withLock { $0[folder]?.isOpen = false } }

  package func erase(_ folder: URL) async throws(WebTagsError) { folders.withLock { $0[folder] = nil } }

  /// Lets go of all locks, as the end of the process would; what was kept stays.
  package func endProcess() {
    folders.withLock { folders in for url in folders.keys { folders[url]?.isOpen = false } }
  }

  /// The store of the only folder.
  package var events: FailingEventStore? { folders.withLock { $0.values.first?.events } }
  /// The values of the only folder.
  package var values: MemoryValues? { folders.withLock { $0.values.first?.values } }
}

/// Values in memory.
package final class MemoryValues: KeyValueStore {
  private let values = Locked<[String: [UInt8]]>([:])

  package init() {}

  package func value(of key: String) -> [UInt8]? { values.withLock { $0[key] } }

  package func set(_ changes: [String: [UInt8]?]) async throws {
    values.withLock { values in for (key, value) in changes { values[key] = value } }
  }
}

/// A store in memory that fails when a test says so.
package final class FailingEventStore: EventStore {
  package struct Failure: Error {}

  private let store = MemoryEventStore()
  private let isFull = Locked(false)
  private let isUnreadable = Locked(false)
  private let mostRead = Locked(0)

  package init() {}

  /// Whether events can no longer be added.
  package var refusesEvents: Bool {
    get { isFull.withLock { $0 } }
    set { isFull.withLock { $0 = newValue } }
  }

  /// Whether what waits can no longer be read.
  package var refusesReading: Bool {
    get { isUnreadable.withLock { $0 } }
    set { isUnreadable.withLock { $0 = newValue } }
  }

  /// The most events that were read at once.
  package var longestRead: Int { mostRead.withLock { $0 } }

  package func append(_ events: [QueuedEvent]) async throws {
    if refusesEvents { throw Failure() }
    await store.append(events)
  }

  package func waiting() async throws -> [EventSummary] {
    if refusesReading { throw Failure() }
    return await store.waiting()
  }

  package func events(_ ids: [UUID]) async throws -> [QueuedEvent] {
    mostRead.withLock { $0 = max($0, ids.count) }
    return await store.events(ids)
  }

  package func settle(_ ids: [UUID]) async throws { await store.settle(ids) }
  package func setDeaths(_ deaths: [UUID: Int]) async throws { await store.setDeaths(deaths) }
  package func eraseAll() async throws { await store.eraseAll() }
}

/// A network that a test switches.
package final class ScriptedConnectivity: Connectivity {
  private struct State {
    var state = NetworkState.wifi
    var isMetered = false
    var streams: [AsyncStream<NetworkState>.Continuation] = []
  }

  private let current = Locked(State())

  package init(_ state: NetworkState = .wifi) { current.withLock { $0.state = state } }

  package var state: NetworkState { current.withLock { $0.state } }
  package var isMetered: Bool { current.withLock { $0.isMetered } }

  package var changes: AsyncStream<NetworkState> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetworkState.self)
    current.withLock { $0.streams.append(continuation) }
    return stream
  }

  package func change(_ state: NetworkState, isMetered: Bool = false) {
    let streams = current.withLock { current in
      (current.state, current.isMetered) = (state, isMetered)
      return current.streams
    }
    for stream in streams { stream.yield(state) }
  }
}

/// A battery that a test charges.
package final class ScriptedPower: Power {
  private let current: Locked<(state: PowerState, streams: [AsyncStream<PowerState>.Continuation])>

  package init(_ state: PowerState = PowerState()) { current = Locked((state, [])) }

  package var state: PowerState { current.withLock { $0.state } }

  package var changes: AsyncStream<PowerState> {
    let (stream, continuation) = AsyncStream.makeStream(of: PowerState.self)
    current.withLock { $0.streams.append(continuation) }
    return stream
  }

  package func change(_ state: PowerState) {
    let streams = current.withLock { current in
      current.state = state
      return current.streams
    }
    for stream in streams { stream.yield(state) }
  }
}
