/// One start of the device; age-clock readings compare only inside one boot.
public struct BootID: Sendable, Hashable, Codable {
  /// 16 bytes, as text of lower-case hex with hyphens.
  public var text: String

  /// Takes the system's text as it is.
  public init(_ text: String) { self.text = text }
}

/// A moment as a hit records it (HQ-102): what the wall clock said, and what cannot be set by hand.
public struct HitTime: Sendable, Hashable, Codable {
  /// Milliseconds since 1970 UTC.
  public var wallMilliseconds: Int64
  /// Nanoseconds of the clock that runs on while the device sleeps.
  public var ageClock: UInt64
  /// The boot within which `ageClock` counts.
  public var boot: BootID
  /// The zone's identifier, such as `Europe/Berlin`.
  public var zone: String
  /// Seconds east of UTC at that moment.
  public var utcOffset: Int

  /// Makes a moment.
  public init(wallMilliseconds: Int64, ageClock: UInt64, boot: BootID, zone: String = "UTC", utcOffset: Int = 0) {
    self.wallMilliseconds = wallMilliseconds
    self.ageClock = ageClock
    self.boot = boot
    self.zone = zone
    self.utcOffset = utcOffset
  }

  /// The age in milliseconds at a later moment (HQ-500): by the age clock inside one boot, by the wall clock across
  /// boots, never negative.
  public func age(at now: HitTime) -> Int64 {
    if boot == now.boot {
      return now.ageClock > ageClock ? Int64((now.ageClock - ageClock) / 1_000_000) : 0
    }
    let (difference, overflow) = now.wallMilliseconds.subtractingReportingOverflow(wallMilliseconds)
    if overflow { return now.wallMilliseconds > wallMilliseconds ? .max : 0 }
    return max(0, difference)
  }

  /// Whether the wall clock said a year that cannot be (HQ-105): before 2024 or after 2100-01-01.
  public var isSuspect: Bool {
    wallMilliseconds < 1_704_067_200_000 || wallMilliseconds > 4_102_444_800_000
  }
}
