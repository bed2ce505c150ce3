public import Hits

/// The part of an app's platform that lets it go on for a while when the person has left it (HQ-412).
///
/// On Apple's platforms an app wraps `UIApplication.beginBackgroundTask` in one.
public protocol BackgroundTaskHost: Sendable {
  /// Begins a task; nil where none is allowed.
  ///
  /// - Parameter onExpiry: called when the task must end, on any thread, at most once.
  func begin(onExpiry: @escaping @Sendable () -> Void) -> BackgroundTask?
  /// Ends a task, which may have expired.
  func end(_ task: BackgroundTask)
}

/// A task that a platform has granted.
public struct BackgroundTask: Sendable, Hashable {
  /// The platform's number for it.
  public let number: Int

  /// Makes a task of the platform's number.
  public init(_ number: Int) { self.number = number }
}

extension Analytics {
  /// Sends what it can while the platform allows it, as `drain` does, and ends the platform's task exactly once (HQ-412).
  ///
  /// On expiry the request under way is cancelled and its hits stay; no lock is held afterwards (HQ-323). Where no task is
  /// granted nothing is sent.
  public func drainInBackground(_ host: any BackgroundTaskHost) async -> DispatchReport {
    let expiry = Locked<(isOver: Bool, drain: Task<DispatchReport, Never>?)>((false, nil))
    let granted = host.begin {
      expiry.withLock { expiry in
        expiry.isOver = true
        return expiry.drain
      }?.cancel()
    }
    guard let granted else { return DispatchReport(result: .noData, reason: .cancelled) }
    let drain = Task { await self.drain() }
    let isOver = expiry.withLock { expiry in
      expiry.drain = drain
      return expiry.isOver
    }
    if isOver { drain.cancel() }
    let report = await drain.value
    host.end(granted)
    return report
  }
}
