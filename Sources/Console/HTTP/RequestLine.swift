import Foundation

/// The first line of a request, and when it came.
struct RequestLine: Sendable {
  /// The target up to the first `?`.
  private(set) var path = ""
  /// What stands behind the first `?`.
  private(set) var query = ""
  /// Whether the target is written in visible characters.
  private(set) var isVisible = true
  /// By the server's clock.
  private(set) var start: Int64 = 0
  private(set) var method = ""

  /// Notes the method; the usual ones need no memory.
  mutating func note(method name: UnsafePointer<CChar>) {
    method = strcmp(name, "GET") == 0 ? "GET" : String(cString: name)
  }

  /// No request's.
  init() {}

  /// Copies a target as it came, now.
  init(target: UnsafePointer<CChar>) {
    start = ServerClock.now
    let bytes = UnsafeRawBufferPointer(start: target, count: strlen(target))
    isVisible = FieldSyntax.isVisible(bytes)
    let mark = strchr(target, Int32(UInt8(ascii: "?")))
    let end = mark.map { UnsafePointer($0) - target } ?? bytes.count
    path = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    query = end < bytes.count ? String(decoding: bytes[(end + 1)...], as: UTF8.self) : ""
  }
}
