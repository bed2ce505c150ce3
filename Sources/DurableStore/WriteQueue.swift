/// Who writes next, and what: the part of `GroupWriter` that decides.
///
///     free ── take / submit ──▶ taken ── next: group or operation ──▶ taken
///      ▲                          │
///      └────────── next: none ────┘
///
/// One thread at a time holds the turn. It commits groups of waiting rows and runs operations until nothing is left.
/// After a failure that keeps its rows, rows stand still until `resume`; operations do not. Rows that come from tasks may
/// wait for a promised task, which takes the turn for one group unless somebody else has taken it before.
struct WriteQueue<Row: Sendable, Stored: Sendable>: Sendable {
  /// Rows of one caller; they are committed together.
  struct Entry: Sendable {
    var rows: [Row]
    /// What the rows count for.
    var count: Int
    var bytes: Int
    var hasToldWaiting = false
    /// Takes the first outcome.
    var done: @Sendable (WriteOutcome<Stored>) -> Void
    /// Takes the outcome after `waiting`.
    var late: @Sendable (WriteOutcome<Stored>) -> Void

    func end(_ outcome: WriteOutcome<Stored>) { hasToldWaiting ? late(outcome) : done(outcome) }
  }

  enum Work: Sendable {
    case group([Entry])
    case operation(@Sendable () -> Bool)
  }

  private(set) var isTaken = false
  /// Whether a task is on its way that will ask for a group.
  private var isTaskPromised = false
  /// Why rows stand still.
  private(set) var obstacle: StoreError?
  private var entries: [Entry] = []
  private var operations: [@Sendable () -> Bool] = []
  // What an array of a generic type is asked for costs more than the commit's own locking.
  private var entryCount = 0
  private var rows = 0
  private var bytes = 0

  var isEmpty: Bool { entryCount == 0 && operations.isEmpty }

  /// Takes the turn when it is free and nobody waits.
  mutating func takeIfIdle() -> Bool {
    guard !isTaken, isEmpty else { return false }
    isTaken = true
    return true
  }

  /// Adds rows; true when the caller must see to it that the turn is taken.
  mutating func submit(_ entry: Entry) -> Bool {
    add(entry)
    return obstacle == nil && takeIfFree()
  }

  /// Adds rows that may wait for a task; true when the caller must start one.
  mutating func submitForTask(_ entry: Entry) -> Bool {
    add(entry)
    return obstacle == nil && promiseTask()
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry)
    entryCount += 1
    rows += entry.count
    bytes += entry.bytes
  }

  private mutating func promiseTask() -> Bool {
    guard !isTaken, !isTaskPromised else { return false }
    isTaskPromised = true
    return true
  }

  /// The group of a promised task, which has the turn with it; nil when others have seen, or will see, to the rows.
  mutating func takeGroup(limits: GroupLimits) -> [Entry]? {
    isTaskPromised = false
    guard !isTaken, obstacle == nil, operations.isEmpty, entryCount > 0 else { return nil }
    isTaken = true
    return group(limits: limits)
  }

  /// What is left to do when a promised task has committed its group.
  enum Rest: Sendable {
    case nothing
    /// Another task must be started: rows wait for it.
    case task
    /// The turn is still held, and somebody must see to the operations.
    case operations
  }

  /// Gives the turn of a promised task back.
  mutating func giveBackFromTask() -> Rest {
    guard operations.isEmpty else { return .operations }
    isTaken = false
    return entryCount > 0 && obstacle == nil && promiseTask() ? .task : .nothing
  }

  /// Puts a group back to the front; the turn stays taken.
  mutating func putBack(_ group: [Entry]) {
    entries.insert(contentsOf: group, at: 0)
    entryCount += group.count
    rows += group.reduce(0) { $0 + $1.count }
    bytes += group.reduce(0) { $0 + $1.bytes }
  }

  /// Adds an operation; true when the caller must see to it that the turn is taken.
  mutating func submit(_ operation: @escaping @Sendable () -> Bool) -> Bool {
    operations.append(operation)
    return takeIfFree()
  }

  private mutating func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  /// The next work of the turn's holder; nil gives the turn back.
  mutating func next(limits: GroupLimits) -> Work? {
    if !operations.isEmpty { return .operation(operations.removeFirst()) }
    guard obstacle == nil, entryCount > 0 else {
      isTaken = false
      return nil
    }
    return .group(group(limits: limits))
  }

  private mutating func group(limits: GroupLimits) -> [Entry] {
    var count = 0
    var groupRows = 0
    var groupBytes = 0
    for entry in entries {
      let isWithin = groupRows + entry.count <= limits.rows && groupBytes + entry.bytes <= limits.bytes
      guard count == 0 || isWithin else { break }
      count += 1
      groupRows += entry.count
      groupBytes += entry.bytes
    }
    let group = Array(entries.prefix(count))
    entries.removeFirst(count)
    entryCount -= count
    rows -= groupRows
    bytes -= groupBytes
    return group
  }

  /// Puts a group back to the front and lets rows stand still.
  mutating func block(_ group: [Entry], by error: StoreError) {
    putBack(group)
    obstacle = error
  }

  /// The callers to tell that their rows wait; each is told once.
  mutating func waitingCallers() -> [@Sendable (WriteOutcome<Stored>) -> Void] {
    var callers: [@Sendable (WriteOutcome<Stored>) -> Void] = []
    for index in entries.indices where !entries[index].hasToldWaiting {
      entries[index].hasToldWaiting = true
      callers.append(entries[index].done)
    }
    return callers
  }

  /// Takes the oldest entries out while more stand still than the bounds allow.
  mutating func overflow(rows maxRows: Int, bytes maxBytes: Int) -> [Entry] {
    guard obstacle != nil else { return [] }
    var dropped: [Entry] = []
    while rows > maxRows || bytes > maxBytes, let entry = entries.first {
      entries.removeFirst()
      entryCount -= 1
      rows -= entry.count
      bytes -= entry.bytes
      dropped.append(entry)
    }
    return dropped
  }

  /// Lets rows move again; true when the caller must see to it that the turn is taken.
  mutating func resume() -> Bool {
    guard obstacle != nil else { return false }
    obstacle = nil
    return !isEmpty && takeIfFree()
  }

  /// Lets rows move again while the turn is held.
  mutating func clearObstacle() { obstacle = nil }

  /// Gives the turn back; false when there is work, and the holder must see to it.
  mutating func giveBack() -> Bool {
    guard operations.isEmpty, entryCount == 0 || obstacle != nil else { return false }
    isTaken = false
    return true
  }
}
