import Hits

/// What a data layer holds: the content, what of it is kept beyond this run, and the events that wait (TM-510 to TM-546).
///
///     loading ──load()──▶ ready          the kept rows come first, pushes go over them
///        │                  ▲
///        └──beReady()───────┘──load()    they come late and are laid under what was pushed
struct DataLayerState: Sendable {
  private(set) var model = DataLayerModel()
  private var rows = PersistedRows()
  private var sequence: UInt64 = 0
  private var queue = EventQueue<EvaluationWork>()
  /// Whether pushes need not wait for the kept rows.
  private(set) var isReady = false

  /// What became of a push inside the lock.
  struct Admission {
    let sequence: UInt64
    var result: Result
    /// The rows to store, if the push changed them.
    var rows: [PersistedRow]?

    enum Result {
      case rejected(PushRejection)
      case merged
      /// The pusher evaluates the event, and then what waits.
      case runs(PushedEvent)
      /// Another evaluation is under way and takes the event.
      case waits(PushReceipt)
      /// The event came out of too many others.
      case isLost(PushedEvent, isFirst: Bool)
    }
  }

  /// Merges an update and, when it has an event's name, lines the event up (TM-520).
  mutating func push(_ push: Push) -> Admission {
    sequence += 1
    var admission = Admission(sequence: sequence, result: .merged)
    let visible: DataLayerModel
    do throws(PushRejection) {
      let check = try push.check.get()
      switch push.scope {
      case .model:
        try model.push(push.update, check)
        visible = model
        admission.rows = keep(push)
      case .event:
        var copy = model
        try copy.push(push.update, check)
        visible = copy
      }
    } catch {
      admission.result = .rejected(error)
      return admission
    }
    guard let name = push.event else { return admission }
    let event = PushedEvent(sequence: sequence, time: push.time, name: name, update: push.update, model: visible)
    admission.result = place(event, by: push.thread)
    return admission
  }

  private mutating func place(_ event: PushedEvent, by thread: ThreadIdentity) -> Admission.Result {
    if queue.start(sequence: event.sequence, by: thread) { return .runs(event) }
    let receipt = PushReceipt(sequence: event.sequence)
    return
      switch queue.push(.event(WaitingEvent(event: event, receipt: receipt)), sequence: event.sequence, by: thread)
    {
    case .wait: .waits(receipt)
    case .drop(let isFirst): .isLost(event, isFirst: isFirst)
    }
  }

  private mutating func keep(_ push: Push) -> [PersistedRow]? {
    guard case .milliseconds = push.lifetime else { return nil }
    _ = rows.record(push.update, now: push.time)
    return rows.rows
  }

  /// Lines up a step between events; tells whether the caller has to do what waits.
  mutating func enqueue(_ step: EvaluationWork.Step, by thread: ThreadIdentity) -> Bool {
    queue.enqueue(.step(step), by: thread)
  }

  /// What is pushed from now on, inside the step under way, came out of an event that is evaluated once more.
  mutating func resumeChain(of event: PushedEvent) { queue.resumeChain(of: event.sequence) }

  /// What is to be done next; nil when nothing waits.
  mutating func nextWork() -> EvaluationWork? { queue.next() }

  /// Deletes a key and what is below it (TM-515).
  mutating func remove(_ key: String) { model.remove(key) }

  /// Sets a prefix to null and forgets its kept rows; gives the rows to store (TM-545).
  mutating func clear(prefix: String) -> [PersistedRow]? {
    model.clear(prefix: prefix)
    let before = rows.rows.count
    rows.remove(prefix: prefix)
    return rows.rows.count == before ? nil : rows.rows
  }

  /// Takes what was kept from earlier runs; tells whether it came too late (TM-542).
  mutating func load(_ loaded: [PersistedRow], now: Int64) -> Bool {
    let pushed = rows.rows
    let written = Set(pushed.map(\.path))
    let kept = PersistedRows(loaded.filter { !written.contains($0.path) }, now: now)
    model = kept.model(under: model)
    rows = PersistedRows(kept.rows + pushed, now: now)
    defer { isReady = true }
    return isReady && !kept.rows.isEmpty
  }

  /// Stops waiting for the kept rows.
  mutating func beReady() { isReady = true }
}

/// An update on its way into the data layer, with all that can be found out before the lock is taken.
struct Push: Sendable {
  let update: [String: Value]
  let scope: PushScope
  let time: Int64
  let thread: ThreadIdentity
  /// The name of the event that the update makes.
  let event: String?
  let check: Result<UpdateCheck, PushRejection>
  var lifetime = Lifetime.none

  init(_ update: [String: Value], scope: PushScope, time: Int64, by thread: ThreadIdentity) {
    self.update = update
    self.scope = scope
    self.time = time
    self.thread = thread
    event = DataLayerModel.eventName(of: update)
    check = Result { () throws(PushRejection) in try UpdateCheck(update) }
    if case .success(let check) = check, check.hasOwnKeys, scope == .model { lifetime = Lifetime(of: update) }
  }
}

/// An event on its way to evaluation, with the data layer as of its push (TM-521).
///
/// It is a class, for it goes through many hands and nobody changes it.
final class PushedEvent: Sendable {
  let sequence: UInt64
  let time: Int64
  let name: String
  let update: [String: Value]
  let model: DataLayerModel

  init(sequence: UInt64, time: Int64, name: String, update: [String: Value], model: DataLayerModel) {
    self.sequence = sequence
    self.time = time
    self.name = name
    self.update = update
    self.model = model
  }
}

/// An event that another thread evaluates, and what its pusher learns of it by.
struct WaitingEvent: Sendable {
  let event: PushedEvent
  let receipt: PushReceipt
}
