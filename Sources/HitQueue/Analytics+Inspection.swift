import DurableStore
import Hits

/// What the queue tells of itself.
extension Analytics {
  /// How the queue is doing (HQ-902).
  ///
  /// The hits are counted, in turn with the commits: an app that only waits for something to go wrong takes
  /// `statusUpdates`.
  public var status: QueueStatus {
    // Before the hits are counted: whatever succeeds on the store lets those in memory try again.
    let conditions = conditions
    let depth = store.depth()
    let age = depth?.oldest.map { Duration.milliseconds($0.age(at: clock.now())) }
    return QueueStatus(
      conditions: conditions, hits: depth?.hits ?? 0, bytes: depth?.bytes ?? 0, oldestAge: age,
      nextDispatch: dispatcher.nextPass)
  }

  /// The status now, and each time that something goes wrong or is well again; it ends with the queue.
  public var statusUpdates: AsyncStream<QueueStatus> {
    let changes = board.changes(from: conditions)
    return AsyncStream { continuation in
      let task = Task { [weak self] in
        for await _ in changes {
          guard let self else { break }
          continuation.yield(self.status)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private var conditions: Set<QueueStatus.Condition> {
    var conditions = store.conditions.union(dispatcher.conditions)
    // What the port says now; the dispatcher hears of it a little later.
    if connectivity?.isOnline == false { conditions.insert(.offline) }
    return conditions
  }

  /// All counters, up to now (HQ-900).
  public var counters: HitCounters {
    get async throws(HitQueueError) { try await statistics().counters }
  }

  /// Counters, lanes, and how many hits are in the store.
  public func statistics() async throws(HitQueueError) -> HitStatistics {
    do throws(StoreError) { return try await store.statistics() } catch { throw HitQueueError(error) }
  }

  /// Hits in the store, oldest first.
  public func inspect(_ query: HitQuery) async throws(HitQueueError) -> [HitSummary] {
    do throws(StoreError) { return try await store.inspect(query) } catch { throw HitQueueError(error) }
  }
}
