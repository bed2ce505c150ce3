/// Drives one resolution: performs its fetches side by side and gives up after its time (VA-214, VA-215).
@MainActor
struct ChainRun {
  private enum Event: Sendable {
    case fetched(ChainResolver.FetchID, FetchOutcome)
    case timeUp
  }

  static let timeLimit: Int64 = 15_000

  let clock: any AdClock
  let fetch: @MainActor (AdFetch) async -> FetchOutcome

  /// Resolves a document to the end; nil when the task is cancelled.
  func resolve(
    _ policy: ResolutionPolicy, start: (inout ChainResolver) -> [ChainResolver.Action]
  ) async -> ResolvedResponse? {
    let (events, sink) = AsyncStream.makeStream(of: Event.self)
    let timer = clock.schedule(at: clock.now + Self.timeLimit) { sink.yield(.timeUp) }
    var tasks: [Task<Void, Never>] = []
    defer {
      clock.cancel(timer)
      for task in tasks { task.cancel() }
    }
    var resolver = ChainResolver(policy: policy)
    var actions = start(&resolver)
    var stream = events.makeAsyncIterator()
    while true {
      for action in actions {
        switch action {
        case .finish(let response): return response
        case .fetch(let id, let document):
          let fetch = fetch
          tasks.append(
            Task {
              let outcome = await fetch(document)
              sink.yield(.fetched(id, outcome))
            })
        }
      }
      guard let event = await stream.next(isolation: MainActor.shared) else { return nil }
      switch event {
      case .fetched(let id, let outcome): actions = resolver.fetched(id, outcome)
      case .timeUp: actions = resolver.timeUp()
      }
    }
  }
}
