// Whichever header comes first owns the socket addresses, for the compiler: this one or the platform's.
import CMicrohttpd
import Foundation

/// The address of a client: 4 or 16 bytes in network order, or none when it is not known.
package struct ClientAddress: Sendable, Hashable {
  private let bytes: [UInt8]

  /// No address.
  package static let none = ClientAddress(bytes: [])

  private init(bytes: [UInt8]) { self.bytes = bytes }

  init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { ClientAddress(bytes: Array($0)) }
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { ClientAddress(bytes: Array($0)) }.unmapped
      }
    default: self = .none
    }
  }

  /// Reads a text such as `203.0.113.7` or `2001:db8::1`; nil for anything else.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = withUnsafeBytes(of: four) { ClientAddress(bytes: Array($0)) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self = withUnsafeBytes(of: six) { ClientAddress(bytes: Array($0)) }.unmapped
    } else {
      return nil
    }
  }

  /// The IPv4 address inside a mapped one (`::ffff:203.0.113.7`): it is to be masked as what it is.
  private var unmapped: ClientAddress {
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? ClientAddress(bytes: Array(bytes[12...])) : self
  }

  /// Reads an address as proxies write it: alone, in brackets, or with a port.
  init?(forwarded text: some StringProtocol) {
    let text = String(text).filter { $0 != " " && $0 != "\t" }
    if text.hasPrefix("[") {
      self.init(String(text.dropFirst().prefix { $0 != "]" }))
    } else if text.count(where: { $0 == ":" }) == 1 {
      self.init(String(text.prefix { $0 != ":" }))
    } else {
      self.init(text)
    }
  }

  /// The bits of an address of its family; 0 for none.
  var bits: Int { bytes.count * 8 }

  /// The first bits; the others are 0.
  func prefix(bits: Int) -> ClientAddress {
    ClientAddress(
      bytes: bytes.enumerated().map { index, byte in
        let kept = min(max(bits - index * 8, 0), 8)
        return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
      })
  }

  /// The network it belongs to: /24 of IPv4, /48 of IPv6 (HQ-713).
  package var masked: ClientAddress { prefix(bits: bytes.count == 4 ? 24 : 48) }

  /// What one client has to itself: an IPv4 address, or /64 of IPv6, in which it takes any address it likes.
  var allotment: ClientAddress { prefix(bits: bytes.count == 4 ? 32 : 64) }

  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// The usual text; nil for none.
  package var text: String? {
    guard !bytes.isEmpty else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
