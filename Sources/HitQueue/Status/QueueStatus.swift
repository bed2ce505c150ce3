/// How a queue is doing: what it cannot do at the moment, and how much waits (HQ-902).
public struct QueueStatus: Sendable, Hashable {
  /// One thing that is not as it should be.
  public enum Condition: Sendable, Hashable {
    /// The file system has no write-ahead log: commits are slower.
    case walUnavailable
    /// No room: hits are kept in memory.
    case diskFull
    /// The disk fails: hits are kept in memory.
    case ioError
    /// The store may not be opened at the moment: hits are kept in memory.
    case locked
    /// A newer version of the library has changed the store: hits are kept beside it.
    case storeNewer
    /// The store was damaged, so many times since the process began, and made anew with what could be read.
    case damaged(Int)
    /// The person opted out.
    case optedOut
    /// There is no network.
    case offline
    /// A lane sends nothing for a while, by its number, why, and the wall time in milliseconds until which.
    case parked(lane: Int64, cause: ParkCause, until: Int64)
    /// A server could not be trusted: its certificate, or the connection to it.
    case tls
  }

  /// What is not as it should be; empty when all is well.
  public var conditions: Set<Condition>
  /// Hits in the store.
  public var hits: Int
  /// What they take of the store's bound.
  public var bytes: Int
  /// How long the oldest of them has waited; nil when there is none, or nobody can know it.
  public var oldestAge: Duration?
  /// How long until the next pass; nil when none is planned.
  public var nextDispatch: Duration?

  /// Makes a status; without arguments, of an empty queue that is well.
  public init(
    conditions: Set<Condition> = [], hits: Int = 0, bytes: Int = 0, oldestAge: Duration? = nil,
    nextDispatch: Duration? = nil
  ) {
    self.conditions = conditions
    self.hits = hits
    self.bytes = bytes
    self.oldestAge = oldestAge
    self.nextDispatch = nextDispatch
  }

  /// Whether nothing is wrong.
  public var isOK: Bool { conditions.isEmpty }

  /// Whether something is so.
  public func contains(_ condition: Condition) -> Bool { conditions.contains(condition) }
}
