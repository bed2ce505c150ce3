import Dispatch
import DurableStore
public import Hits

/// When hits leave.
extension Analytics {
  /// Seconds between two passes: 120 unless set (HQ-400).
  ///
  /// Below 1, only `dispatch` sends. Setting it, to the same value too, starts the time anew; NaN is ignored, and a day is
  /// the most.
  public var dispatchInterval: Double {
    get { state.withLock { $0.interval } }
    set {
      guard !newValue.isNaN else { return warnings.warn("a dispatch interval that is no number is ignored") }
      state.withLock { $0.interval = min(newValue, 86_400) }
      dispatcher.handle(.intervalSet(newValue))
    }
  }

  /// Starts a pass over all lanes and returns at once (HQ-406).
  public func dispatch() {
    lookAtNetwork()
    dispatcher.handle(.dispatchRequested)
  }

  /// Makes at most one request, then calls the closure, exactly once and never inside this call (HQ-407, HQ-410).
  ///
  /// Periodic dispatch is off until `dispatchInterval` is set again. Without a closure, the same as `dispatch()`.
  public func dispatch(completion: (@Sendable (DispatchResult) -> Void)?) {
    guard let completion else { return dispatch() }
    lookAtNetwork()
    dispatcher.call { [callbacks] report in callbacks.async { completion(report.result) } }
  }

  /// Makes at most one request and tells how it went (HQ-407).
  public func dispatchNext() async -> DispatchReport { await dispatch(drains: false) }

  /// Makes requests one after another until there is nothing to send, one fails, or the deadline is there (HQ-412).
  ///
  /// The report adds up all requests; its result is that of the last. A request under way at the deadline is cancelled,
  /// its hits stay.
  public func drain(until deadline: ContinuousClock.Instant? = nil) async -> DispatchReport {
    guard let deadline else { return await dispatch(drains: true) }
    return await withTaskGroup(of: DispatchReport?.self) { group in
      group.addTask { await self.dispatch(drains: true) }
      group.addTask {
        // Cancelled: everything was sent in time.
        try? await Task.sleep(until: deadline, clock: .continuous)
        return nil
      }
      var report: DispatchReport?
      for await result in group {
        group.cancelAll()
        if let result { report = result }
      }
      return report ?? DispatchReport(result: .error, reason: .cancelled)
    }
  }

  private func dispatch(drains: Bool) async -> DispatchReport {
    lookAtNetwork()
    let call = Locked<CallID?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let id = dispatcher.call(drains: drains, wantsCount: true) { continuation.resume(returning: $0) }
        call.withLock { $0 = id }
        // A cancellation before this line found no call to cancel.
        if Task.isCancelled { dispatcher.handle(.cancel(id)) }
      }
    } onCancel: {
      if let id = call.withLock({ $0 }) { dispatcher.handle(.cancel(id)) }
    }
  }

  private func lookAtNetwork() {
    if let connectivity { dispatcher.handle(.online(connectivity.isOnline)) }
  }
}
