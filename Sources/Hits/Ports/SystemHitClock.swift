import Foundation

/// The system's clocks.
///
/// The age clock is `CLOCK_BOOTTIME` on Linux and `CLOCK_MONOTONIC` on Apple's platforms, both of which run on while
/// the device sleeps (HQ-102).
public struct SystemHitClock: HitClock {
  /// Makes the clock; it has no state of its own.
  public init() {}

  /// The time now; the zone's name and offset are looked up at most once a second.
  public func now() -> HitTime {
    let wall = Self.wallMilliseconds()
    let zone = Self.zone.withLock { cached in
      if cached.second != wall / 1000 { cached = Zone(second: wall / 1000) }
      return cached
    }
    return HitTime(
      wallMilliseconds: wall, ageClock: ageClock, boot: Self.boot, zone: zone.name, utcOffset: zone.utcOffset)
  }

  /// Milliseconds since 1970 UTC.
  public var wallMilliseconds: Int64 { Self.wallMilliseconds() }

  /// Nanoseconds since the device started, its sleep included.
  public var ageClock: UInt64 {
    #if canImport(Darwin)
      Self.read(CLOCK_MONOTONIC)
    #else
      Self.read(CLOCK_BOOTTIME)
    #endif
  }

  /// Waits; a device asleep does not wake for it.
  public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  static func wallMilliseconds() -> Int64 { Int64(read(CLOCK_REALTIME) / 1_000_000) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static let boot: BootID = {
    #if canImport(Darwin)
      var size = 37
      var text = [CChar](repeating: 0, count: size)
      sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0)
      return BootID(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased())
    #else
      // A Linux without /proc has one nameless boot: ages then follow the age clock, as in a container's life they must.
      let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
      return BootID(text.trimmingCharacters(in: .whitespacesAndNewlines))
    #endif
  }()

  private struct Zone: Sendable {
    var second: Int64
    var name = TimeZone.current.identifier
    var utcOffset = TimeZone.current.secondsFromGMT()
  }

  private static let zone = Locked(Zone(second: -1))
}
