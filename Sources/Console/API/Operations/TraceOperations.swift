import Authoring
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
        "replaySession", "GET", "/containers/{container}/debug/{session}/replay",
        "Replays a session against the draft, and tells which tags would have run.", .container(.read),
        answer: .json(.page("Replay", "events", of: .schema(Self.replayed))), run: replay),
      APIOperation(
        "getTraceSession", "GET", "/debug/{session}", "Gives outcomes of a session in their order.", .any(.read),
        query: [
          .optional("after", .count, "The number above which the page begins."), ContainerOperations.limit,
          .optional("dataLayer", .flag, "Whether each outcome comes with what the data layer held at it."),
        ],
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
                  .optional(
                    "dataLayer", .object,
                    "What the data layer held at it, if that was asked for and is at most 64 KiB."),
                  .optional(
                    "isDataLayerWhole", .flag, "Whether every push before it is known; else some values may be missing."
                  ),
                ])))), run: get),
    ]
  }

  /// Bytes of a data layer that go with a line.
  private static let mostOfLayer = 64 << 10

  private static let replayed = APISchema(
    "ReplayedPush",
    [
      APIField("number", .count, "The outcome's number in the session."),
      APIField("event", .longText, "The event's name."),
      APIField("then", .list(.longText), "The tags that ran in the app."),
      APIField("now", .list(.longText), "The tags that would run with the draft."),
    ])

  private func replay(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let found = context.traces.lines(of: call.path["session"] ?? "", after: 0, limit: .max)
    guard let found, found.container == id, let first = found.lines.first else { throw .notFound("session") }
    let (_, workspace) = try await context.draft(of: id)
    let compilation = context.compilation(of: workspace, as: id, version: nil)
    guard let container = compilation.container else { throw .invalid("the draft has errors", compilation.diagnostics) }
    let events: [SessionReplay.Event]
    do throws(TagManagerError) {
      let recorded = (try? Value(json: first.json))?.map ?? [:]
      events = await (try SessionReplay(container, as: id, first: recorded)).run(found.lines)
    } catch {
      throw APIError(422, .invalid, "the draft cannot be run: \(error)")
    }
    return .json([
      "events": .list(
        events.map { event in
          [
            "number": .int(event.number), "event": .string(event.event), "then": .list(event.then.map(Value.string)),
            "now": .list(event.now.map(Value.string)),
          ]
        })
    ])
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let own = call.containers(with: .read)
    return .json([
      "sessions": .list(
        context.traces.summaries.filter { own?.contains($0.container) ?? true }.map { session in
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
    guard let found, call.containers(with: .read)?.contains(found.container) ?? true else {
      throw .notFound("session")
    }
    let page = found.lines.prefix(limit)
    let layers =
      call.flag("dataLayer")
      ? context.traces.dataLayers(of: call.path["session"] ?? "", at: Set(page.map(\.number))) : [:]
    var writer = JSONWriter()
    writer.put("{\"lines\":[")
    for (index, line) in page.enumerated() {
      writer.put("\(index == 0 ? "" : ",")\n{\"number\":\(line.number),\"outcome\":")
      writer.put(line.json)
      if let layer = layers[line.number] {
        let json = Value.map(layer.content).jsonBytes
        if json.count <= Self.mostOfLayer {
          writer.put(",\"dataLayer\":")
          writer.put(json)
        }
        writer.put(",\"isDataLayerWhole\":\(layer.isWhole)")
      }
      writer.put(",\"received\":\(line.received)}")
    }
    writer.put("]")
    if found.lines.count > limit, let last = page.last { writer.put(",\"next\":\(last.number)") }
    writer.put("}")
    return .document(writer.bytes)
  }
}
