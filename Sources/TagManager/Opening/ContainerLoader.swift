import Dispatch
import Hits

/// Loads one container: performs what its `LoadingMachine` decides, and tells it what came of that.
///
/// Everything happens on a queue of its own, in order: the app's `prepare`s and notifiers too, but for lifecycle
/// callbacks, which have their own lane. So an opening ends even while the app's main thread waits for it (TM-303).
final class ContainerLoader: Sendable {
  struct State {
    weak var container: Container?
    var machine = LoadingMachine()
    var lastNumber = 0
    /// The fetch under way.
    var work: Task<Void, Never>?
    var alarm: Task<Void, Never>?
    var openings: [OpeningID: Opening] = [:]
    var refreshes: [RefreshID: CheckedContinuation<RefreshOutcome, Never>] = [:]
    /// The highest publish sequence that was accepted, as far as this process knows (TM-441).
    var lastSequence: Int64?
    var defaults: DefaultFacts
    /// What the server calls the session of a preview's outcomes.
    var debugSession: String?
  }

  let id: ContainerID
  let environment: Environment
  /// What lifecycle callbacks tell, for whoever listens.
  let events = Broadcast<LoadEvent>()
  let state: Locked<State>
  private let callback: (any ContainerCallback)?
  private let lane: CallbackLane
  private let queue: DispatchQueue

  init(
    id: ContainerID, defaults: LoadedContent, environment: Environment, callback: (any ContainerCallback)?
  ) {
    self.id = id
    self.environment = environment
    self.callback = callback
    let queue = DispatchQueue(label: "Tagworks.loading.\(id)")
    self.queue = queue
    lane = CallbackLane(
      executor: environment.configuration.callbackExecutor ?? { DispatchQueue.global().async(execute: $0) })
    state = Locked(State(defaults: DefaultFacts(defaults)))
  }

  deinit {
    let (work, alarm, refreshes) = state.withLock { ($0.work, $0.alarm, Array($0.refreshes.values)) }
    work?.cancel()
    alarm?.cancel()
    for refresh in refreshes { refresh.resume(returning: .closed) }
  }

  /// Takes the container that it loads.
  func attach(_ container: Container) { state.withLock { $0.container = container } }

  /// Begins to load; nothing waits for disk or network.
  func open(_ mode: RefreshMode) {
    let isPreview = environment.previews.link?.id == id
    queue.sync { process(.open(mode, isPreview: isPreview)) }
  }

  /// Sends an event; what comes of it happens later, on the loader's queue.
  func send(_ event: LoadingEvent) {
    queue.async { [weak self] in self?.process(event) }
  }

  /// A number that no opening and no refresh of this container had before.
  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private func process(_ event: LoadingEvent) {
    let clock = environment.ports.clock
    let now = LoadingMoment(
      wall: clock.wallMilliseconds, age: Int64(clamping: clock.ageClock / 1_000_000),
      draw: environment.ports.random.next())
    let (actions, container, isPreview) = state.withLock { state in
      (state.machine.handle(event, at: now), state.container, state.machine.isPreview)
    }
    guard let container else { return }
    container.setPreview(isPreview)
    for action in actions { perform(action, container) }
  }

  private func perform(_ action: LoadingAction, _ container: Container) {
    switch action {
    case .installDefault: installDefault(container)
    case .readSaved(let ticket): queue.async { [weak self] in self?.readSaved(ticket) }
    case .fetch(let plan, let ticket): fetch(plan, ticket)
    case .cancelWork: cancelWork()
    case .install(let content, let time): install(content, checkedAt: time, container)
    case .save(let fetched): save(fetched)
    case .touchSaved(let time):
      container.touch(checkedAt: time)
      touchSaved(at: time)
    case .applySupplementals(let supplementals): container.apply(supplementals)
    case .pushLoadEvent: container.pushLoadEvent()
    case .begin(let type): tell(.begin(type), container)
    case .success(let type): tell(.success(type), container)
    case .failure(let failure, let type): tell(.failure(failure, type), container)
    case .answerRefreshes(let ids, let outcome): answer(ids, outcome)
    case .endOpening(let id, let end): endOpening(id, end, container)
    case .release:
      prepareAll(container)
      container.dataLayer.perform(.ready(container))
    case .previewRefused(let failure): endRefusedPreview(failure)
    case .wake(let due, let ticket): wake(at: due, ticket)
    }
  }

  private func tell(_ event: LoadEvent, _ container: Container) {
    events.yield(event)
    guard let callback else { return }
    lane.run { [path = environment.callbackPath] in
      path.run {
        switch event {
        case .begin(let type): callback.containerRefreshBegin(container, type: type)
        case .success(let type): callback.containerRefreshSuccess(container, type: type)
        case .failure(let failure, let type):
          callback.containerRefreshFailure(container, failure: failure, type: type)
        }
      }
    }
  }

  private func wake(at due: Int64, _ ticket: LoadingTicket) {
    let clock = environment.ports.clock
    let rest = Duration.milliseconds(max(0, due - Int64(clamping: clock.ageClock / 1_000_000)))
    let alarm = Task { [weak self] in
      // Cancelled: another piece of work has begun, or the container is closed.
      guard (try? await clock.sleep(for: rest)) != nil else { return }
      self?.send(.due(ticket))
    }
    replaceAlarm(with: alarm)
  }

  private func replaceAlarm(with alarm: Task<Void, Never>?) {
    let old = state.withLock { state in
      defer { state.alarm = alarm }
      return state.alarm
    }
    old?.cancel()
  }

  private func cancelWork() {
    state.withLock { state in
      defer { state.work = nil }
      return state.work
    }?.cancel()
    replaceAlarm(with: nil)
  }
}
