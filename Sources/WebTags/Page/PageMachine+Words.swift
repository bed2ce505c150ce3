import Foundation

/// A moment by the clock that runs on and by the wall, in milliseconds.
struct Moment: Sendable, Equatable {
  var age: Int64
  var wall: Int64
}

extension PageMachine {
  /// One host; a new one gets a new number.
  typealias HostID = Int
  /// One call with events.
  typealias CallID = Int

  /// What keeps a page from loading and events from leaving.
  struct Gates: Sendable, Equatable {
    /// `offline`, `wifiOnly` or `battery`.
    var network: IdleReason?
    /// The library or tag management is off.
    var isDisabled = false
    /// Which events pass.
    var consent = ConsentChoice.Passage.all
    /// Whether the page loads while the person has not chosen.
    var pageBeforeConsent = false
  }

  /// What wakes the machine up later; one of each kind runs.
  enum Timer: Sendable, Hashable, CaseIterable {
    case open, load, probe, probeLimit, call, heartbeat, ping, termination, backOff, batch, pace
  }

  /// One event's result, as the page said it.
  struct EventResult: Sendable, Equatable {
    var id: UUID
    var outcome: EventOutcome
    /// Whether the page waits for nothing more.
    var isFinal = true
  }

  enum CallEnd: Sendable, Equatable {
    case results([EventResult])
    case failed(PageHostError)
    /// The data could not be read or written.
    case encoding(String)
  }

  enum ProbeAnswer: Sendable, Equatable {
    case ready
    case notYet
    case failed(PageHostError)
  }

  enum RetryCause: String, Sendable {
    case connectivity, wake, settings
  }

  enum Input: Sendable {
    case start
    case noEngine
    case gates(Gates)
    case rules(EventQueue.Rules)
    case queued([EventSummary])
    case hostOpened(HostID)
    case hostUnavailable(HostID, String)
    /// The load's document is known and handed to the host.
    case navigating(LoadID, url: String, isText: Bool)
    case loadFailed(LoadID, PageFailure)
    case page(HostID, PageEvent)
    case probed(LoadID, ProbeAnswer)
    case callEnded(CallID, CallEnd)
    case result(EventResult)
    /// The app wants events of a call to wait until the next flush.
    case held(CallID, [UUID])
    case pong(Int)
    case timer(Timer, serial: Int)
    case sessionChanged
    case pageChanged
    case reload(waiter: Int?)
    case retry(RetryCause)
    case flush
    case drop(DropReason, keepingConsentEvents: Bool)
    case suspend
    case resume
    case close(erases: Bool)
  }

  enum Action: Sendable, Equatable {
    case openHost(HostID)
    /// Ends a host that is no longer of use, without waiting for it.
    case discardHost(HostID)
    case closeHost(HostID)
    /// Begins a load; `drains` lets the page's requests end before.
    case load(LoadID, drains: Bool)
    case stopLoad(LoadID)
    case probe(LoadID)
    case call(CallID, [Delivery])
    case ping(Int)
    case terminate
    case startTimer(Timer, milliseconds: Int64, serial: Int)
    case cancelTimer(Timer)
    case settle([Settlement])
    case waiting([Wait])
    case recordDeaths([UUID: Int])
    case stateChanged(from: PageState, to: PageState, cause: String)
    case commit
    case loadEnded(waiters: [Int])
  }

  /// An event on its way into a call.
  struct Delivery: Sendable, Equatable {
    var id: UUID
    /// What it waited for last; nil when it did not wait.
    var reason: QueueReason?
  }

  struct Settlement: Sendable, Equatable {
    var id: UUID
    var outcome: EventOutcome
  }

  struct Wait: Sendable, Equatable {
    var id: UUID
    var reason: QueueReason
  }
}
