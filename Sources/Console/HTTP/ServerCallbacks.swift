import CMicrohttpd
import Foundation
import Hits

// What libmicrohttpd calls, on its own thread. The context is the server's core, which outlives the daemon.

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
  context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
}

private func requests(_ context: UnsafeMutableRawPointer) -> ConnectionRequests {
  Unmanaged<ConnectionRequests>.fromOpaque(context).takeUnretainedValue()
}

/// A connection begins or ends; what keeps its requests is in the socket's context between the two.
let noteConnection: MHD_NotifyConnectionCallback = { context, handle, slot, code in
  guard let core = core(context), let handle, let slot else { return }
  if code == .CONNECTION_NOTIFY_STARTED {
    let connection = ServerConnection(
      descriptor: cmhd_connection_fd(handle), client: cmhd_client_address(handle).map { ClientAddress($0) } ?? .none,
      deadline: ServerClock.now + core.receiveTime)
    slot.pointee = Unmanaged.passRetained(ConnectionRequests(server: core, connection: connection)).toOpaque()
    core.connections.insert(connection)
  } else if let pointer = slot.pointee {
    core.connections.remove(Unmanaged<ConnectionRequests>.fromOpaque(pointer).takeRetainedValue().connection)
    slot.pointee = nil
  }
}

/// The first line of a request: the only place where the target is seen as it came.
///
/// The result is the request's context: what keeps the requests of its connection, until the connection ends.
let noteRequestLine:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
    _, target, handle in
    guard let target, let handle, let context = cmhd_socket_context(handle) else { return nil }
    requests(context).begin(target: target)
    return context
  }

let handleRequest: MHD_AccessHandlerCallback = { _, handle, _, method, version, bytes, count, slot in
  guard let handle, let method, let version, let count, let context = slot?.pointee else { return .NO }
  let piece = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count.pointee)
  count.pointee = 0
  return requests(context).proceed(handle, method: method, version: version, piece: piece)
}

/// A request is over, answered or not.
let noteCompletion:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_RequestTerminationCode
  ) -> Void = { _, _, slot, _ in
    guard let context = slot?.pointee else { return }
    requests(context).end()
    slot?.pointee = nil
  }

extension RequestHead {
  /// Copies the head of a request out of libmicrohttpd's memory.
  init(_ handle: OpaquePointer, _ line: RequestLine) {
    self.init(line: line, headers: HTTPHeaders())
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, copyField, head)
    }
  }
}

private let copyField: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
  guard let head = context?.assumingMemoryBound(to: RequestHead.self), let name else { return .YES }
  let nameBytes = UnsafeRawBufferPointer(start: name, count: nameCount)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
  head.pointee.headers.add(String(decoding: valueBytes, as: UTF8.self), for: String(decoding: nameBytes, as: UTF8.self))
  return .YES
}
