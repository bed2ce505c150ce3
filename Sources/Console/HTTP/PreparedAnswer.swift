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

/// A request without a body, seen while libmicrohttpd still holds its head: nothing of it is copied but what is asked for.
package struct InstantRequest {
  /// The target up to the first `?`.
  package let path: Substring
  /// What stands behind the first `?`.
  package let query: Substring
  private let field: (_ name: String) -> String?

  /// Makes a request of a target and a way to look up its fields.
  package init(target: String, field: @escaping (_ name: String) -> String?) {
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = target[..<(mark ?? target.endIndex)]
    query = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
    self.field = field
  }

  init(_ connection: OpaquePointer, target: String) {
    self.init(target: target) { name in
      MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }
  }

  /// The first value of a field.
  package subscript(name: String) -> String? { field(name) }
}
