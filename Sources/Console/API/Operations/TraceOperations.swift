import Hits
import TagManager

/// What apps in preview have sent, for the live view (CO-502).
///
/// A token for one container sees its sessions alone.
struct TraceOperations: Sendable {
  let context: APIContext

  var all: [APIOperation] {
    [
      APIOperation(
        "listTraceSessions", "GET", "/debug", "Lists the sessions of apps in preview, the liveliest first.",
        .any(.read),
        answer: .json(
          .page(
            "TraceSessions", "sessions",
            of: .schema(
              APISchema(
                "TraceSession",
                [
                  APIField("id", .shortText, "The session."), APIField("container", .shortText, "The container."),
                  APIField("preview", .shortText, "The preview link's id."),
                  APIField("started", .time, "Milliseconds since 1970 UTC."),
                  APIField("last", .time, "When the last outcome came."),
                  APIField("lines", .count, "How many outcomes came."),
                ])))), run: list),
      APIOperation(
        "getTraceSession", "GET", "/debug/{session}", "Gives outcomes of a session in their order.", .any(.read),
        query: [.optional("after", .count, "The number above which the page begins."), ContainerOperations.limit],
        answer: .json(
          .page(
            "TraceLines", "lines",
            of: .schema(
              APISchema(
                "TraceLine",
                [
                  APIField("number", .count, "Counts the outcomes of the session; gaps tell what was forgotten."),
                  APIField("received", .time, "Milliseconds since 1970 UTC."),
                  APIField("outcome", .object, "The outcome as the app has sent it."),
                ])))), run: get),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    .json([
      "sessions": .list(
        context.traces.summaries(of: call.caller?.container).map { session in
          [
            "id": .string(session.id), "container": .string(session.container.text),
            "preview": .string(session.preview), "started": .int(session.started), "last": .int(session.lastLine),
            "lines": .int(session.lines),
          ]
        })
    ])
  }

  private func get(_ call: APICall) async throws(APIError) -> APIAnswer {
    let limit = call.limit()
    let found = context.traces.lines(
      of: call.path["session"] ?? "", after: call.integer("after") ?? 0, limit: limit + 1)
    // What another container's session is called is not for this token to know.
    guard let found, call.caller?.container == nil || call.caller?.container == found.container else {
      throw .notFound("session")
    }
    let page = found.lines.prefix(limit)
    var writer = JSONWriter()
    writer.put("{\"lines\":[")
    for (index, line) in page.enumerated() {
      writer.put("\(index == 0 ? "" : ",")\n{\"number\":\(line.number),\"outcome\":")
      writer.put(line.json)
      writer.put(",\"received\":\(line.received)}")
    }
    writer.put("]")
    if found.lines.count > limit, let last = page.last { writer.put(",\"next\":\(last.number)") }
    writer.put("}")
    return .document(writer.bytes)
  }
}
