import CCrashRecord
import Hits
import Testing

@testable import HitQueue

@Suite struct CrashReportTests {
  /// A record by its layout: little-endian, as this machine is.
  private func record(
    signal: Int32 = 11, code: Int32 = 1, version: UInt32 = 1, lane: Int64 = 7, address: UInt64 = 0x10,
    crc: UInt32? = nil
  ) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    func text(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 64 - text.utf8.count) }
    var record = Array("TWCRASH\0".utf8) + bytes(version) + bytes(signal) + bytes(code) + bytes(Int32(7_200))
    record += bytes(lane) + bytes(address) + bytes(Int64(1_800_000_000_123)) + bytes(UInt64(42_000_000_000))
    record += text("017a8506-518f-4abc-8def-0123456789ab") + text("Europe/Berlin")
    record += [UInt8](repeating: 0, count: 508 - record.count)
    return record + bytes(crc ?? CRC32.checksum(record))
  }

  @Test("HQ-271: a record has 512 bytes, with the signal, the moment of the crash and the lane that reports it")
  func reading() throws {
    let report = try #require(CrashReport(record()))
    #expect(report.description == "SIGSEGV at 0x10")
    #expect(report.lane == 7)
    #expect(
      report.created
        == HitTime(
          wallMilliseconds: 1_800_000_000_123, ageClock: 42_000_000_000,
          boot: BootID("017a8506-518f-4abc-8def-0123456789ab"), zone: "Europe/Berlin", utcOffset: 7_200))
    #expect(report.id == CrashReport(record())?.id)
    #expect(report.id.description.dropFirst(14).first == "7")
    #expect(report.id != CrashReport(record(address: 0x18))?.id)
  }

  @Test(
    "HQ-272: the report names the signal, and the address of a fault",
    arguments: [
      (11, 1, "SIGSEGV at 0x10"), (11, -6, "SIGSEGV"), (7, 2, "SIGBUS at 0x10"), (4, 1, "SIGILL at 0x10"),
      (5, 0, "SIGTRAP"), (6, -6, "SIGABRT"), (8, 1, "SIGFPE at 0x10"),
    ] as [(Int32, Int32, String)])
  func names(signal: Int32, code: Int32, text: String) {
    #if os(Linux)
      #expect(CrashReport(record(signal: signal, code: code))?.description == text)
    #endif
  }

  @Test("HQ-272: a record with a wrong checksum, another version, a foreign signal or a wrong length is none")
  func damaged() {
    #expect(CrashReport(record(crc: 1)) == nil)
    #expect(CrashReport(record(version: 2)) == nil)
    #expect(CrashReport(record(signal: 9)) == nil)
    #expect(CrashReport([]) == nil)
    #expect(CrashReport(record() + [0]) == nil)
    #expect(CrashReport(Array(record().dropLast())) == nil)
    for place in [0, 12, 40, 100, 300, 507] {
      var bytes = record()
      bytes[place] ^= 1
      #expect(CrashReport(bytes) == nil)
    }
  }
}
