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
    let limit = call.limit()
    var found: [PositionedActivity] = []
    if let containers = try call.asked(.read) {
      for container in containers { found += try await lines(call, of: container, limit: limit + 1) }
      found.sort { $0.position > $1.position }
    } else {
      found = try await lines(call, of: nil, limit: limit + 1)
    }
    let page = found.prefix(limit)
    var answer: [String: Value] = ["activity": .list(page.map(\.json))]
    if found.count > limit { answer["next"] = page.last.map { .int($0.position) } }
    return .json(answer)
  }

  private func lines(
    _ call: APICall, of container: ContainerID?, limit: Int
  ) async throws(APIError) -> [PositionedActivity] {
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.activities(before: call.integer("before"), of: container, limit: limit)
    }
  }
}
