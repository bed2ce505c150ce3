/// Which event is evaluated next, and which events came out of one another (TM-520 to TM-524).
///
///     idle ──start()──▶ running ──push()──▶ running, one more waits
///       ▲                  │
///       └── none waits ◀───┴─ next() ─▶ running the next
///
/// Whoever starts the queue runs it until it is idle again. A push by the running thread itself, made by the app's code
/// inside an evaluation, belongs to the chain of the event under evaluation.
struct EventQueue<Event: Sendable>: Sendable {
  /// What becomes of an event that comes while another runs.
  enum Placement: Equatable {
    /// The running thread takes it.
    case wait
    /// It is lost: its chain is too long. `isFirst` tells whether the chain has lost one before.
    case drop(isFirst: Bool)
  }

  /// How many events may come out of one (TM-524).
  static var chainLimit: Int { 500 }

  private struct Entry {
    let event: Event
    /// The sequence of the event that the chain began with.
    let root: UInt64
    let isNested: Bool
  }

  private struct Chain {
    var pushed = 0
    var waiting = 0
  }

  private struct Running {
    let thread: ThreadIdentity
    var root: UInt64
  }

  private var waiting = Waiting()
  private var chains: [UInt64: Chain] = [:]
  private var running: Running?

  /// Runs an event at once: its thread evaluates it, and then what `next()` gives until that is nil.
  ///
  /// - Returns: false while another event runs, or waits to; this one is then to be pushed.
  mutating func start(sequence: UInt64, by thread: ThreadIdentity) -> Bool {
    guard running == nil, waiting.isEmpty else { return false }
    running = Running(thread: thread, root: sequence)
    return true
  }

  /// Adds an event that `start` did not take.
  mutating func push(_ event: Event, sequence: UInt64, by thread: ThreadIdentity) -> Placement {
    guard let running, running.thread == thread else {
      waiting.append(Entry(event: event, root: sequence, isNested: false))
      return .wait
    }
    var chain = chains[running.root] ?? Chain()
    chain.pushed += 1
    defer { chains[running.root] = chain }
    guard chain.pushed <= Self.chainLimit else { return .drop(isFirst: chain.pushed == Self.chainLimit + 1) }
    chain.waiting += 1
    waiting.append(Entry(event: event, root: running.root, isNested: true))
    return .wait
  }

  /// Adds work that no push brought, which belongs to no chain.
  ///
  /// - Returns: whether the caller has to run the queue.
  mutating func enqueue(_ event: Event, by thread: ThreadIdentity) -> Bool {
    waiting.append(Entry(event: event, root: 0, isNested: false))
    guard running == nil else { return false }
    running = Running(thread: thread, root: 0)
    return true
  }

  /// What is pushed from here on, inside the work under way, came out of an earlier event.
  mutating func resumeChain(of sequence: UInt64) { running?.root = sequence }

  /// Ends the evaluation under way and gives the next event; nil when none waits: the queue is then idle.
  mutating func next() -> Event? {
    if let root = running?.root, chains[root]?.waiting == 0 { chains[root] = nil }
    guard let entry = waiting.popFirst() else {
      running = nil
      return nil
    }
    if entry.isNested { chains[entry.root]?.waiting -= 1 }
    running?.root = entry.root
    return entry.event
  }

  /// Entries in a row: both ends take constant time, however many wait.
  private struct Waiting: Sendable {
    /// A taken entry is nil at once, for it holds a copy of the data layer.
    private var entries: [Entry?] = []
    private var taken = 0

    var isEmpty: Bool { taken == entries.count }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func popFirst() -> Entry? {
      guard taken < entries.count else { return nil }
      let entry = entries[taken]
      entries[taken] = nil
      taken += 1
      if taken == entries.count {
        entries.removeAll(keepingCapacity: taken <= 1_024)
        taken = 0
      } else if taken >= 1_024, taken * 2 >= entries.count {
        entries.removeFirst(taken)
        taken = 0
      }
      return entry
    }
  }
}
