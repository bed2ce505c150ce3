/// How an event ended, or ends for this process (WT-440).
public enum EventOutcome: Sendable, Hashable {
  /// The page took it; confirmed when the universal tag said that it is done.
  case delivered(confirmed: Bool)
  /// It was not to be delivered.
  case dropped(DropReason)
  /// It could not be delivered.
  case failed(FailureReason)
  /// It stays stored; the next instance of the key finishes it.
  case carriedOver

  /// The code of WT-440.
  public var code: String {
    switch self {
    case .delivered: "delivered"
    case .dropped(let reason): reason.rawValue
    case .failed(let reason): reason.code.rawValue
    case .carriedOver: "carried_over"
    }
  }
}

/// Why an event was not to be delivered.
public enum DropReason: String, Sendable, Hashable {
  case queueFull = "queue_full"
  case expired
  case noQueue = "no_queue"
  case consentDeclined = "consent_declined"
  case delegate
  case libraryDisabled = "library_disabled"
  case tagManagementOff = "tag_management_off"
  case tooLarge = "too_large"
  case instanceClosed = "instance_closed"
  case erased
}

/// Why an event could not be delivered.
public struct FailureReason: Sendable, Hashable {
  /// The kind of failure.
  public enum Code: String, Sendable, Hashable {
    case invalidType = "invalid_type"
    case script
    case pageCrashed = "page_crashed"
    case noResult = "no_result"
    case encoding
  }

  /// The kind of failure.
  public var code: Code
  /// The page's words, or a sentence.
  public var message: String

  /// Makes a reason.
  public init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }
}

/// Why an event waits.
public enum QueueReason: String, Sendable, Hashable {
  case pageNotReady = "page_not_ready"
  case pageFailed = "page_failed"
  case offline
  case wifiOnly = "wifi_only"
  case batterySaver = "battery_saver"
  case batching
  case consentUnknown = "consent_unknown"
  case delegate
  case suspended
  case noEngine = "no_engine"
}
