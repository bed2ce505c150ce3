import Foundation

/// A blocking TCP socket on loopback.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Connects to a port of 127.0.0.1; reads give up after a time.
  package static func connect(to port: UInt16, patience: Int = 30) throws -> LoopbackSocket {
    let descriptor = try make()
    var patience = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = loopback(port: port)
    let status = withSocketAddress(&address) { Foundation.connect(descriptor, $0, $1) }
    guard status == 0 else {
      let code = errno
      Foundation.close(descriptor)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    return LoopbackSocket(descriptor: descriptor)
  }

  /// Listens on a free port of 127.0.0.1.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try make()
    var address = loopback(port: 0)
    let hasBound = withSocketAddress(&address) { bind(descriptor, $0, $1) } == 0
    guard hasBound, Foundation.listen(descriptor, 256) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A port that nobody listens on now, for a program that takes no port 0.
  package static func freePort() throws -> UInt16 {
    let listener = try listen()
    Foundation.close(listener.descriptor)
    return listener.port
  }

  /// Sends all bytes; false when the other side is gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress! + sent, $0.count - sent, flags) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Receives at most a number of bytes; none at the end, on an error, and when patience is over.
  package func receive(_ limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, limit, 0))
    }
  }

  /// Receives until the other side is done.
  package func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let piece = receive(65_536)
      guard !piece.isEmpty else { return all }
      all += piece
    }
  }

  package func close() { Foundation.close(descriptor) }

  private static func make() throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      var one: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: INADDR_LOOPBACK.bigEndian)
    return address
  }

  private static func withSocketAddress<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
