import Foundation
import Hits

/// From a call of `track` to an outcome.
extension WebTagManager {
  /// The most events that are read at once.
  private static let page = 100

  /// What publish settings and configuration say of the queue.
  var rules: EventQueue.Rules {
    EventQueue.Rules(
      batchSize: settings.batchSize, limit: settings.queueLimit, expirationDays: settings.expirationDays,
      flushRate: configuration.flushRate)
  }

  /// Whether events may be kept beyond the process.
  private var isDurable: Bool { settings.queueLimit != 0 && settings.expirationDays != 0 }

  /// Takes tracked events in: gates, delegate, store, queue.
  func accept(_ tracked: [(EventSnapshot, EventFate)]) async {
    guard !tracked.isEmpty else { return }
    consent.expire()
    var accepted: [QueuedEvent] = []
    for (snapshot, fate) in tracked {
      if let outcome = refusal(snapshot.event) {
        end(snapshot.id, fate, outcome, snapshot.refused)
        continue
      }
      var warnings: [String] = []
      guard var event = collector.event(snapshot, &warnings) else {
        end(snapshot.id, fate, .dropped(.tooLarge), snapshot.refused)
        continue
      }
      for warning in warnings { warn(warning) }
      if let delegate {
        let isDropped = await AppCall.make(by: shared, holdsLoop: true) {
          await delegate.webTags(self, shouldDrop: &event)
        }
        if let outcome = isDropped ? .dropped(.delegate) : refusal(ofChanged: &event) {
          end(snapshot.id, fate, outcome, snapshot.refused)
          continue
        }
      }
      accepted.append(event)
      fates[snapshot.id] = fate
    }
    await enqueue(accepted)
    await keepSessionNowAndThen()
    await askForSettings(isForced: false)
  }

  /// Why an event is not taken in; nil when it is.
  private func refusal(_ event: TagEvent) -> EventOutcome? {
    if let outcome = Self.refusal(ofType: event.type) { return outcome }
    if !settings.isEnabled { return .dropped(.libraryDisabled) }
    if !settings.isTagManagementEnabled { return .dropped(.tagManagementOff) }
    if consent.current.passes == .none, !SpecialEvent.passesConsent(type: event.type, title: event.title) {
      return .dropped(.consentDeclined)
    }
    return nil
  }

  private static func refusal(ofType type: String) -> EventOutcome? {
    TagEvent.isType(type)
      ? nil : .failed(FailureReason(.invalidType, "a type is 1 to 64 letters, digits and underscores"))
  }

  /// Checks an event as the delegate left it; why it is not taken in, nil when it is.
  private func refusal(ofChanged event: inout QueuedEvent) -> EventOutcome? {
    if let outcome = Self.refusal(ofType: event.type) { return outcome }
    var warnings: [String] = []
    guard let data = EventData.clean(event.data, &warnings) else { return .dropped(.tooLarge) }
    for warning in warnings { warn(warning) }
    event.data = data
    event.bytes = Value.map(data).jsonBytes.count
    return event.bytes <= EventData.longest ? nil : .dropped(.tooLarge)
  }

  private func enqueue(_ events: [QueuedEvent]) async {
    guard !events.isEmpty else { return }
    var isStored = false
    if isDurable {
      do {
        try await eventStore.append(events)
        isStored = true
      } catch {
        storeFailed(error)
      }
    }
    var taken: [EventSummary] = []
    for event in events {
      if isDurable, !isStored, payloads.unstored.count >= PayloadCache.mostUnstored {
        warnOfFullQueue()
        end(event.id, fates.removeValue(forKey: event.id), .dropped(.queueFull), event)
        continue
      }
      taken.append(event.summary)
      payloads.add(event, isStored: isStored)
      fates[event.id]?.stored.fulfil(isStored)
      log.write(.qa, "tracked " + log.describe(event))
      runMapped(event)
      if settings.isCollectEnabled, let sink = environment.collectSink {
        let name = event.data["tealium_event"]?.string ?? event.title
        sink.send(HitBuilder(kind: .custom(name), parameters: event.data), tracker: nil)
      }
    }
    guard !taken.isEmpty else { return }
    if configuration.pageStart == .onFirstEvent { await handle(.start) }
    await handle(.queued(taken))
  }

  /// Hands a call's events to the page.
  func call(_ id: PageMachine.CallID, _ deliveries: [PageMachine.Delivery]) async {
    var events: [(event: QueuedEvent, reason: QueueReason?)] = []
    do {
      let missing = deliveries.map(\.id).filter { payloads[$0] == nil }
      let read = missing.isEmpty ? [] : try await eventStore.events(missing)
      let byID = Dictionary(read.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      for delivery in deliveries {
        if let event = payloads[delivery.id] ?? byID[delivery.id] { events.append((event, delivery.reason)) }
      }
    } catch {
      storeFailed(error)
    }
    if let delegate {
      var held: [UUID] = []
      for (event, _) in events {
        let isHeld = await AppCall.make(by: shared, holdsLoop: true) {
          await delegate.webTags(self, shouldQueue: event)
        }
        if isHeld { held.append(event.id) }
      }
      events.removeAll { held.contains($0.event.id) }
      if !held.isEmpty { await handle(.held(id, held)) }
      if events.isEmpty, !held.isEmpty { return }
    }
    guard !events.isEmpty, let host else {
      return await handle(.callEnded(id, .encoding("the event could not be read")))
    }
    let argument = DeliveryCall.argument(events, remoteAPI: configuration.remoteAPI)
    let shared = shared
    Task {
      let end: PageMachine.CallEnd
      do throws(PageHostError) {
        let results = try await host.host.call("__tagworks.deliver", argument)
        end = .results(DeliveryCall.results(results) ?? [])
      } catch {
        end = .failed(error)
      }
      shared.run { manager in await manager.handle(.callEnded(id, end)) }
    }
  }

  /// Ends events.
  func settle(_ settlements: [PageMachine.Settlement]) async {
    let settlements = settlements.map { settlement -> PageMachine.Settlement in
      // What is in memory alone ends with the instance.
      let isLost = settlement.outcome == .carriedOver && payloads.unstored[settlement.id] != nil
      return isLost ? .init(id: settlement.id, outcome: .dropped(.instanceClosed)) : settlement
    }
    for page in pages(of: settlements) { await settle(page: page) }
  }

  /// A list in parts whose events may be in memory together; without a delegate none of them are read (WT-1003).
  private func pages<Item>(of items: [Item]) -> [ArraySlice<Item>] {
    let size = delegate == nil ? max(1, items.count) : Self.page
    return stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
  }

  private func settle(page settlements: ArraySlice<PageMachine.Settlement>) async {
    let final = settlements.filter { $0.outcome != .carriedOver }.map(\.id)
    var events: [UUID: QueuedEvent] = [:]
    if delegate != nil { events = await self.events(settlements.map(\.id)) }
    let stored = final.filter { payloads.unstored[$0] == nil }
    if !stored.isEmpty {
      do { try await eventStore.settle(stored) } catch { storeFailed(error) }
    }
    for settlement in settlements {
      payloads.remove(settlement.id)
      if settlement.outcome == .dropped(.queueFull) { warnOfFullQueue() }
      end(settlement.id, fates.removeValue(forKey: settlement.id), settlement.outcome, events[settlement.id])
    }
  }

  private func events(_ ids: [UUID]) async -> [UUID: QueuedEvent] {
    let missing = ids.filter { payloads[$0] == nil }
    // The app is only told: an event that cannot be read ends without it.
    let read = missing.isEmpty ? [] : (try? await eventStore.events(missing)) ?? []
    let known = ids.compactMap { payloads[$0] }
    return Dictionary((known + read).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func end(_ id: UUID, _ fate: EventFate?, _ outcome: EventOutcome, _ event: QueuedEvent?) {
    notices.yield(.finished(id, outcome))
    log.write(.qa, "event \(id): \(outcome.code)")
    let delegate = delegate
    callbacks.add { [self] in
      fate?.end(outcome)
      if let delegate, let event { await delegate.webTags(self, didFinish: event, outcome: outcome) }
    }
  }

  /// Tells what events wait for.
  func tell(_ waits: [PageMachine.Wait]) async {
    for page in pages(of: waits) { await tell(page: page) }
  }

  private func tell(page waits: ArraySlice<PageMachine.Wait>) async {
    var events: [UUID: QueuedEvent] = [:]
    if delegate != nil { events = await self.events(waits.map(\.id)) }
    for wait in waits {
      notices.yield(.queued(wait.id, wait.reason))
      if wait.reason == .consentUnknown {
        heldConsentEvents += 1
        if heldConsentEvents == 3 { warn("consent was never set: events wait for ConsentManager.set(status:)") }
      }
      if let delegate, let event = events[wait.id] {
        callbacks.add { [self] in await delegate.webTags(self, didQueue: event, reason: wait.reason) }
      }
    }
  }

  /// One line a minute (WT-432).
  private func warnOfFullQueue() {
    dropsSinceWarning += 1
    let now = now.age
    guard now - lastQueueWarning >= 60_000 else { return }
    warn("the queue is full: \(dropsSinceWarning) events dropped")
    (lastQueueWarning, dropsSinceWarning) = (now, 0)
  }

  /// A session began, or is to be counted (WT-260).
  func sessionStepped(_ step: Session.Step, _ session: Session) async {
    if step.isNew {
      await keep([StoredValues.session: StoredValues.bytes(session)])
      if step.isNewWithinLaunch { await handle(.sessionChanged) }
    }
    guard step.counts else { return }
    guard configuration.sessionCounting, settings.isEnabled, environment.connectivity.isOnline else {
      return shared.data.withLock { $0.session.counted(session.id, isGood: false) }
    }
    let base = configuration.deliveryBase.absoluteString
    let place = "\(configuration.account)/\(configuration.profile)/\(session.id)"
    let url = "\(base)/tiqapp/utag.v.js?a=\(place)&cb=\(environment.clock.wallMilliseconds)"
    let (shared, transport) = (shared, environment.transport)
    spawn {
      let status = try? await transport.send(HTTPRequest(url: url)).status
      let isGood = status.map { (200...299).contains($0) } ?? false
      shared.data.withLock { $0.session.counted(session.id, isGood: isGood) }
      shared.run { manager in
        let session = manager.shared.data.withLock { $0.session }
        await manager.keep([StoredValues.session: StoredValues.bytes(session)])
      }
    }
  }
}
