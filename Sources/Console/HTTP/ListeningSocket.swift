// Whichever header comes first owns the socket addresses, for the compiler: this one or the platform's.
import CMicrohttpd
import Foundation

/// A TCP socket that listens on one address.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16
  /// Whether only this machine can reach it.
  let isLoopback: Bool

  /// Listens on a numeric address or `localhost`; port 0 takes a free one.
  init(host: String, port: UInt16) throws(ConsoleError) {
    var hints = addrinfo()
    hints.ai_flags = host == "localhost" ? 0 : AI_NUMERICHOST
    hints.ai_socktype = Self.streamType
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let address = list?.pointee,
      let socketAddress = address.ai_addr
    else { throw ConsoleError(code: .invalidSetting, message: "\(host) is not an address of this machine") }
    defer { freeaddrinfo(list) }
    let descriptor = socket(address.ai_family, Self.streamType | Self.closeOnExec, 0)
    guard descriptor >= 0 else { throw Self.failure(host, port) }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard bind(descriptor, socketAddress, address.ai_addrlen) == 0, listen(descriptor, 1024) == 0 else {
      defer { close(descriptor) }
      throw Self.failure(host, port)
    }
    self.descriptor = descriptor
    isLoopback = ClientAddress(socketAddress).isLoopback
    self.port = Self.port(of: descriptor)
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
      // The port is at the same place for IPv4 and IPv6.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  private static func failure(_ host: String, _ port: UInt16) -> ConsoleError {
    let reason =
      switch errno {
      case EADDRINUSE: "another program listens there"
      case EACCES: "it needs more rights"
      case EADDRNOTAVAIL: "it is not an address of this machine"
      case let number: "errno \(number)"
      }
    return ConsoleError(code: .cannotListen, message: "cannot listen on \(host) port \(port): \(reason)")
  }

  #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    private static let closeOnExec: Int32 = 0
  #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #endif
}
