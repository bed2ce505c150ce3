import Foundation

/// Signs of life, ends of the process, suspension and the end of all.
extension PageMachine {
  /// Between two signs of life of a page that does nothing.
  static let heartbeat: Int64 = 60_000
  /// From the start of a call without an answer to the sign of life.
  static let callHeartbeat: Int64 = 5_000
  /// After that a process that does not end is left behind with its host.
  static let longestTermination: Int64 = 5_000

  mutating func fired(_ timer: Timer, _ now: Moment) {
    serials[timer] = nil
    switch timer {
    case .open: hostUnavailable("the engine did not start in time")
    case .load: if state == .loading { fail(PageFailure(.timeout, "the page did not load in time"), now) }
    case .probe: if state == .loaded, let load { actions.append(.probe(load.id)) }
    case .probeLimit: if state == .loaded { notReady(now) }
    case .call:
      call?.isOverdue = true
      sendPing(now)
    case .heartbeat: sendPing(now)
    case .ping: pingUnanswered(now)
    case .termination: if state == .unresponsive { abandon(now) }
    case .backOff: backOffOver(now)
    case .batch: queue.releaseDue(now.age)
    case .pace: break
    }
  }

  private mutating func notReady(_ now: Moment) {
    let scripts = load?.failedScripts ?? []
    let names = scripts.isEmpty ? "" : "; these did not load: " + scripts.joined(separator: ", ")
    fail(PageFailure(.notReady, "the tags were not ready in time" + names), now)
  }

  mutating func sendPing(_ now: Moment) {
    guard ping == nil, !isSuspended, isLive else { return }
    numbers.ping += 1
    ping = (numbers.ping, now.age)
    actions.append(.ping(numbers.ping))
    startTimer(.ping, limits.ping)
  }

  private var isLive: Bool {
    switch state {
    case .loaded, .ready, .stale: true
    default: false
    }
  }

  mutating func endPing() {
    ping = nil
    needsPing = false
    cancelTimer(.ping)
  }

  mutating func pong(_ now: Moment) {
    endPing()
    if call?.isOverdue == true {
      callEnded(.results([]), now)
    } else if state == .ready || call != nil {
      startTimer(.heartbeat, call == nil ? Self.heartbeat : Self.callHeartbeat)
    }
  }

  private mutating func pingUnanswered(_ now: Moment) {
    guard isLive, let started = ping?.started else { return }
    ping = nil
    // Far later than due: the device slept, and the page with it.
    if now.age - started > 3 * limits.ping { return sendPing(now) }
    become(.unresponsive, "no sign of life")
    cancelTimer(.heartbeat)
    cancelTimer(.call)
    for timer in [Timer.probe, .probeLimit] { cancelTimer(timer) }
    actions.append(.terminate)
    startTimer(.termination, Self.longestTermination)
  }

  /// The process does not end: its host is of no use any more.
  private mutating func abandon(_ now: Moment) {
    if let host { actions.append(.discardHost(host.id)) }
    host = nil
    died(.crash, now)
  }

  mutating func died(_ reason: TerminationReason, _ now: Moment) {
    if reason == .helper, let host {
      actions.append(.discardHost(host.id))
      self.host = nil
    }
    switch state {
    case .loading, .loaded, .ready, .stale, .unresponsive: break
    case .idle, .failed, .crashed, .closed: return
    }
    for timer in [Timer.open, .heartbeat, .termination] { cancelTimer(timer) }
    endPing()
    endLoad()
    suspect()
    let delay = failures.crashed(now.age)
    if failures.isLooping {
      become(
        .failed(PageFailure(.crashLoop, "the page's process ended too often"), attempt: failures.attempt),
        reason.rawValue)
      endWaiters()
    } else {
      become(.crashed(attempt: failures.attempt), reason.rawValue)
    }
    dropWithoutQueue()
    startTimer(.backOff, delay)
  }

  /// Counts the first event that the page was not through with; one that took the page down twice ends (WT-314).
  ///
  /// All that is unsettled goes back, also what the page had called its tags for: the requests that these made may have
  /// died with the process (WT-1222).
  private mutating func suspect() {
    guard var current = call else { return }
    soloCalls = 10
    if !current.events.isEmpty {
      let index = current.events.firstIndex { !current.returned.contains($0.summary.id) } ?? 0
      current.events[index].summary.deaths += 1
      let entry = current.events[index]
      if entry.summary.deaths >= 2 {
        current.events.remove(at: index)
        settle([entry], .failed(FailureReason(.pageCrashed, "the page ended twice with this event")))
      } else {
        actions.append(.recordDeaths([entry.summary.id: entry.summary.deaths]))
      }
    }
    current.returned = []
    call = current
    returnCall()
  }

  mutating func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    queue.releaseAll()
    for timer in [Timer.heartbeat, .call, .ping] { cancelTimer(timer) }
    ping = nil
    actions.append(.commit)
  }

  mutating func resume(_ now: Moment) {
    guard isSuspended else { return }
    isSuspended = false
    queue.freeHeld()
    if state == .loading, serials[.load] != nil { startTimer(.load, limits.load) }
    if isLive {
      needsPing = state == .ready
      sendPing(now)
      if call != nil { startTimer(.call, limits.call) }
    }
  }

  mutating func close(erases: Bool) {
    returnCall()
    leaveHost()
    endLoad()
    for timer in Timer.allCases { cancelTimer(timer) }
    endWaiters()
    // Without a queue, nothing is left for a later instance.
    let outcome: EventOutcome =
      erases ? .dropped(.erased) : queue.rules.limit == 0 ? .dropped(.instanceClosed) : .carriedOver
    settle(queue.removeAll(), outcome)
    become(.closed, "close")
  }
}
