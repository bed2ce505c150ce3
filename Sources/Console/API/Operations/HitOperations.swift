import Hits

/// Hits as they come in: the last ones, and how many by the minute (CO-701).
struct HitOperations: Sendable {
  let context: APIContext

  var all: [APIOperation] {
    [
      APIOperation(
        "listHits", "GET", "/hits", "Lists the last hits that came in, the newest first, with what became of each.",
        .server(.read),
        query: [
          .optional("property", .shortText, "Only those of a property."),
          .optional("kind", .shortText, "Only those of a type, such as event."),
          .optional("version", .shortText, "Only those of an app's version."),
          .optional("result", .choice(["accepted", "duplicate", "rejected"]), "Only those with this end."),
          .optional("after", .count, "Only those above a number."), ContainerOperations.limit,
        ], answer: .json(.page("Hits", "hits", of: .schema(Self.hit))), run: list),
      APIOperation(
        "countHits", "GET", "/hits/minutes", "Counts the hits of the last hour, minute by minute.", .server(.read),
        answer: .json(.page("HitCounts", "minutes", of: .schema(Self.minute))), run: count),
    ]
  }

  private static let hit = APISchema(
    "Hit",
    [
      APIField("number", .count, "Rises with each hit since the server's start."),
      APIField("received", .time, "Milliseconds since 1970 UTC."), APIField("property", .shortText, "The property."),
      APIField("kind", .shortText, "The type; empty where it is not known."),
      APIField("result", .choice(["accepted", "duplicate", "rejected"]), "What became of it."),
      .optional("reason", .longText, "Why it was refused."), APIField("fields", .object, "Its fields by wire name."),
      .optional("name", .longText, "The name of a custom hit."),
      .optional("parameters", .object, "The parameters of a custom hit."),
    ])

  private static let minute = APISchema(
    "HitMinute",
    [
      APIField("time", .time, "When the minute began, in milliseconds since 1970 UTC."),
      APIField("accepted", .count, "Hits that were stored."), APIField("duplicate", .count, "Hits that were there."),
      APIField("rejected", .count, "Hits that were refused."),
      APIField("late", .count, "Stored ones that happened more than a minute before they came."),
    ])

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let filter = HitFilter(TypedFields(call.fields.compactMapValues(\.string)))
    let entries = context.watch.entries(after: call.integer("after") ?? 0, limit: call.limit(), where: filter.holds)
    return .json(["hits": .list(entries.map { .map($0.json) })])
  }

  private func count(_ call: APICall) async throws(APIError) -> APIAnswer {
    .json([
      "minutes": .list(
        context.watch.lastHour(at: call.time).map { minute in
          [
            "time": .int(minute.minute * 60_000), "accepted": .int(Int64(minute.accepted)),
            "duplicate": .int(Int64(minute.duplicate)), "rejected": .int(Int64(minute.rejected)),
            "late": .int(Int64(minute.late)),
          ]
        })
    ])
  }
}

extension HitWatch.Entry {
  fileprivate var json: [String: Value] {
    let facts = HitFacts(hit)
    var fields: [String: Value] = [
      "number": .int(number), "received": .int(hit.received), "property": .string(hit.property),
      "kind": .string(hit.kind), "result": .string(hit.result), "fields": .map(facts.fields.mapValues(Value.string)),
    ]
    fields["reason"] = facts.reason.map(Value.string)
    fields["name"] = facts.name.map(Value.string)
    fields["parameters"] = facts.parameters.map(Value.map)
    return fields
  }
}
