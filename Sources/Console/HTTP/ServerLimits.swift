/// The bounds of CO-106; a route has the bound of its body.
package struct ServerLimits: Sendable, Hashable {
  /// Bytes of the request line and all header fields.
  package var header = 16 << 10
  /// The time from a request's first line, or a connection's start, to the end of its body.
  package var receive = Duration.seconds(30)
  /// The time for sending an answer.
  package var send = Duration.seconds(30)
  /// The time that a connection may wait for its next request.
  package var idle = Duration.seconds(60)
  /// Bytes of all bodies that are in memory at a time.
  package var bodies = 256 << 20
  /// Open connections.
  package var connections = 10_000
  /// The time that running requests have to finish when the server stops (CO-103).
  package var grace = Duration.seconds(10)

  package init() {}
}
