/// The checksum of a stored body: CRC-32 of IEEE 802.3, reflected (HQ-305).
package enum CRC32 {
  /// The checksum; of `123456789` it is 0xcbf43926.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes(checksum)
  }

  /// The checksum of bytes in place, eight at a time through one table each.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      var register: UInt32 = 0xFFFF_FFFF
      var at = 0
      while at + 8 <= bytes.count {
        let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) ^ register
        let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
        register =
          tables[1792 + Int(low & 255)] ^ tables[1536 + Int(low >> 8 & 255)] ^ tables[1280 + Int(low >> 16 & 255)]
          ^ tables[1024 + Int(low >> 24)]
        register ^=
          tables[768 + Int(high & 255)] ^ tables[512 + Int(high >> 8 & 255)] ^ tables[256 + Int(high >> 16 & 255)]
          ^ tables[Int(high >> 24)]
        at += 8
      }
      while at < bytes.count {
        register = tables[Int((register ^ UInt32(bytes[at])) & 255)] ^ (register >> 8)
        at += 1
      }
      return ~register
    }
  }

  /// Eight tables of 256: table k advances a byte that stands k bytes before the end of the eight.
  private static let tables: [UInt32] = {
    var tables = (UInt32(0)..<256).map { byte in
      (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    for index in 256..<2048 {
      let previous = tables[index - 256]
      tables.append(tables[Int(previous & 255)] ^ (previous >> 8))
    }
    return tables
  }()
}
