import Foundation
import Hits

/// Decides the life of one page and when events enter it (WT-300): no clock, no engine, no store.
///
///     idle ──start, gates open──▶ loading ──finished──▶ loaded ──probe true──▶ ready ◀─┐
///      ▲                            │ ▲                   │                     │ │     │ call ends
///      │ gates closed               ▼ │ back-off          ▼ not in time         │ └─────┘
///      └────────────────── failed, crashed ◀──────────────┘                     ▼
///                              ▲      ▲                                        stale ──event──▶ loading
///                              │      └─ processTerminated, from any live state
///                           unresponsive ◀── no sign of life
///
///     close leads from anywhere to closed.
///
/// One call is under way at a time. An input that has no place in a state changes nothing; what concerns an earlier
/// host, load, call or timer is not looked at.
struct PageMachine: Sendable {
  struct Limits: Sendable, Equatable {
    var open: Int64 = 15_000
    var load: Int64 = 30_000
    var probe: Int64 = 10_000
    var call: Int64 = 10_000
    var ping: Int64 = 10_000
  }

  /// A host that is being opened or open.
  struct Host: Sendable, Equatable {
    var id: HostID
    var isOpen = false
  }

  /// The load under way, or that of the page that is there.
  struct Load: Sendable, Equatable {
    var id: LoadID
    /// The document that must come, normalised; nil until it is known.
    var expected: String?
    var isText = false
    var isAnswered = false
    var loadedAt: Int64 = 0
    /// Scripts of the page that failed to load.
    var failedScripts: [String] = []
  }

  /// The call under way.
  struct Call: Sendable, Equatable {
    var id: CallID
    var events: [EventQueue.Entry]
    /// Those the page has called its tags for, without a final result yet.
    var returned: Set<UUID> = []
    var isOverdue = false
  }

  var limits = Limits()
  var pageHosts: [HostPattern] = []
  var dropsWithoutEngine = false

  var state = PageState.idle(.notStarted)
  var queue = EventQueue()
  var gates = Gates()
  var isStarted = false
  /// Whether the app says when to start.
  var isManual = false
  var isSuspended = false
  var host: Host?
  var load: Load?
  var call: Call?
  var ping: (id: Int, started: Int64)?
  /// Whether a sign of life is owed before the next delivery.
  var needsPing = false
  var failures = FailureBudget()
  var waiters: [Int] = []
  /// Events that still travel alone.
  var soloCalls = 0
  /// When the next call of a back-log may start.
  var pacedUntil: Int64 = 0
  var numbers = Numbers()
  var serials: [Timer: Int] = [:]
  var reported: ReasonContext?
  var hadFirstLoad = false
  /// When the last load began.
  var lastBegin = Int64.min / 2
  var actions: [Action] = []

  struct Numbers: Sendable {
    var host = 0
    var load: UInt64 = 0
    var call = 0
    var ping = 0
    var serial = 0
  }

  init(seed: UInt64) { failures.seed = seed }

  /// Takes one input in and gives what is to be done, in order.
  mutating func handle(_ input: Input, now: Moment) -> [Action] {
    guard state != .closed else { return afterClose(input) }
    actions = []
    take(input, now)
    if state != .closed {
      settle(queue.expire(now.wall), .dropped(.expired))
      advance(now)
      endVainWaits()
      report()
    }
    return actions
  }

  private mutating func take(_ input: Input, _ now: Moment) {
    switch input {
    case .start: isStarted = true
    case .noEngine: giveUpEngine("there is none")
    case .gates(let gates): take(gates)
    case .rules(let rules):
      queue.rules = rules
      if rules.batchSize < 2 { queue.releaseAll() }
    case .queued(let events): for event in events { add(event, now) }
    case .hostOpened(let id): if host?.id == id, host?.isOpen == false { hostOpened() }
    case .hostUnavailable(let id, let reason): if host?.id == id { hostUnavailable(reason) }
    case .navigating(let id, let url, let isText):
      if load?.id == id, state == .loading {
        load?.expected = PageAddress.normalised(url)
        load?.isText = isText
      }
    case .loadFailed(let id, let failure): if load?.id == id, state == .loading { fail(failure, now) }
    case .page(let id, let event): if host?.id == id { take(event, now) }
    case .probed(let id, let answer): if load?.id == id, state == .loaded { probed(answer, now) }
    case .callEnded(let id, let end): if call?.id == id { callEnded(end, now) }
    case .result(let result): take(result)
    case .held(let id, let events): if call?.id == id { hold(events) }
    case .pong(let id): if ping?.id == id { pong(now) }
    case .timer(let timer, let serial): if serials[timer] == serial { fired(timer, now) }
    case .sessionChanged: if state == .ready { become(.stale(.newSession), "a new session") }
    case .pageChanged: if state == .ready { become(.stale(.pageChanged), "the page was published anew") }
    case .reload(let waiter): reload(waiter, now)
    case .retry(let cause): retry(cause, now)
    case .flush:
      queue.freeHeld()
      queue.releaseAll()
    case .drop(let reason, let keepsConsent):
      settle(queue.removeAll(keepingConsentEvents: keepsConsent), .dropped(reason))
    case .suspend: suspend()
    case .resume: resume(now)
    case .close(let erases): close(erases: erases)
    }
  }

  private mutating func add(_ event: EventSummary, _ now: Moment) {
    let entry = EventQueue.Entry(event, since: now.age)
    let hasNoQueue = queue.rules.limit == 0 && !mayWaitWithoutQueue
    let hasNoEngine = dropsWithoutEngine && state == .idle(.noEngine)
    guard !hasNoQueue, !hasNoEngine else { return settle([entry], .dropped(.noQueue)) }
    settle(queue.add(entry), .dropped(.queueFull))
  }

  /// Without a queue, events wait for the first load alone, or for the call before them (WT-434).
  var mayWaitWithoutQueue: Bool {
    switch state {
    case .ready: gates.network == nil && !isSuspended
    case .loading, .loaded, .idle(.notStarted), .idle(.manual): !hadFirstLoad
    default: false
    }
  }

  private func afterClose(_ input: Input) -> [Action] {
    switch input {
    case .queued(let events):
      [.settle(events.map { Settlement(id: $0.id, outcome: .dropped(.instanceClosed)) })]
    case .reload(let waiter?): [.loadEnded(waiters: [waiter])]
    default: []
    }
  }
}

extension PageMachine {
  mutating func become(_ next: PageState, _ cause: String) {
    guard next != state else { return }
    actions.append(.stateChanged(from: state, to: next, cause: cause))
    state = next
  }

  mutating func startTimer(_ timer: Timer, _ milliseconds: Int64) {
    numbers.serial += 1
    serials[timer] = numbers.serial
    actions.append(.startTimer(timer, milliseconds: milliseconds, serial: numbers.serial))
  }

  mutating func cancelTimer(_ timer: Timer) {
    if serials.removeValue(forKey: timer) != nil { actions.append(.cancelTimer(timer)) }
  }

  mutating func settle(_ events: [EventQueue.Entry], _ outcome: EventOutcome) {
    guard !events.isEmpty else { return }
    actions.append(.settle(events.map { Settlement(id: $0.summary.id, outcome: outcome) }))
  }

  mutating func endWaiters() {
    guard !waiters.isEmpty else { return }
    actions.append(.loadEnded(waiters: waiters))
    waiters = []
  }
}
