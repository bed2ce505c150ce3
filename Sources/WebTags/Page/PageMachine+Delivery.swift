import Foundation

/// Events into the page, and their results.
extension PageMachine {
  /// The most milliseconds between two calls of a back-log, however slow it is to flow.
  static let longestPace = 86_400_000.0

  /// Whether and which events may leave now; empty says none.
  var deliverable: ArraySlice<EventQueue.Entry> {
    guard gates.network == nil, !isSuspended, !gates.isDisabled else { return [] }
    switch gates.consent {
    case .all: return queue.waiting
    case .waiting, .none: return queue.hasConsentEvents ? queue.waiting : []
    }
  }

  /// Starts the next call, if events may leave and none is under way.
  mutating func deliver(_ now: Moment) {
    guard state == .ready, call == nil, !needsPing, !deliverable.isEmpty else { return }
    queue.releaseDue(now.age)
    if let due = queue.batchDue { startBatchTimer(due - now.age) }
    let isPaced = queue.count > EventQueue.paced
    if isPaced, now.age < pacedUntil {
      if serials[.pace] == nil { startTimer(.pace, pacedUntil - now.age) }
      return
    }
    let most = soloCalls > 0 ? 1 : EventQueue.mostInCall
    let taken = queue.take(most, consentOnly: gates.consent != .all)
    guard !taken.isEmpty else { return }
    if isPaced {
      let pause = (Double(taken.count) * 1000 / queue.rules.flushRate).rounded(.up)
      pacedUntil = now.age + Int64(min(pause, Self.longestPace))
    }
    numbers.call += 1
    call = Call(id: numbers.call, events: taken)
    actions.append(
      .call(numbers.call, taken.map { Delivery(id: $0.summary.id, reason: $0.reason) }))
    startTimer(.call, limits.call)
    startTimer(.heartbeat, Self.callHeartbeat)
  }

  private mutating func startBatchTimer(_ milliseconds: Int64) {
    if serials[.batch] == nil { startTimer(.batch, max(1, milliseconds)) }
  }

  mutating func take(_ result: EventResult) {
    guard let index = call?.events.firstIndex(where: { $0.summary.id == result.id }) else { return }
    guard result.isFinal else {
      call?.returned.insert(result.id)
      return
    }
    call?.events.remove(at: index)
    call?.returned.remove(result.id)
    if soloCalls > 0 { soloCalls -= 1 }
    actions.append(.settle([Settlement(id: result.id, outcome: result.outcome)]))
  }

  mutating func hold(_ events: [UUID]) {
    guard var current = call else { return }
    var held: [EventQueue.Entry] = []
    current.events.removeAll { entry in
      guard events.contains(entry.summary.id) else { return false }
      var entry = entry
      entry.isHeld = true
      if entry.reason != .delegate {
        entry.reason = .delegate
        actions.append(.waiting([Wait(id: entry.summary.id, reason: .delegate)]))
      }
      held.append(entry)
      return true
    }
    queue.putBack(held)
    call = current
    if current.events.isEmpty { endCall() }
  }

  mutating func callEnded(_ end: CallEnd, _ now: Moment) {
    switch end {
    case .results(let results):
      for result in results { take(result) }
      failRest(FailureReason(.noResult, "the page gave no result"))
    case .encoding(let message): failRest(FailureReason(.encoding, message))
    case .failed(let error):
      switch error.code {
      case .processTerminated:
        // What follows comes with the end of the process; until then a sign of life is asked for.
        sendPing(now)
        return
      case .timeout:
        call?.isOverdue = true
        sendPing(now)
        return
      case .script: failRest(FailureReason(.script, error.message))
      case .argumentTooLarge, .badPath: failRest(FailureReason(.encoding, error.message))
      default:
        // The page is not what it was: what has not been delivered waits for the next load.
        returnCall()
        if state == .ready || isStale { fail(PageFailure(.notReady, error.message), now) }
        return
      }
    }
    endCall()
  }

  private var isStale: Bool { if case .stale = state { true } else { false } }

  private mutating func failRest(_ reason: FailureReason) {
    guard let rest = call?.events, !rest.isEmpty else { return }
    settle(rest.filter { call?.returned.contains($0.summary.id) == true }, .delivered(confirmed: false))
    settle(rest.filter { call?.returned.contains($0.summary.id) != true }, .failed(reason))
    call?.events = []
  }

  mutating func endCall() {
    call = nil
    cancelTimer(.call)
    if ping == nil, state == .ready, !isSuspended { startTimer(.heartbeat, Self.heartbeat) }
  }

  /// Puts what a call has not delivered back to the front; what the page had called its tags for counts as delivered.
  mutating func returnCall() {
    guard let call else { return }
    settle(call.events.filter { call.returned.contains($0.summary.id) }, .delivered(confirmed: false))
    queue.putBack(call.events.filter { !call.returned.contains($0.summary.id) })
    self.call = nil
    cancelTimer(.call)
  }

  /// What the waiting events wait for, in words that are compared.
  struct ReasonContext: Sendable, Equatable {
    var general: QueueReason?
    var isConsentWaiting: Bool
    var isReady: Bool
  }

  /// Tells what events wait for, where it changed.
  mutating func report() {
    let context = ReasonContext(
      general: generalReason, isConsentWaiting: gates.consent != .all, isReady: state == .ready)
    let isAll = context != reported
    reported = context
    guard isAll || queue.unreported > 0 else { return }
    let changes = queue.report(isAll: isAll) { entry, isReleased in
      if let reason = context.general, reason == .suspended || gates.network != nil { return reason }
      if context.isConsentWaiting, !entry.passesConsent { return .consentUnknown }
      if entry.isHeld { return .delegate }
      if let reason = context.general { return reason }
      return isReleased ? nil : .batching
    }
    if !changes.isEmpty { actions.append(.waiting(changes.map { Wait(id: $0.0, reason: $0.1) })) }
  }

  private var generalReason: QueueReason? {
    if isSuspended { return .suspended }
    switch gates.network {
    case .offline: return .offline
    case .wifiOnly: return .wifiOnly
    case .battery: return .batterySaver
    default: break
    }
    switch state {
    case .ready: return nil
    case .failed, .crashed: return .pageFailed
    case .idle(.noEngine): return .noEngine
    default: return .pageNotReady
    }
  }
}
