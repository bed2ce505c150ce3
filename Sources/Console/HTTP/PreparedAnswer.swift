import CMicrohttpd
import Hits

/// An answer that many requests get: libmicrohttpd's own form of it is made once (CO-603).
package final class PreparedAnswer: Sendable {
  /// The same answer as a value.
  package let response: ServerResponse
  // Made once and never changed; libmicrohttpd counts its users under a lock of its own.
  nonisolated(unsafe) private let handle: OpaquePointer?

  package init(_ response: ServerResponse) {
    self.response = response
    handle = response.makeHandle()
  }

  deinit { if let handle { MHD_destroy_response(handle) } }

  func queue(on connection: OpaquePointer) -> MHD_Result {
    guard let handle else { return .NO }
    return MHD_queue_response(connection, UInt32(response.status), handle)
  }
}
