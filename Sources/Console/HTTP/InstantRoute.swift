/// A place whose answers are there before they are asked for: given on the server's own thread, without a task (CO-603).
///
/// It takes GET and HEAD without a body. What it has no answer for goes the usual way, by the router.
package final class InstantRoute: Sendable {
  /// The route by which metrics know it.
  package let path: String
  /// What the path begins with.
  package let prefix: String
  /// The answer; nil for whatever needs more than memory.
  package let answer: @Sendable (InstantRequest) -> PreparedAnswer?

  package init(_ path: String, prefix: String, _ answer: @escaping @Sendable (InstantRequest) -> PreparedAnswer?) {
    self.path = path
    self.prefix = prefix
    self.answer = answer
  }
}
