/// Where hits go: a durable queue in an app, a recording one in tests.
public protocol HitSink: Sendable {
  /// Takes a hit in for a tracker, by its name; nil is the default tracker, and a beacon needs none (HQ-117).
  ///
  /// The call may wait for a commit to disk, within the sink's own bound; it never waits for a network.
  @discardableResult
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt
}

/// What a sink did with a hit.
public struct SendReceipt: Sendable, Hashable {
  /// The hit's id; nil when none was made.
  public var id: HitID?
  /// What became of it.
  public var state: State

  /// Makes a receipt.
  public init(id: HitID? = nil, state: State) {
    self.id = id
    self.state = state
  }

  /// What became of a hit.
  public enum State: Sendable, Hashable {
    /// On disk: it survives the death of the process.
    case durable
    /// In memory, in order; its commit goes on.
    case pending(PendingCause)
    /// Waits for consent, not sent.
    case held
    /// Checked and logged only.
    case dryRun
    /// Not taken in.
    case refused(Refusal)
  }
}

/// Why a hit is not on disk yet (HQ-801).
public enum PendingCause: String, Sendable, Hashable {
  case slow
  case diskFull
  case ioError
  case locked
  /// The sink keeps such hits in memory only.
  case memory
}

/// Why a hit was not taken in (HQ-801).
public enum Refusal: Sendable, Hashable {
  case optedOut
  case consentDenied
  case sampledOut
  case rateLimited
  case unsupportedKind
  case unknownTracker
  case missingField(String)
  case invalidValue(String)
  case tooLarge(bytes: Int, limit: Int)
  case storeFull
  case closed
}

extension Refusal: CustomStringConvertible {
  /// The name of HQ-801, with its field or figures in brackets.
  public var description: String {
    switch self {
    case .optedOut: "optedOut"
    case .consentDenied: "consentDenied"
    case .sampledOut: "sampledOut"
    case .rateLimited: "rateLimited"
    case .unsupportedKind: "unsupportedKind"
    case .unknownTracker: "unknownTracker"
    case .missingField(let field): "missingField(\(field))"
    case .invalidValue(let field): "invalidValue(\(field))"
    case .tooLarge(let bytes, let limit): "tooLarge(\(bytes), \(limit))"
    case .storeFull: "storeFull"
    case .closed: "closed"
    }
  }
}
