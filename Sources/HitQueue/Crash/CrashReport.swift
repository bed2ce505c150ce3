import CCrashRecord
import Hits

/// What a crashed process wrote down of its crash (HQ-271).
struct CrashReport: Sendable, Hashable {
  /// The signal and, when the processor gave it, the address: `SIGSEGV at 0x10`.
  let description: String
  /// The lane of the tracker that reports it; 0 when there was none.
  let lane: Int64
  /// The moment of the crash.
  let created: HitTime
  /// The id of its hit: the same however often the record is read.
  let id: HitID

  /// Reads a record; nil for bytes that are none, or not all of one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Int(CRASH_RECORD_SIZE) else { return nil }
    var record = bytes.withUnsafeBytes { $0.loadUnaligned(as: crash_record.self) }
    guard crash_record_is_valid(&record) != 0, let name = crash_record_signal_name(record.signal) else { return nil }
    // A positive code is the kernel's: a fault, and no signal that somebody sent.
    let address = record.code > 0 ? " at 0x" + String(record.address, radix: 16) : ""
    description = String(cString: name) + address
    lane = record.tracker
    created = HitTime(
      wallMilliseconds: record.wall, ageClock: record.age_clock, boot: BootID(Self.text(&record.boot)),
      zone: Self.text(&record.zone), utcOffset: Int(record.utc_offset))
    let time = UInt64(max(0, record.wall)) & 0xFFFF_FFFF_FFFF
    let check = UInt64(record.crc)
    id = HitID(
      high: time << 16 | 0x7000 | check & 0xFFF,
      low: 1 << 63 | (record.age_clock &* 0x9E37_79B9_7F4A_7C15 ^ check << 32) >> 2)
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
