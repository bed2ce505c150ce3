import DurableStore
import Foundation

/// Where hits are kept, how safely, and how many.
public struct HitStoreConfiguration: Sendable, Hashable {
  /// What a hit with a durable receipt survives (HQ-310).
  public enum Durability: Sendable, Hashable {
    /// The death of the process at any byte.
    case processDeath
    /// The loss of power too, at the cost of one disk synchronisation a commit.
    case powerLoss

    var connection: Connection.Durability {
      switch self {
      case .processDeath: .processDeath
      case .powerLoss: .powerLoss
      }
    }
  }

  /// What a full store does (HQ-331).
  public enum OverflowPolicy: Sendable, Hashable {
    /// Lets the oldest hits go, those of normal priority first.
    case dropOldest
    /// Refuses new hits with `storeFull`.
    case refuseNew
  }

  /// Where hits wait whose consent is pending (HQ-222).
  public enum PendingStorage: Sendable, Hashable {
    /// In memory only, at most 200; no client id is made for them.
    case memory
    /// In the store.
    case disk
  }

  /// The store's directory; nil for the platform's own place (HQ-300).
  public var directory: String?
  /// The store's name, the last part of its own place.
  public var name: String
  /// What a durable hit survives.
  public var durability: Durability
  /// The longest that a synchronous `send` waits for the disk (HQ-311).
  public var sendBudget: Duration
  /// Hits that are kept; 0 for no bound (HQ-330).
  public var maxHits: Int
  /// Bytes that are kept; 0 for no bound.
  public var maxBytes: Int
  /// How old a hit may get, at most 365 days.
  public var maxAge: Duration
  /// What happens at a bound.
  public var overflow: OverflowPolicy
  /// Where hits wait whose consent is pending.
  public var pendingStorage: PendingStorage
  /// The pause after which a hit begins a new session; 1 minute to 4 hours (HQ-213).
  public var sessionTimeout: Duration
  /// Whether a store whose identity file cannot be read counts as opted out until the app says otherwise (HQ-211).
  public var optOutOnDamage: Bool

  /// Makes a configuration with the defaults of HQ-330: 100,000 hits, 64 MiB, 30 days.
  public init(
    directory: String? = nil, name: String = "default", durability: Durability = .processDeath,
    sendBudget: Duration = .milliseconds(20), maxHits: Int = 100_000, maxBytes: Int = 64 << 20,
    maxAge: Duration = .seconds(30 * 86_400), overflow: OverflowPolicy = .dropOldest,
    pendingStorage: PendingStorage = .memory, sessionTimeout: Duration = .seconds(30 * 60), optOutOnDamage: Bool = true
  ) {
    self.directory = directory
    self.name = name
    self.durability = durability
    self.sendBudget = sendBudget
    self.maxHits = maxHits
    self.maxBytes = maxBytes
    self.maxAge = maxAge
    self.overflow = overflow
    self.pendingStorage = pendingStorage
    self.sessionTimeout = sessionTimeout
    self.optOutOnDamage = optOutOnDamage
  }

  /// The directory in which the store is opened.
  public var resolvedDirectory: String {
    if let directory { return directory }
    #if canImport(Darwin)
      let base = NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).first
      return (base ?? NSHomeDirectory() + "/Library/Application Support") + "/Tagworks/" + name
    #else
      let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? ""
      // The base directory specification: a path that is not absolute counts as not set.
      return (state.hasPrefix("/") ? state : NSHomeDirectory() + "/.local/state") + "/tagworks/" + name
    #endif
  }

  var bounds: StoreBounds { StoreBounds(hits: maxHits, bytes: maxBytes, overflow: overflow) }

  /// The oldest that any hit may get.
  static let longestAge: Duration = .seconds(365 * 86_400)

  /// Throws unless every value has a meaning.
  func check() throws(HitQueueError) {
    let isNamed = !name.isEmpty && !name.contains("/") && name != "." && name != ".." && !name.contains("\0")
    guard isNamed, maxHits >= 0, maxBytes >= 0, maxAge > .zero, maxAge <= Self.longestAge, sendBudget >= .zero
    else {
      throw HitQueueError(.invalidConfiguration, "the store's name, bounds or budget cannot be")
    }
  }
}
