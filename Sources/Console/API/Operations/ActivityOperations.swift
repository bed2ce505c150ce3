import Hits
import TagManager

/// The activity log (CO-403).
///
/// A token for one container sees what is about it alone.
struct ActivityOperations: Sendable {
  let context: APIContext

  var all: [APIOperation] {
    [
      APIOperation(
        "listActivity", "GET", "/activity", "Lists who did what and when, the newest first.", .any(.read),
        query: [
          .optional("container", .text(limit: 64), "Only what is about this container."),
          .optional("before", .count, "The position below which the page begins."), ContainerOperations.limit,
        ], answer: .json(.page("ActivityPage", "activity", of: .schema(.activity))), run: list)
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let asked = call.text("container").map { ContainerID($0) }
    let own = call.caller?.container
    guard own == nil || asked == nil || own == asked else {
      throw APIError(403, .forbidden, "the token is for another container")
    }
    let limit = call.limit()
    let found = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.activities(before: call.integer("before"), of: own ?? asked, limit: limit + 1)
    }
    let page = found.prefix(limit)
    var answer: [String: Value] = ["activity": .list(page.map(\.json))]
    if found.count > limit { answer["next"] = page.last.map { .int($0.position) } }
    return .json(answer)
  }
}
