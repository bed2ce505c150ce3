import Foundation
import Hits

/// A form that brings a file (RFC 7578): its small fields, and the file.
///
///     body = 1*("--" boundary CRLF head CRLF CRLF content CRLF) "--" boundary "--"
struct MultipartForm: Sendable {
  private(set) var fields = TypedFields()
  /// The content of the first part that has a file's name; nil without one, or when it is empty.
  private(set) var file: [UInt8]?

  private static let most = 64

  /// Reads a request; nil when it is no such form.
  init?(_ request: ServerRequest) {
    guard let type = request.headers["Content-Type"], type.lowercased().hasPrefix("multipart/form-data"),
      let mark = type.range(of: "boundary=")
    else { return nil }
    let boundary = type[mark.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
    guard (1...70).contains(boundary.utf8.count) else { return nil }
    let delimiter = Array("--\(boundary)".utf8)
    var rest = request.body[...]
    guard rest.starts(with: delimiter) else { return nil }
    rest = rest.dropFirst(delimiter.count)
    let ending = Array("\r\n".utf8) + delimiter
    for _ in 0..<Self.most {
      guard rest.starts(with: Array("\r\n".utf8)), let end = rest.firstRange(of: ending) else { return }
      take(rest[rest.startIndex.advanced(by: 2)..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
  }

  private mutating func take(_ part: ArraySlice<UInt8>) {
    guard let blank = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    let head = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
    let content = part[blank.upperBound...]
    guard let name = Self.parameter("name", in: head) else { return }
    if Self.parameter("filename", in: head) != nil {
      if file == nil, !content.isEmpty { file = Array(content) }
    } else if fields[name] == nil {
      fields[name] = String(decoding: content, as: UTF8.self)
    }
  }

  private static func parameter(_ name: String, in head: String) -> String? {
    guard let mark = head.range(of: "; \(name)=\"") else { return nil }
    return String(head[mark.upperBound...].prefix { $0 != "\"" })
  }
}
