import Foundation
import Hits

/// From no page to tags that are ready, and back.
extension PageMachine {
  /// A failed page is not loaded more often than that, whoever asks.
  static let shortestPause: Int64 = 5_000
  /// A page that old is loaded again before the next event.
  static let longestLife: Int64 = 86_400_000

  mutating func take(_ gates: Gates) {
    self.gates = gates
    if gates.isDisabled {
      returnCall()
      leaveHost()
      endLoad()
      endWaiters()
      become(.idle(.disabled), "switched off")
    } else if state == .idle(.disabled) {
      become(.idle(.notStarted), "switched on")
    }
  }

  /// Does what the state allows now: begins a load, delivers.
  mutating func advance(_ now: Moment) {
    switch state {
    case .idle(.noEngine): break
    case .idle:
      if let reason = idleReason { become(.idle(reason), "a gate is closed") } else { begin("start", now) }
    case .stale(let reason):
      let isWanted = reason == .requested || !deliverable.isEmpty
      if call == nil, isWanted, idleReason == nil { begin(reason.rawValue, now) }
    case .ready:
      if let load, now.age - load.loadedAt >= Self.longestLife, call == nil {
        become(.stale(.age), "the page is a day old")
        advance(now)
      } else {
        deliver(now)
      }
    default: break
    }
  }

  /// Why no page may load; nil when one may.
  var idleReason: IdleReason? {
    if gates.isDisabled { return .disabled }
    if !isStarted { return isManual ? .manual : .notStarted }
    if isSuspended { return .suspended }
    if let network = gates.network { return network }
    switch gates.consent {
    case .all: return nil
    case .waiting: return gates.pageBeforeConsent ? nil : .consent
    case .none: return queue.hasConsentEvents ? nil : .consent
    }
  }

  mutating func begin(_ cause: String, _ now: Moment) {
    let drains = load != nil && host?.isOpen == true
    cancelTimer(.backOff)
    cancelTimer(.heartbeat)
    endPing()
    become(.loading, cause)
    lastBegin = now.age
    numbers.load += 1
    load = Load(id: LoadID(rawValue: numbers.load))
    if let host {
      if host.isOpen { startLoad(drains: drains) }
      return
    }
    numbers.host += 1
    host = Host(id: numbers.host)
    actions.append(.openHost(numbers.host))
    startTimer(.open, limits.open)
  }

  mutating func hostOpened() {
    host?.isOpen = true
    cancelTimer(.open)
    if state == .loading { startLoad(drains: false) }
  }

  private mutating func startLoad(drains: Bool) {
    guard let load else { return }
    actions.append(.load(load.id, drains: drains))
    startTimer(.load, limits.load)
  }

  mutating func hostUnavailable(_ reason: String) {
    leaveHost()
    endLoad()
    guard let delay = failures.engineFailed() else { return giveUpEngine(reason) }
    become(.failed(PageFailure(.engineUnavailable, reason), attempt: failures.engineFailures), "no engine")
    startTimer(.backOff, delay)
  }

  mutating func giveUpEngine(_ reason: String) {
    leaveHost()
    endLoad()
    become(.idle(.noEngine), reason)
    endWaiters()
    if dropsWithoutEngine { settle(queue.removeAll(), .dropped(.noQueue)) }
  }

  /// Takes in what a host says of its page.
  mutating func take(_ event: PageEvent, _ now: Moment) {
    switch event.kind {
    case .processTerminated(let reason): died(reason, now)
    case .resourceFailed(let url, _):
      if event.load == load?.id, load.map({ $0.failedScripts.count < 20 }) ?? false {
        load?.failedScripts.append(WebTagsLog.plain(url))
      }
    case .closed:
      // A host that closes by itself is gone.
      host = nil
      if state != .idle(.noEngine) { died(.helper, now) }
    case .redirected, .response, .finished, .failed:
      if state == .loading, event.load == load?.id { document(event.kind, now) }
    default: break
    }
  }

  private mutating func document(_ kind: PageEvent.Kind, _ now: Moment) {
    switch kind {
    case .redirected(let url):
      guard let target = WebURL(url), pageHosts.contains(where: { $0.matches(target.host) }) else {
        return fail(PageFailure(.blocked, "the page is redirected to another host"), now)
      }
      load?.expected = PageAddress.normalised(url)
    case .response(let status, _, _):
      guard (200...299).contains(status) else {
        return fail(PageFailure(.httpStatus, "the page was answered with \(status)"), now)
      }
      load?.isAnswered = true
    case .failed(let error): fail(PageFailure(error), now)
    case .finished(let url):
      guard let load, let expected = load.expected, PageAddress.normalised(url) == expected,
        load.isText || load.isAnswered
      else { return fail(PageFailure(.unexpectedDocument, "another document came than the one asked for"), now) }
      cancelTimer(.load)
      self.load?.loadedAt = now.age
      become(.loaded, "finished")
      actions.append(.probe(load.id))
      startTimer(.probeLimit, limits.probe)
    default: break
    }
  }

  mutating func probed(_ answer: ProbeAnswer, _ now: Moment) {
    switch answer {
    case .ready:
      cancelTimer(.probe)
      cancelTimer(.probeLimit)
      hadFirstLoad = true
      needsPing = false
      failures.becameReady(now.age)
      become(.ready, "the tags are ready")
      endWaiters()
      queue.releaseDue(now.age)
      startTimer(.heartbeat, Self.heartbeat)
    case .notYet, .failed:
      // A page whose process died says so itself.
      let elapsed = now.age - (load?.loadedAt ?? 0)
      startTimer(.probe, elapsed < 2_000 ? 100 : 500)
    }
  }

  mutating func fail(_ failure: PageFailure, _ now: Moment) {
    if let load { actions.append(.stopLoad(load.id)) }
    endLoad()
    let delay = failures.failed(now.age)
    become(.failed(failure, attempt: failures.attempt), failure.code.rawValue)
    startTimer(.backOff, delay)
    dropWithoutQueue()
    endWaiters()
  }

  mutating func dropWithoutQueue() {
    hadFirstLoad = true
    if queue.rules.limit == 0 { settle(queue.removeAll(), .dropped(.noQueue)) }
  }

  /// Forgets the load and its timers.
  mutating func endLoad() {
    load = nil
    for timer in [Timer.load, .probe, .probeLimit] { cancelTimer(timer) }
  }

  /// Lets go of the host, if there is one.
  mutating func leaveHost() {
    cancelTimer(.open)
    endPing()
    for timer in [Timer.heartbeat, .termination, .backOff] { cancelTimer(timer) }
    if let host { actions.append(.closeHost(host.id)) }
    host = nil
  }

  mutating func reload(_ waiter: Int?, _ now: Moment) {
    if let waiter { waiters.append(waiter) }
    switch state {
    case .ready: become(.stale(.requested), "reload")
    case .stale: become(.stale(.requested), "reload")
    case .failed, .crashed:
      failures.forgive()
      loadSoon("reload", now)
    case .idle(.noEngine):
      failures.forgive()
      become(.idle(.notStarted), "reload")
    case .loading, .loaded, .unresponsive, .closed: break
    case .idle: break
    }
  }

  /// Ends the waits for a load that may not begin now; one that is under way ends them itself.
  mutating func endVainWaits() {
    switch state {
    case .loading, .loaded, .unresponsive: break
    default: if !waiters.isEmpty, idleReason != nil { endWaiters() }
    }
  }

  mutating func retry(_ cause: RetryCause, _ now: Moment) {
    switch state {
    case .failed where !failures.isLooping: loadSoon(cause.rawValue, now)
    case .idle(.noEngine) where cause == .wake:
      failures.forgive()
      become(.idle(.notStarted), cause.rawValue)
    default: break
    }
  }

  /// Loads now, or when the shortest pause since the last load is over.
  private mutating func loadSoon(_ cause: String, _ now: Moment) {
    guard idleReason == nil else { return }
    let wait = Self.shortestPause - (now.age - lastBegin)
    if wait > 0 { startTimer(.backOff, wait) } else { begin(cause, now) }
  }

  /// The back-off is over.
  mutating func backOffOver(_ now: Moment) {
    if let reason = idleReason { become(.idle(reason), "a gate is closed") } else { begin("back-off", now) }
  }
}
