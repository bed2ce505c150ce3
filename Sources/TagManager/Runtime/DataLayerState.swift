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
  private var queue = EventQueue<PushedEvent>()
  /// Whether pushes need not wait for the kept rows.
  private(set) var isReady = false

  /// What became of a push inside the lock.
  struct Admission {
    let sequence: UInt64
    var result: Result
    /// The rows to store, if the push changed them.
    var rows: [PersistedRow]?
    var check: UpdateCheck?
    var lifetime = Lifetime.none

    enum Result {
      case rejected(PushRejection)
      case merged
      case event(PushedEvent, EventQueue<PushedEvent>.Placement)
    }
  }

  /// Merges an update and, when it has an event's name, lines the event up (TM-520).
  mutating func push(
    _ update: [String: Value], scope: PushScope, event name: String?, time: Int64, by thread: ThreadIdentity
  ) -> Admission {
    sequence += 1
    var admission = Admission(sequence: sequence, result: .merged)
    let visible: DataLayerModel
    do throws(PushRejection) {
      switch scope {
      case .model:
        admission.check = try model.push(update)
        visible = model
        keep(update, now: time, &admission)
      case .event:
        var copy = model
        admission.check = try copy.push(update)
        visible = copy
      }
    } catch {
      admission.result = .rejected(error)
      return admission
    }
    guard let name else { return admission }
    let event = PushedEvent(sequence: sequence, time: time, name: name, update: update, model: visible)
    admission.result = .event(event, queue.push(event, sequence: sequence, by: thread))
    return admission
  }

  private mutating func keep(_ update: [String: Value], now: Int64, _ admission: inout Admission) {
    admission.lifetime = Lifetime(of: update)
    guard case .milliseconds = admission.lifetime else { return }
    _ = rows.record(update, now: now)
    admission.rows = rows.rows
  }

  /// The next event to evaluate; nil when none waits.
  mutating func nextEvent() -> PushedEvent? { queue.next() }

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

/// An event on its way to evaluation, with the data layer as of its push (TM-521).
struct PushedEvent: Sendable {
  let sequence: UInt64
  let time: Int64
  let name: String
  let update: [String: Value]
  let model: DataLayerModel
  let receipt: PushReceipt

  init(sequence: UInt64, time: Int64, name: String, update: [String: Value], model: DataLayerModel) {
    self.sequence = sequence
    self.time = time
    self.name = name
    self.update = update
    self.model = model
    receipt = PushReceipt(sequence: sequence)
  }
}
