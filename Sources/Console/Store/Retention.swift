import Hits

/// Removes hits that are older than they may be, and forgets ids whose window is over, once an hour (CO-702, HQ-711).
struct Retention: Sendable {
  /// Days that a hit is kept; nil for ever.
  let days: Int?
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

  /// Removes what is too old now.
  func purge() async {
    let limit = days.map { clock.wallMilliseconds - Int64($0) * 86_400_000 } ?? 0
    do throws(StorageError) {
      let count = try await storage.purge(before: limit)
      if count > 0 { log("retention: \(count) hits removed") }
    } catch {
      log("retention: \(error.message)")
    }
  }
}
