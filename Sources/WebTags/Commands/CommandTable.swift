/// The commands of an instance and the requests that wait for them (WT-503 to WT-506): no task, no clock.
///
/// Requests of one id are run one after another, those of different ids beside each other.
struct CommandTable: Sendable {
  /// The most requests that may wait or run.
  static let mostWaiting = 200
  /// After that many milliseconds a handler's answer is no longer waited for.
  static let limit: Int64 = 60_000
  /// Reserved ids that an app may register.
  private static let adoptable: Set<String> = ["_push", "_mobilecompanion"]

  struct Entry: Sendable {
    var id: String
    var handler: RemoteCommandHandler
  }

  /// A request with the load that asked; the answer to another load is dropped.
  struct Job: Sendable {
    var number: Int
    var entry: Entry
    var request: CommandRequest
    var load: LoadID?
  }

  private var entries: [String: Entry] = [:]
  private var queues: [String: [Job]] = [:]
  private var running: [String: Job] = [:]
  private var count = 0
  private var lastNumber = 0

  /// Registers a command.
  mutating func add(_ entry: Entry, isBuiltIn: Bool = false) throws(WebTagsError) {
    guard CommandURL.isID(entry.id), isBuiltIn || !entry.id.hasPrefix("_") || Self.adoptable.contains(entry.id) else {
      throw WebTagsError(.invalidCommandID, entry.id, "the id is none, or reserved")
    }
    guard entries[entry.id] == nil else {
      throw WebTagsError(.commandExists, entry.id, "a command of this id is registered")
    }
    entries[entry.id] = entry
  }

  mutating func remove(_ id: String) { entries[id] = nil }

  /// What a request leads to.
  enum Reception: Sendable {
    case run(Job)
    case wait
    case answer(PageAnswer)
  }

  /// Takes a request in.
  mutating func receive(_ request: CommandRequest, load: LoadID?) -> Reception {
    guard let entry = entry(for: request.id) else {
      return .answer(PageAnswer(request, status: 404, body: "no command \(request.id)"))
    }
    guard count < Self.mostWaiting else { return .answer(PageAnswer(request, status: 429)) }
    count += 1
    lastNumber += 1
    let job = Job(number: lastNumber, entry: entry, request: request, load: load)
    if running[entry.id] != nil {
      queues[entry.id, default: []].append(job)
      return .wait
    }
    running[entry.id] = job
    return .run(job)
  }

  /// Ends a request; nil when it had ended already.
  ///
  /// - Returns: the next request of the same id, to be run.
  mutating func finish(_ job: Job) -> (wasRunning: Bool, next: Job?) {
    guard running[job.entry.id]?.number == job.number else { return (false, nil) }
    count -= 1
    var waiting = queues[job.entry.id] ?? []
    let next = waiting.isEmpty ? nil : waiting.removeFirst()
    queues[job.entry.id] = waiting.isEmpty ? nil : waiting
    running[job.entry.id] = next
    return (true, next)
  }

  private func entry(for id: String) -> Entry? {
    if let entry = entries[id] { return entry }
    let lower = id.lowercased()
    return entries.values.filter { $0.id.lowercased() == lower }.min { $0.id < $1.id }
  }
}
