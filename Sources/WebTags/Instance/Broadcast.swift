import Foundation
import Hits

/// Values for any number of streams, each from its start on.
final class Broadcast<Item: Sendable>: Sendable {
  private struct State {
    var next = 0
    var streams: [Int: AsyncStream<Item>.Continuation] = [:]
    var isFinished = false
  }

  private let state = Locked(State())

  /// A stream of what is sent from now on; one that is behind by 1,000 loses the oldest.
  func stream() -> AsyncStream<Item> {
    let (stream, continuation) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingNewest(1000))
    let id = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      state.next += 1
      state.streams[state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [state] _ in _ = state.withLock { $0.streams.removeValue(forKey: id) } }
    return stream
  }

  func send(_ item: Item) {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(item) }
  }

  func finish() {
    let streams = state.withLock { state in
      state.isFinished = true
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}

/// Calls of the app, one after another, beside the instance's loop.
struct CallbackQueue: Sendable {
  private let mailbox = Mailbox<@Sendable () async -> Void>()
  private let task: Task<Void, Never>

  /// - Parameter didCall: called after each call.
  init(didCall: @escaping @Sendable () -> Void) {
    let mailbox = mailbox
    task = Task {
      while let calls = await mailbox.next() {
        for call in calls {
          await WebTagManager.$isInCallback.withValue(true) { await call() }
          didCall()
        }
      }
    }
  }

  func add(_ call: @escaping @Sendable () async -> Void) { mailbox.put(call) }

  /// Returns when all calls have been made; one that comes from a call does not wait for itself.
  func finish() async {
    mailbox.finish()
    if !WebTagManager.isInCallback { await task.value }
  }
}

/// The data of events that is at hand.
struct PayloadCache: Sendable {
  static let most = 100
  /// The most events that are kept in memory because the store failed (WT-433).
  static let mostUnstored = 1000

  private var recent: [UUID: QueuedEvent] = [:]
  private(set) var unstored: [UUID: QueuedEvent] = [:]

  mutating func add(_ event: QueuedEvent, isStored: Bool) {
    if !isStored { unstored[event.id] = event } else if recent.count < Self.most { recent[event.id] = event }
  }

  subscript(id: UUID) -> QueuedEvent? { unstored[id] ?? recent[id] }

  mutating func remove(_ id: UUID) {
    recent[id] = nil
    unstored[id] = nil
  }
}
