public import Foundation
public import Hits

/// The ports of an instance (WT-117): what the system around it can do.
public struct WebTagsEnvironment: Sendable {
  /// Makes the page's host; nil where there is no engine (WT-312).
  public var host: (any PageHostFactory)?
  /// Fetches pages, settings and command files; keeps no cookies.
  public var transport: any HTTPTransport
  /// Keeps events and values.
  public var storage: any WebTagsStorage
  /// Tells whether there is a network.
  public var connectivity: any Connectivity
  /// Tells about the battery.
  public var power: any Power
  /// Tells the time.
  public var clock: any HitClock
  /// Draws random numbers.
  public var random: any RandomSource
  /// Tells what runs the app.
  public var device: any Device
  /// Computes a hash; nil where pins of pages cannot be checked.
  public var hash: (@Sendable (IntegrityHash.Algorithm, [UInt8]) -> [UInt8])?
  /// Takes accepted events too, where the publish settings say so.
  public var collectSink: (any HitSink)?
  /// Takes the log's lines; nil for none.
  public var log: (@Sendable (LogLevel, String) -> Void)?
  /// Called when the instance has done a piece of work, and when it has called the app: what tests wait on.
  var didWork: @Sendable () -> Void = {}

  /// Puts the ports together.
  public init(
    host: (any PageHostFactory)?, transport: any HTTPTransport, storage: any WebTagsStorage,
    connectivity: any Connectivity, power: any Power = MainsPower(), clock: any HitClock = SystemHitClock(),
    random: any RandomSource = SystemRandomSource(), device: any Device,
    hash: (@Sendable (IntegrityHash.Algorithm, [UInt8]) -> [UInt8])? = nil, collectSink: (any HitSink)? = nil,
    log: (@Sendable (LogLevel, String) -> Void)? = nil
  ) {
    self.host = host
    self.transport = transport
    self.storage = storage
    self.connectivity = connectivity
    self.power = power
    self.clock = clock
    self.random = random
    self.device = device
    self.hash = hash
    self.collectSink = collectSink
    self.log = log
  }
}

/// What the battery has.
public struct PowerState: Sendable, Hashable {
  /// From 0 to 1; nil without a battery.
  public var level: Double?
  /// Whether it is being charged.
  public var isCharging: Bool
  /// Whether the person asked to save power.
  public var isLowPowerMode: Bool

  /// Makes a state.
  public init(level: Double? = nil, isCharging: Bool = false, isLowPowerMode: Bool = false) {
    self.level = level
    self.isCharging = isCharging
    self.isLowPowerMode = isLowPowerMode
  }

  /// Whether power is to be saved (WT-241).
  public var isLow: Bool { isLowPowerMode || level.map { $0 < 0.2 && !isCharging } ?? false }
}

/// The port that tells about the battery.
public protocol Power: Sendable {
  /// The state now.
  var state: PowerState { get }
  /// The states as they change, from now on.
  var changes: AsyncStream<PowerState> { get }
}

/// A device without a battery.
public struct MainsPower: Power {
  /// Makes the port; it has no state of its own.
  public init() {}
  /// No battery.
  public var state: PowerState { PowerState() }
  /// Never anything.
  public var changes: AsyncStream<PowerState> { AsyncStream { $0.finish() } }
}

/// The port that keeps one folder an instance, each for one holder at a time (WT-115).
public protocol WebTagsStorage: Sendable {
  /// Opens the folder, makes it where it is missing, and holds its lock until `close`; a dead process's lock is taken over.
  ///
  /// - Throws: `storageInUse`, `storageFailed`.
  func open(_ folder: URL) throws(WebTagsError) -> (events: any EventStore, values: any KeyValueStore)
  /// Commits what is under way and lets go of the lock.
  func close(_ folder: URL) async
  /// Removes what a closed folder holds.
  func erase(_ folder: URL) async throws(WebTagsError)
}

/// The port that keeps small values: ids, consent, settings, persistent data.
public protocol KeyValueStore: Sendable {
  /// A value, from memory.
  func value(of key: String) -> [UInt8]?
  /// Sets values, or removes those that are nil, all or none of them; later calls win.
  func set(_ changes: [String: [UInt8]?]) async throws
}
