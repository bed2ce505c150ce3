/// The calls of one page: which wait, which run, and how each ends (WT-315, WT-702).
///
///     add ──▶ waiting ──document finished, fewer than 64 run──▶ running ──▶ answer
///                │                                               ├────▶ timeout
///                └── load failed, process ended, closed ─────────┴────▶ failure
///
/// A call waits while there is no finished document. Its time counts anew when it starts; while a load is under way no
/// time counts for those that wait, because the load has a limit of its own. A document that takes another's place
/// ends the calls that run in it: the engine would never answer them.
package struct CallLine: Sendable {
  /// The number of a call in its page.
  package typealias ID = UInt64

  /// What is to be done, in order.
  package enum Action: Sendable, Equatable {
    /// Run the function in the page.
    case start(ID, path: String, argument: String)
    /// Tell the caller.
    case end(ID, Result<String, PageHostError>)
  }

  private enum Gate: Sendable, Equatable {
    /// There is no document; `isLoading` tells whether one is on its way.
    case shut(isLoading: Bool)
    case open
    /// The content process or the page ended, and with it every call to come until the next load.
    case ended(PageHostError)
  }

  private struct Waiting: Sendable {
    var id: ID
    var path: String
    var argument: String
    var deadline: UInt64
  }

  private let limit: UInt64
  private var gate = Gate.shut(isLoading: false)
  private var isClosed = false
  private var nextID: ID = 0
  private var waiting: [Waiting] = []
  private var running: [(id: ID, path: String, deadline: UInt64)] = []

  /// Makes a line; times are nanoseconds of one clock that runs while the device is awake.
  package init(limit: Duration) {
    self.limit = UInt64(limit.timerMilliseconds) * 1_000_000
  }

  /// Takes a call; its id is in the actions that end it.
  package mutating func add(path: String, argument: String, now: UInt64) -> (id: ID, actions: [Action]) {
    nextID += 1
    let id = nextID
    do throws(PageHostError) {
      if isClosed { throw .closed }
      try PageCall.check(path: path, argument: argument)
      if case .ended(let error) = gate { throw error }
    } catch {
      return (id, [.end(id, .failure(error))])
    }
    waiting.append(Waiting(id: id, path: path, argument: argument, deadline: now &+ limit))
    return (id, advance(now))
  }

  /// Takes a result of `PageCall.source`, or nil where the engine had none.
  package mutating func answer(_ id: ID, text: String?, now: UInt64) -> [Action] {
    guard let index = running.firstIndex(where: { $0.id == id }) else { return [] }
    let path = running.remove(at: index).path
    let result: Result<String, PageHostError>
    do throws(PageHostError) {
      guard let text else { throw .processTerminated(.crash) }
      result = .success(try PageCall.result(of: text, path: path))
    } catch {
      result = .failure(error)
    }
    return [.end(id, result)] + advance(now)
  }

  /// A load begins.
  package mutating func loadBegan() { gate = .shut(isLoading: true) }

  /// Another document has taken the place of the one in which calls run.
  package mutating func documentReplaced() -> [Action] { endRunning(with: .superseded) }

  /// The document is there: what waits may run.
  package mutating func loadFinished(now: UInt64) -> [Action] {
    gate = .open
    return advance(now)
  }

  /// The load failed or was stopped; what waits for it fails with it.
  package mutating func loadFailed(_ error: PageHostError) -> [Action] {
    gate = .shut(isLoading: false)
    return endWaiting(with: error)
  }

  /// The content process ended.
  package mutating func processTerminated(_ reason: TerminationReason) -> [Action] {
    let error = PageHostError.processTerminated(reason)
    gate = .ended(error)
    return endRunning(with: error) + endWaiting(with: error)
  }

  /// The page is closed, for good.
  package mutating func close() -> [Action] {
    isClosed = true
    return endRunning(with: .closed) + endWaiting(with: .closed)
  }

  /// Ends the calls whose time is over.
  package mutating func expire(now: UInt64) -> [Action] {
    let error = PageHostError(.timeout, "no answer in time")
    let late = running.filter { $0.deadline <= now }.map(\.id)
    running.removeAll { $0.deadline <= now }
    var ended = late.map { Action.end($0, .failure(error)) }
    if gate != .shut(isLoading: true) {
      ended += waiting.filter { $0.deadline <= now }.map { .end($0.id, .failure(error)) }
      waiting.removeAll { $0.deadline <= now }
    }
    return ended + advance(now)
  }

  /// When `expire` has something to do; nil when nothing waits for a time.
  package var nextDeadline: UInt64? {
    let running = running.lazy.map(\.deadline).min()
    let waiting = gate == .shut(isLoading: true) ? nil : waiting.lazy.map(\.deadline).min()
    return [running, waiting].compactMap(\.self).min()
  }

  private mutating func advance(_ now: UInt64) -> [Action] {
    guard gate == .open else { return [] }
    let count = min(max(0, PageCall.mostOutstanding - running.count), waiting.count)
    let next = waiting.prefix(count)
    waiting.removeFirst(count)
    for call in next { running.append((call.id, call.path, now &+ limit)) }
    return next.map { .start($0.id, path: $0.path, argument: $0.argument) }
  }

  private mutating func endRunning(with error: PageHostError) -> [Action] {
    defer { running = [] }
    return running.map { .end($0.id, .failure(error)) }
  }

  private mutating func endWaiting(with error: PageHostError) -> [Action] {
    defer { waiting = [] }
    return waiting.map { .end($0.id, .failure(error)) }
  }
}
