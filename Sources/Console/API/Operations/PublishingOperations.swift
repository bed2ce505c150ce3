import Authoring
import Hits
import TagManager

/// Making versions live: publish, roll back, change the share (CO-400, CO-404).
struct PublishingOperations: Sendable {
  let context: APIContext

  private static let path = "/containers/{container}/environments/{environment}"
  private static let percent = APIType.number(0...100)

  var all: [APIOperation] {
    [
      APIOperation(
        "publish", "POST", Self.path + "/publish", "Makes a version live in an environment.", .container(.publish),
        body: .fields(
          APISchema(
            "Publishing",
            [
              APIField("version", .count, "The version."),
              .optional("percent", Self.percent, "The share of installs that get it; 100 without it."),
            ])), status: 201, answer: .json(.publication), run: publish),
      APIOperation(
        "rollBack", "POST", Self.path + "/rollback",
        "Makes an older version live again: the one before what is in force, or the one that is named.",
        .container(.publish),
        body: .fields(APISchema("RollingBack", [.optional("version", .count, "The version.")])), status: 201,
        answer: .json(.publication), run: rollBack),
      APIOperation(
        "setRollout", "POST", Self.path + "/rollout", "Changes the share of installs that get the version in force.",
        .container(.publish),
        body: .fields(APISchema("Rollout", [APIField("percent", Self.percent, "The share of installs.")])),
        status: 201, answer: .json(.publication), run: setRollout),
      APIOperation(
        "listPublications", "GET", Self.path + "/publications",
        "Lists what was live in an environment, the newest first.", .container(.read),
        query: [ContainerOperations.limit],
        answer: .json(.page("Publications", "publications", of: .schema(.publication))), run: list),
    ]
  }

  private func publish(_ call: APICall) async throws(APIError) -> APIAnswer {
    try await publish(
      Int(call.integer("version") ?? 0), share: try Self.share(call.number("percent") ?? 100), after: nil, call)
  }

  private func rollBack(_ call: APICall) async throws(APIError) -> APIAnswer {
    if let version = call.integer("version") { return try await publish(Int(version), share: .all, after: nil, call) }
    let history = try await publications(call, limit: 1000)
    guard let inForce = history.first else { throw Self.nothingInForce }
    // While a share gets a new version, rolling back gives all of them what the others have.
    // Only an older one: what a rollback has put back is not undone by the next.
    guard let earlier = inForce.previous ?? history.first(where: { $0.settled < inForce.version })?.settled else {
      throw APIError(422, .invalid, "no older version was live before")
    }
    return try await publish(earlier, share: .all, after: inForce.sequence, call)
  }

  private func setRollout(_ call: APICall) async throws(APIError) -> APIAnswer {
    guard let inForce = try await publications(call, limit: 1).first else { throw Self.nothingInForce }
    return try await publish(
      inForce.version, share: try Self.share(call.number("percent") ?? 100), after: inForce.sequence, call)
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    .json(["publications": .list(try await publications(call, limit: call.limit()).map { .map($0.json) })])
  }

  private static let nothingInForce = APIError(422, .invalid, "nothing is live there")

  private static func share(_ percent: Double) throws(APIError) -> RolloutShare {
    guard let share = RolloutShare(percent: percent) else {
      throw .badRequest("percent has up to two decimals, from 0 to 100")
    }
    return share
  }

  private func publications(_ call: APICall, limit: Int) async throws(APIError) -> [Publication] {
    let id = try call.inContainer()
    let name = call.path["environment"] ?? ""
    let environments = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.environments(of: id)
    }
    guard environments.contains(where: { $0.name == name }) else { throw .notFound("environment") }
    return try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.publications(of: id, in: name, limit: limit)
    }
  }

  /// Publishes what can be compiled (CO-206).
  private func publish(
    _ version: Int, share: RolloutShare, after inForce: Int64?, _ call: APICall
  ) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    _ = try await context.compiled(version: version, of: id)
    // Its workspace may say otherwise, but apps would be refused.
    guard let kind = call.container?.kind, kind.isApp else {
      throw APIError(422, .invalid, "\(id) is not for apps, and only what is for apps is published")
    }
    let publication = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.publish(
        version, of: id, in: call.path["environment"] ?? "", share: share, after: inForce,
        by: call.authorship)
    }
    await context.didChangeDelivery()
    return .json(publication.json)
  }
}
