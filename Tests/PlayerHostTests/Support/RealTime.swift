import VideoAds

/// Waits for what a real player does, which takes the time it takes.
@MainActor
enum RealTime {
  /// Whether something becomes so within seconds.
  static func wait(_ seconds: Double = 30, until isSo: @MainActor () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isSo() {
      guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(5))) != nil else { return false }
    }
    return true
  }
}
