import Hits

/// Counts that belong to no transaction, such as those of refused hits: the next commit takes them along.
final class PendingCounts: Sendable {
  private let counts = Locked<[HitCounters.Name: Int]>([:])

  func add(_ count: Int, to name: HitCounters.Name) { counts.withLock { $0[name, default: 0] += count } }

  var isEmpty: Bool { counts.withLock { $0.isEmpty } }

  /// Hands the counts over to a transaction.
  func take() -> [HitCounters.Name: Int] {
    counts.withLock { counts in
      guard !counts.isEmpty else { return [:] }
      defer { counts = [:] }
      return counts
    }
  }
}
