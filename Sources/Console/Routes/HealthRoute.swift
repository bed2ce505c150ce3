import Hits

extension Route {
  /// Tells that the process answers (CO-104).
  static let health = Route.reading("/healthz") { _ in
    ServerResponse(
      status: 200, headers: ["Content-Type": "text/plain", "Cache-Control": "no-store"], body: Array("ok\n".utf8))
  }
}
