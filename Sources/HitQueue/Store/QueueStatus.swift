/// What a queue cannot do at the moment; empty when all is well (HQ-902).
public struct QueueStatus: OptionSet, Sendable, Hashable {
  /// One bit a condition.
  public let rawValue: Int

  /// Makes a status of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The file system has no write-ahead log: commits are slower.
  public static let walUnavailable = QueueStatus(rawValue: 1)
  /// No room: hits are kept in memory.
  public static let diskFull = QueueStatus(rawValue: 2)
  /// The disk fails: hits are kept in memory.
  public static let ioError = QueueStatus(rawValue: 4)
  /// The store may not be opened at the moment: hits are kept in memory.
  public static let locked = QueueStatus(rawValue: 8)
  /// There is no network.
  public static let offline = QueueStatus(rawValue: 16)
  /// The store was damaged and made anew with what could be read; the counters tell how much.
  public static let damaged = QueueStatus(rawValue: 64)
  /// A newer version of the library has changed the store: hits are kept beside it.
  public static let storeNewer = QueueStatus(rawValue: 128)
  /// The person opted out.
  public static let optedOut = QueueStatus(rawValue: 32)
}
