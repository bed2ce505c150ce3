public import Foundation

/// Something that an app may want to know of an instance.
public enum WebTagsNotice: Sendable {
  /// The page's state changed.
  case stateChanged(from: PageState, to: PageState, cause: String)
  /// Other publish settings are in force.
  case settingsChanged(from: PublishSettings, to: PublishSettings)
  /// A text gave no publish settings; the old ones stay.
  case settingsRejected(SettingsRejection)
  /// The page's text came from the network, or from what was kept of an earlier one.
  case pageSource(PageOrigin)
  /// A navigation was stopped.
  case navigationBlocked(PageNavigation)
  /// The network policy stopped a request.
  case requestBlocked(host: String)
  /// A line of the page's console.
  case console(level: ConsoleLevel, text: String)
  /// A command was refused, and why.
  case commandRefused(String)
  /// A file of a mapped command was refused; the old one stays.
  case remoteCommandFileRejected(id: String, reason: String)
  /// An event waits.
  case queued(UUID, QueueReason)
  /// An event ended.
  case finished(UUID, EventOutcome)
  /// The store failed; events are kept in memory.
  case storeFailed(String)
  /// Something an app should look at.
  case warning(String)
}

/// Where a page's text came from.
public enum PageOrigin: String, Sendable, Hashable {
  case network
  case cache
}

/// What an instance is doing (WT-316).
public struct WebTagsDiagnostics: Sendable {
  /// A change of the page's state.
  public struct Transition: Sendable, Hashable {
    /// Milliseconds since 1970.
    public var time: Int64
    /// The state before.
    public var from: PageState
    /// The state after.
    public var to: PageState
    /// What caused it.
    public var cause: String
  }

  /// The page's state.
  public var state: PageState
  /// The last 50 changes of it, oldest first.
  public var transitions: [Transition] = []
  /// The last failure of the page.
  public var lastFailure: PageFailure?
  /// Loads begun.
  public var loads = 0
  /// Ends of the page's process.
  public var crashes = 0
  /// Events that wait, by what they were last said to wait for.
  public var waiting: [QueueReason: Int] = [:]
  /// Events that wait.
  public var queueLength = 0
  /// Whether published settings are in force.
  public var hasPublishedSettings = false
  /// Seconds since they came.
  public var settingsAge: Double?
  /// The engine's name and version.
  public var engine: String?
  /// Requests that the policy stopped, by host.
  public var blockedRequests: [String: Int] = [:]
  /// Beacons that left in another way (WT-429).
  public var replacedBeacons = 0

  init(state: PageState) { self.state = state }
}

/// Told of what an instance does; every method has a default.
///
/// The calls come one after another, in the order of the events. The first two are waited for before the event goes on:
/// in them, and in tasks that they wait for, no outcome of an event comes, and `reload()` and its like return at once.
public protocol WebTagManagerDelegate: AnyObject, Sendable {
  /// Whether an event is to end here; its data may be changed (WT-403).
  func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool
  /// Whether an event is to wait; asked again at each flush.
  func webTags(_ manager: WebTagManager, shouldQueue event: QueuedEvent) async -> Bool
  /// An event waits.
  func webTags(_ manager: WebTagManager, didQueue event: QueuedEvent, reason: QueueReason) async
  /// An event ended.
  func webTags(_ manager: WebTagManager, didFinish event: QueuedEvent, outcome: EventOutcome) async
  /// Other publish settings are in force.
  func webTags(_ manager: WebTagManager, didUpdate settings: PublishSettings) async
  /// The page takes events.
  func webTagsPageIsReady(_ manager: WebTagManager) async
  /// What becomes of a navigation of the page.
  func webTags(_ manager: WebTagManager, decide navigation: PageNavigation) async -> NavigationDecision
}

extension WebTagManagerDelegate {
  /// Lets every event go on.
  public func webTags(_ manager: WebTagManager, shouldDrop event: inout QueuedEvent) async -> Bool { false }
  /// Lets every event leave.
  public func webTags(_ manager: WebTagManager, shouldQueue event: QueuedEvent) async -> Bool { false }
  /// Does nothing.
  public func webTags(_ manager: WebTagManager, didQueue event: QueuedEvent, reason: QueueReason) async {}
  /// Does nothing.
  public func webTags(_ manager: WebTagManager, didFinish event: QueuedEvent, outcome: EventOutcome) async {}
  /// Does nothing.
  public func webTags(_ manager: WebTagManager, didUpdate settings: PublishSettings) async {}
  /// Does nothing.
  public func webTagsPageIsReady(_ manager: WebTagManager) async {}
  /// Stops every navigation.
  public func webTags(_ manager: WebTagManager, decide navigation: PageNavigation) async -> NavigationDecision {
    .cancel
  }
}
