import Foundation

/// A path with names in it, such as `/v1/containers/{id}`.
struct PathPattern: Sendable {
  private enum Segment: Sendable {
    case text(Substring)
    case name(String)
  }

  private let segments: [Segment]

  /// Reads a route's path; nil when there is no name in it.
  init?(_ path: String) {
    segments = Self.segments(of: path).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .name(String(segment.dropFirst().dropLast())) : .text(segment)
    }
    guard segments.contains(where: { if case .name = $0 { true } else { false } }) else { return nil }
  }

  var count: Int { segments.count }

  /// The parts between slashes, with the empty one before the first.
  static func segments(of path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }

  /// The values of the names, percent-decoded; nil when the path is another one.
  func match(_ path: [Substring]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, given) in zip(segments, path) {
      switch segment {
      case .text(let text): guard text == given else { return nil }
      case .name(let name):
        guard !given.isEmpty, let value = given.removingPercentEncoding else { return nil }
        values[name] = value
      }
    }
    return values
  }
}
