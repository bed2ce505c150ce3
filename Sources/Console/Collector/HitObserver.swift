import Hits

/// One who watches the hits that come in, many at a time.
package final class HitObserver: Sendable {
  private let buffer: Int
  private let waiting = Locked<[JudgedHit]>([])
  private let (arrivals, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  init(buffer: Int) { self.buffer = buffer }

  /// Adds hits; gives how many older ones had to go for them.
  func put(_ hits: [JudgedHit]) -> Int {
    let lost = waiting.withLock { waiting in
      waiting += hits
      let lost = max(0, waiting.count - buffer)
      waiting.removeFirst(lost)
      return lost
    }
    bell.yield()
    return lost
  }

  /// The hits since the last call, oldest first, as soon as there are some; nil when the task is cancelled.
  package func next() async -> [JudgedHit]? {
    for await _ in arrivals {
      let hits = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      if !hits.isEmpty { return hits }
    }
    return nil
  }
}
