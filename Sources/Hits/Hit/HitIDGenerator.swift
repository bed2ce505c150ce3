/// Makes UUIDs of version 7 that increase: 48 bits of milliseconds, a 12-bit counter, 62 random bits.
///
/// The clock part never goes backwards; when the counter overflows, the clock part steps one millisecond ahead
/// (HQ-101, RFC 9562 section 6.2 method 1).
package struct HitIDGenerator: Sendable {
  private var milliseconds: UInt64 = 0
  private var counter: UInt64 = 0

  package init() {}

  /// The one generator of this process: two sinks in one process must not make ids out of order.
  package static let process = Locked(HitIDGenerator())

  package mutating func next(wallMilliseconds: Int64, random: UInt64) -> HitID {
    let wall = UInt64(max(0, wallMilliseconds)) & 0xFFFF_FFFF_FFFF
    if wall > milliseconds {
      milliseconds = wall
      counter = 0
    } else if counter < 0xFFF {
      counter += 1
    } else {
      milliseconds += 1
      counter = 0
    }
    return HitID(high: milliseconds << 16 | 0x7000 | counter, low: 1 << 63 | random >> 2)
  }
}
