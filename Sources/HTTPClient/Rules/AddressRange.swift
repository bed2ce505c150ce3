import Foundation

#if !canImport(Darwin)
  // Whichever header comes first owns the socket addresses, for the compiler: this one or the platform's.
  import CCurl
#endif

/// Tells addresses of the open internet from those of this machine and the networks around it (WT-520).
enum AddressRange {
  /// Whether an address, given as its 4 or 16 bytes in network order, is loopback, link-local, private, multicast,
  /// unspecified or reserved; an IPv6 address that carries an IPv4 address is judged by that one.
  static func isPrivate(_ bytes: [UInt8]) -> Bool {
    switch bytes.count {
    case 4: isPrivate4(bytes)
    case 16: isPrivate6(bytes)
    default: true
    }
  }

  /// Judges an address in the form of the socket calls; families other than IPv4 and IPv6 count as private.
  static func isPrivate(_ address: UnsafePointer<sockaddr>) -> Bool {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { isPrivate(octets(of: $0.pointee.sin_addr)) }
    case AF_INET6:
      address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { isPrivate(octets(of: $0.pointee.sin6_addr)) }
    default: true
    }
  }

  /// Judges an address in its text form; a text that is no address counts as private.
  static func isPrivate(_ text: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return isPrivate(octets(of: four)) }
    var six = in6_addr()
    if inet_pton(AF_INET6, text, &six) == 1 { return isPrivate(octets(of: six)) }
    return true
  }

  private static func octets<Address>(of address: Address) -> [UInt8] {
    withUnsafeBytes(of: address) { Array($0) }
  }

  private static func isPrivate4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _): true
    case (100, 64...127, _): true  // shared by carriers
    case (169, 254, _): true
    case (172, 16...31, _): true
    case (192, 168, _), (192, 0, 0): true
    case (198, 18...19, _): true  // benchmarks
    case (224..., _, _): true  // multicast and reserved
    default: false
    }
  }

  private static func isPrivate6(_ bytes: [UInt8]) -> Bool {
    let isZero = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == 0 } }
    if isZero(0..<10), bytes[10] == 0xFF, bytes[11] == 0xFF { return isPrivate4(Array(bytes[12...])) }
    if isZero(0..<12) { return isPrivate4(Array(bytes[12...])) }  // ::, ::1 and the old mapped form
    switch (bytes[0], bytes[1]) {
    case (0x00, 0x64) where bytes[2] == 0xFF && bytes[3] == 0x9B: return isPrivate4(Array(bytes[12...]))  // NAT64
    case (0x20, 0x02): return isPrivate4(Array(bytes[2..<6]))  // 6to4
    case (0xFC...0xFD, _), (0xFF, _): return true
    case (0xFE, 0x80...): return true
    default: return false
    }
  }
}
