import CMicrohttpd
import Foundation
import Hits

// What libmicrohttpd calls, on its own thread. The context is the server's core, which outlives the daemon.

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
  context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(of handle: OpaquePointer) -> ServerConnection? {
  cmhd_socket_context(handle).map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// A connection begins or ends; its object is kept in the socket's context between the two.
let noteConnection: MHD_NotifyConnectionCallback = { context, handle, slot, code in
  guard let core = core(context), let handle, let slot else { return }
  if code == .CONNECTION_NOTIFY_STARTED {
    let connection = ServerConnection(
      descriptor: cmhd_connection_fd(handle), client: cmhd_client_address(handle).map { ClientAddress($0) } ?? .none,
      deadline: .now + core.limits.receive)
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    core.connections.insert(connection)
  } else if let pointer = slot.pointee {
    let connection = Unmanaged<ServerConnection>.fromOpaque(pointer).takeRetainedValue()
    core.connections.remove(connection)
    slot.pointee = nil
  }
}

/// The first line of a request: the only place where the target is seen as it came.
///
/// The result is the request's context.
let noteRequestLine:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    context, target, handle in
    guard let core = core(context), let target, let handle, let connection = connection(of: handle) else { return nil }
    let exchange = ServerExchange(server: core, connection: connection, target: String(cString: target))
    return Unmanaged.passRetained(exchange).toOpaque()
  }

let handleRequest: MHD_AccessHandlerCallback = { context, handle, _, method, version, bytes, count, slot in
  guard let handle, let method, let version, let count, let pointer = slot?.pointee else { return .NO }
  let exchange = Unmanaged<ServerExchange>.fromOpaque(pointer).takeUnretainedValue()
  let piece = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count.pointee)
  count.pointee = 0
  return exchange.proceed(
    handle, method: String(cString: method), version: String(cString: version), piece: piece)
}

/// A request is over, answered or not.
let noteCompletion:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_RequestTerminationCode
  ) -> Void = { _, _, slot, _ in
    guard let pointer = slot?.pointee else { return }
    Unmanaged<ServerExchange>.fromOpaque(pointer).takeRetainedValue().end()
    slot?.pointee = nil
  }

extension RequestHead {
  /// Copies the head of a request out of libmicrohttpd's memory.
  init(_ handle: OpaquePointer, method: String, target: String) {
    self.init(method: method, target: target, headers: HTTPHeaders())
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, copyField, head)
    }
  }
}

/// What is to be said of a head's fields before any of them counts.
struct FieldJudgement {
  /// Whether every one is written as fields are.
  fileprivate(set) var isPlain = true
  /// How many name a host.
  fileprivate(set) var hosts = 0

  init(_ handle: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { _ = MHD_get_connection_values_n(handle, .HEADER_KIND, judgeField, $0) }
  }
}

private let judgeField: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
  let nameBytes = UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameCount)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
  guard let judgement = context?.assumingMemoryBound(to: FieldJudgement.self) else { return .NO }
  guard FieldSyntax.isName(nameBytes), FieldSyntax.isValue(valueBytes) else {
    judgement.pointee.isPlain = false
    return .NO
  }
  if FieldSyntax.isHost(nameBytes) { judgement.pointee.hosts += 1 }
  return .YES
}

private let copyField: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
  guard let head = context?.assumingMemoryBound(to: RequestHead.self), let name else { return .YES }
  let nameBytes = UnsafeRawBufferPointer(start: name, count: nameCount)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
  head.pointee.headers.add(String(decoding: valueBytes, as: UTF8.self), for: String(decoding: nameBytes, as: UTF8.self))
  return .YES
}
