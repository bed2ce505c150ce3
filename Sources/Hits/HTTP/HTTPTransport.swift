/// The port through which every engine reaches a server.
///
/// A transport enforces the request's bounds, keeps no cookies and no cache, and ends at once when the calling task is
/// cancelled (code `cancelled`).
public protocol HTTPTransport: Sendable {
  /// Sends one request and waits for its whole answer; any status is an answer.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
