import Foundation
import Hits

/// The loop: work in, actions out.
extension WebTagManager {
  /// Begins the loop and what it listens to.
  nonisolated func begin() {
    Task { await run() }
  }

  private func run() async {
    await launch()
    environment.didWork()
    while let work = await shared.mailbox.next() {
      var tracked: [(EventSnapshot, EventFate)] = []
      for item in work {
        switch item {
        case .track(let snapshot, let fate): tracked.append((snapshot, fate))
        case .run(let body):
          await accept(tracked)
          tracked = []
          await body(self)
        }
      }
      await accept(tracked)
      environment.didWork()
    }
    // Also those that came while the instance ended.
    endRefresh(.closed)
  }

  private func launch() async {
    await keep([StoredValues.visitor: Array(visitorID.utf8)])
    listen()
    await handle(.rules(rules))
    do {
      await handle(.queued(try await eventStore.waiting()))
    } catch {
      storeFailed(error)
    }
    consent.expire()
    if environment.host == nil { await handle(.noEngine) }
    await openGates()
    if configuration.lifecycleAutomatic { lifecycle.launch() }
    switch configuration.pageStart {
    case .immediate: await handle(.start)
    case .delayed(let duration):
      later(.milliseconds(duration.timerMilliseconds)) { manager in await manager.handle(.start) }
    case .onFirstEvent: if !machine.queue.isEmpty { await handle(.start) }
    case .manual: break
    }
    later(.seconds(3)) { manager in await manager.handle(.flush) }
    await askForSettings(isForced: true)
  }

  private func listen() {
    let shared = shared
    let (connectivity, power) = (environment.connectivity, environment.power)
    let (networkChanges, powerChanges) = (connectivity.changes, power.changes)
    spawn {
      for await _ in networkChanges { shared.run { manager in await manager.connectivityChanged() } }
    }
    spawn {
      for await _ in powerChanges {
        shared.run { manager in
          await manager.openGates()
          await manager.handle(.flush)
        }
      }
    }
  }

  private func connectivityChanged() async {
    await openGates()
    guard environment.connectivity.isOnline else { return }
    await handle(.retry(.connectivity))
    await handle(.flush)
  }

  /// Has the loop do something after a time.
  func later(_ duration: Duration, _ body: @escaping @Sendable (isolated WebTagManager) async -> Void) {
    let (clock, shared) = (environment.clock, shared)
    spawn {
      do { try await clock.sleep(for: duration) } catch { return }
      shared.run(body)
    }
  }

  /// Does something beside the loop, until the instance ends.
  func spawn(_ body: @escaping @Sendable () async -> Void) {
    lastTask += 1
    let (number, shared) = (lastTask, shared)
    tasks[number] = Task {
      await body()
      shared.run { manager in manager.tasks[number] = nil }
    }
  }

  var now: Moment {
    let time = environment.clock.now()
    return Moment(age: Int64(time.ageClock / 1_000_000), wall: time.wallMilliseconds)
  }

  /// Hands an input to the machine and carries its actions out, at once or after those of the inputs before it.
  func handle(_ input: PageMachine.Input) async {
    inputs.append(input)
    guard !isPerforming else { return }
    isPerforming = true
    while !inputs.isEmpty {
      for action in machine.handle(inputs.removeFirst(), now: now) { await perform(action) }
    }
    isPerforming = false
  }

  private func perform(_ action: PageMachine.Action) async {
    switch action {
    case .openHost(let id): openHost(id)
    case .discardHost(let id): leaveHost(id, drains: false)
    case .closeHost(let id): leaveHost(id, drains: true)
    case .load(let id, let drains): load(id, drains: drains)
    case .stopLoad(let id): await stopLoad(id)
    case .probe(let id): probe(id)
    case .call(let id, let deliveries): await call(id, deliveries)
    case .ping(let id): ping(id)
    case .terminate: if let host { Task { await host.host.terminate() } }
    case .startTimer(let timer, let milliseconds, let serial): start(timer, milliseconds, serial)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .settle(let settlements): await settle(settlements)
    case .waiting(let waits): await tell(waits)
    case .recordDeaths(let deaths):
      do { try await eventStore.setDeaths(deaths) } catch { storeFailed(error) }
    case .stateChanged(let from, let to, let cause): changed(from, to, cause)
    case .commit: await keepSession()
    case .loadEnded(let waiters): for waiter in waiters { reloads.removeValue(forKey: waiter)?.resume() }
    }
  }

  private func start(_ timer: PageMachine.Timer, _ milliseconds: Int64, _ serial: Int) {
    timers.removeValue(forKey: timer)?.cancel()
    let (clock, shared) = (environment.clock, shared)
    let due = clock.ageClock + UInt64(max(0, milliseconds)) * 1_000_000
    timers[timer] = Task {
      // The time is a moment, not a pause: it may be there before the task is.
      while clock.ageClock < due {
        do { try await clock.sleep(for: .nanoseconds(Int64(due - clock.ageClock))) } catch { return }
      }
      shared.run { manager in await manager.handle(.timer(timer, serial: serial)) }
    }
  }

  private func changed(_ from: PageState, _ to: PageState, _ cause: String) {
    diagnosis.transitions.append(
      .init(time: environment.clock.wallMilliseconds, from: from, to: to, cause: cause))
    if diagnosis.transitions.count > 50 { diagnosis.transitions.removeFirst() }
    switch to {
    case .failed(let failure, _):
      diagnosis.lastFailure = failure
      if failure.code == .crashLoop { diagnosis.crashes += 1 }
      log.write(.prod, "the page failed: \(failure.code.rawValue), \(failure.message)")
    case .crashed: diagnosis.crashes += 1
    case .unresponsive: log.write(.prod, "the page gives no sign of life")
    case .ready:
      if let delegate {
        callbacks.add { [self] in await delegate.webTagsPageIsReady(self) }
      }
    default: break
    }
    log.write(.dev, "page: \(from.name) to \(to.name), \(cause)")
    states.yield(to)
    notices.yield(.stateChanged(from: from, to: to, cause: cause))
  }

  func storeFailed(_ error: any Error) {
    log.write(.prod, "the store failed: \(error)")
    notices.yield(.storeFailed(String(describing: error)))
  }

  func warn(_ text: String) {
    log.write(.prod, text)
    notices.yield(.warning(text))
  }

  /// Keeps values; a failure is told, for the next change tries again.
  func keep(_ changes: [String: [UInt8]?]) async {
    do { try await values.set(changes) } catch { storeFailed(error) }
  }

  /// Keeps the time of the last event, for the next launch to know whether the session goes on.
  func keepSessionNowAndThen() async {
    guard now.age - lastSessionKept >= 30_000 else { return }
    await keepSession()
  }

  private func keepSession() async {
    lastSessionKept = now.age
    let session = shared.data.withLock { $0.session }
    await keep([StoredValues.session: StoredValues.bytes(session)])
  }

  /// Ends the instance.
  func close(erase: Bool) async { await close(after: askToEnd(erase: erase)) }

  /// Takes no more events in, and has the loop end with what it was given before; the promise is kept then.
  nonisolated func askToEnd(erase: Bool) -> Promise<Bool> {
    shared.data.withLock { $0.isClosed = true }
    let end = Promise<Bool>()
    let isTaken = shared.mailbox.put(
      .run { manager in
        await manager.end(erase: erase)
        end.fulfil(true)
      })
    if !isTaken { end.fulfil(true) }
    return end
  }

  /// Ends what is beside the loop.
  func close(after end: Promise<Bool>) async {
    _ = await end.value
    for calls in mappedCalls.values { await calls.finish() }
    await callbacks.finish()
    await answers.finish()
    states.finish()
    notices.finish()
  }

  private func eraseData() async {
    do { try await host?.host.eraseData() } catch { warn("the web data could not be erased: \(error.message)") }
  }

  private func end(erase: Bool) async {
    if erase { await eraseData() }
    await keepSession()
    await handle(.close(erases: erase))
    loadTask?.cancel()
    for task in timers.values { task.cancel() }
    for task in tasks.values { task.cancel() }
    for limit in commandLimits.values { limit.cancel() }
    for task in closingHosts { await task.value }
    for fate in fates.values { fate.end(.dropped(.instanceClosed)) }
    fates = [:]
    shared.mailbox.finish()
    await environment.storage.close(folder)
    guard erase else { return }
    do { try await environment.storage.erase(folder) } catch { storeFailed(error) }
  }

  func erase() async {
    await handle(.drop(.erased, keepingConsentEvents: false))
    do { try await eventStore.eraseAll() } catch { storeFailed(error) }
    await eraseData()
    let id = InstanceState.hex(environment.random)
    shared.data.withLock { state in
      state.visitorID = id
      state.isVisitorNew = false
      (state.persistent, state.volatile, state.session) = ([:], [:], Session())
      (state.trace, state.traceSession) = (nil, nil)
    }
    lifecycleState = LifecycleState()
    await keep([
      StoredValues.visitor: Array(id.utf8), StoredValues.persistent: nil, StoredValues.session: nil,
      StoredValues.page: nil, StoredValues.lifecycle: nil,
    ])
    await handle(.reload(waiter: nil))
  }
}
