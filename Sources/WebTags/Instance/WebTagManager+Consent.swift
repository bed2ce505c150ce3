import Foundation
import Hits

/// Gates, consent and the app's life.
extension WebTagManager {
  /// Works out anew what keeps the page from loading and events from leaving.
  func openGates() async {
    var gates = PageMachine.Gates()
    gates.network = closedNetwork
    gates.isDisabled = !settings.isEnabled || !settings.isTagManagementEnabled
    gates.consent = consent.current.passes
    gates.pageBeforeConsent = configuration.consent.pageBeforeConsent
    if gates != machine.gates { await handle(.gates(gates)) }
  }

  private var closedNetwork: IdleReason? {
    let connectivity = environment.connectivity
    let state = connectivity.state
    if state == .offline { return .offline }
    if settings.wifiOnly {
      let isFree = state == .wifi || state == .wired || (state == .unknown && !connectivity.isMetered)
      if !isFree { return .wifiOnly }
    }
    return settings.batterySaver && environment.power.state.isLow ? .battery : nil
  }

  func consentChanged(_ change: ConsentManager.Change) async {
    await keep([StoredValues.consent: change.after.stored])
    if change.after.passes == .none { await handle(.drop(.consentDeclined, keepingConsentEvents: true)) }
    if change.after.passes != .waiting { heldConsentEvents = 0 }
    await openGates()
    for announcement in change.announcements {
      track(TagEvent(kind: announcement.type, title: announcement.title))
    }
    if change.after.passes == .all { fetchMappedFiles() }
    guard let delegate = consent.delegate else { return }
    callbacks.add { [consent] in
      if change.hasExpired { await delegate.consentDidExpire(consent) }
      await delegate.consent(consent, didChange: change.after.publicStatus, categories: change.after.categories)
    }
  }

  /// Takes in a change of the app's life (WT-480).
  func lived(_ event: LifecycleState.Event) async {
    let time = environment.clock.now()
    let day = (time.wallMilliseconds / 1000 + Int64(time.utcOffset)) / 86_400
    let data = lifecycleState.handle(event, time.wallMilliseconds, day: day)
    await keep([StoredValues.lifecycle: StoredValues.bytes(lifecycleState)])
    if event == .wake { await handle(.resume) }
    if let data { trackEvent(title: event.rawValue, data: data) }
    switch event {
    case .launch: break
    case .wake:
      consent.expire()
      await askForSettings(isForced: true)
      await handle(.retry(.wake))
      later(.seconds(3)) { manager in await manager.handle(.flush) }
    case .sleep:
      // What was tracked before, this event too, comes first; then it has 1.5 s to leave (WT-426).
      shared.run { manager in
        await manager.handle(.flush)
        manager.later(.milliseconds(1500)) { manager in
          manager.suspendOnceDrained()
        }
      }
    }
  }

  /// Suspends the page when its requests are done (WT-430).
  private func suspendOnceDrained() {
    let (host, shared) = (host?.host, shared)
    spawn {
      await host?.drain(limit: .seconds(2))
      shared.run { manager in
        if manager.isAsleep { await manager.handle(.suspend) }
      }
    }
  }

  private var isAsleep: Bool { lifecycleState.isAsleep }
}
