import Foundation
package import Hits

/// A request without a body, seen while libmicrohttpd still holds its head: no field of it is copied before it is asked
/// for.
///
/// It holds only during the call to which it is handed.
package struct InstantRequest {
  /// The fields by which the answers differ.
  package enum Field: String {
    case accept = "Accept"
    case acceptEncoding = "Accept-Encoding"
    case ifNoneMatch = "If-None-Match"
  }

  private enum Fields {
    case held(HeadFields)
    case copied(HTTPHeaders)
  }

  /// The target up to the first `?`.
  package let path: String
  /// What stands behind the first `?`.
  package let query: String
  private let fields: Fields

  /// Makes a request of its parts.
  package init(path: String, query: String = "", headers: HTTPHeaders = [:]) {
    self.path = path
    self.query = query
    fields = .copied(headers)
  }

  init(_ line: RequestLine, _ fields: HeadFields) {
    path = line.path
    query = line.query
    self.fields = .held(fields)
  }

  /// The first value of a field.
  package subscript(field: Field) -> String? {
    switch fields {
    case .held(let fields): fields[field].map { String(decoding: $0, as: UTF8.self) }
    case .copied(let headers): headers[field.rawValue]
    }
  }

  /// Whether the first value of a field is a text, byte by byte.
  package func has(_ field: Field, _ text: String) -> Bool {
    guard case .held(let fields) = fields else { return self[field] == text }
    guard let value = fields[field] else { return false }
    guard let start = value.baseAddress, !value.isEmpty else { return text.isEmpty }
    let isSame = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.count == value.count && bytes.baseAddress.map { memcmp($0, start, value.count) } == 0
    }
    return isSame ?? value.elementsEqual(text.utf8)
  }
}

extension HeadFields {
  fileprivate subscript(field: InstantRequest.Field) -> UnsafeRawBufferPointer? {
    switch field {
    case .accept: accept
    case .acceptEncoding: acceptEncoding
    case .ifNoneMatch: ifNoneMatch
    }
  }
}
