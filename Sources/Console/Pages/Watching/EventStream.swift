import Hits

/// Server-sent events (CO-502), a piece at a time.
///
///     piece = "retry: " milliseconds LF LF *("id: " number LF "data: " text LF LF)
///
/// A request waits until there is something, or for a while, and its answer ends with what there is; the browser comes
/// back by itself and says the last id it has. So a watcher costs no thread, no memory while it waits, and no more than a
/// bounded answer when it is slow.
enum EventStream {
  static let longest = Duration.seconds(20)

  struct Event: Sendable {
    var id: String
    /// One line, or several.
    var data: String
  }

  static func response(_ events: [Event]) -> ServerResponse {
    var text = "retry: 250\n\n"
    for event in events {
      text += "id: \(event.id)\n"
      for line in event.data.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        text += "data: \(line)\n"
      }
      text += "\n"
    }
    return ServerResponse(
      status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
      body: Array(text.utf8))
  }
}

extension Visit {
  /// The last event that the browser has, or what the page says it begins after.
  var lastEvent: String { request.headers["Last-Event-ID"] ?? query["after"] ?? "" }
}
