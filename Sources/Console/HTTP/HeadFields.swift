import CMicrohttpd
import Foundation

/// What is to be known of a head's fields before any of them counts, found in one walk over them.
///
/// The values lie in libmicrohttpd's memory, and hold as long as the call in which they were read.
struct HeadFields {
  /// Whether every one is written as fields are.
  private(set) var isPlain = true
  /// How many name a host.
  private(set) var hosts = 0
  /// Whether there is a field that frames a body.
  private(set) var framesBody = false
  /// The first value of each field by which answers from memory differ.
  private(set) var accept: UnsafeRawBufferPointer?
  private(set) var acceptEncoding: UnsafeRawBufferPointer?
  private(set) var ifNoneMatch: UnsafeRawBufferPointer?

  init(_ handle: OpaquePointer) {
    withUnsafeMutablePointer(to: &self) { _ = MHD_get_connection_values_n(handle, .HEADER_KIND, noteField, $0) }
  }

  /// Takes one more; false when nothing more is to be known.
  fileprivate mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard FieldSyntax.isName(name), FieldSyntax.isValue(value) else {
      isPlain = false
      return false
    }
    // By the length first: most names are none of these.
    switch name.count {
    case 4 where FieldSyntax.isSame(name, "host"): hosts += 1
    case 6 where accept == nil && FieldSyntax.isSame(name, "accept"): accept = value
    case 13 where ifNoneMatch == nil && FieldSyntax.isSame(name, "if-none-match"): ifNoneMatch = value
    case 14 where FieldSyntax.isSame(name, "content-length"): framesBody = true
    case 15 where acceptEncoding == nil && FieldSyntax.isSame(name, "accept-encoding"): acceptEncoding = value
    case 17 where FieldSyntax.isSame(name, "transfer-encoding"): framesBody = true
    default: break
    }
    return true
  }
}

private let noteField: MHD_KeyValueIteratorN = { context, _, name, nameCount, value, valueCount in
  guard let fields = context?.assumingMemoryBound(to: HeadFields.self) else { return .NO }
  let nameBytes = UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameCount)
  let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
  return fields.pointee.note(nameBytes, valueBytes) ? .YES : .NO
}
