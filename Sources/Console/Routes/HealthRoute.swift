import Hits

extension Route {
  /// Tells that the process answers (CO-104).
  static let health = Route.reading("/healthz") { _ in .text("ok\n") }
}
