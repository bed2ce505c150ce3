import Hits

/// Removes hits beyond their property's bounds, and forgets ids whose window is over, once an hour (CO-702, HQ-711).
struct Retention: Sendable {
  let policy: RetentionPolicy
  let storage: any HitStorage
  let clock: any HitClock
  let log: @Sendable (String) -> Void

  private static let interval = Duration.seconds(3600)

  /// Runs until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      await purge()
      guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
    }
  }

  /// Removes what is too old, or too much, now.
  func purge() async {
    do throws(StorageError) {
      let count = try await storage.purge(by: policy)
      if count > 0 { log("retention: \(CountText.text(count, "hit")) removed") }
    } catch {
      log("retention: \(error.message)")
    }
  }
}
