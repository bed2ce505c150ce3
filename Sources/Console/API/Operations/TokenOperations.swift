import Hits
import TagManager

/// Tokens of the API: make, list, revoke (CO-900).
///
/// A token for one container deals with tokens for it alone.
struct TokenOperations: Sendable {
  let context: APIContext

  var all: [APIOperation] {
    [
      APIOperation(
        "listTokens", "GET", "/tokens", "Lists tokens, the oldest first, without their texts.", .any(.admin),
        query: [.optional("container", .text(limit: 64), "Only those for this container.")],
        answer: .json(.page("Tokens", "tokens", of: .schema(.token))), run: list),
      APIOperation(
        "createToken", "POST", "/tokens", "Makes a token.", .any(.admin),
        body: .fields(
          APISchema(
            "TokenRequest",
            [
              APIField("name", .name, "What it is for."),
              APIField("scope", .choice(AccessScope.allCases.map(\.rawValue)), "What it may do."),
              .optional("container", .text(limit: 64), "The one container it is for; all without it."),
              .optional("days", .integer(1...3650), "How long it is valid; for ever without it."),
            ])), status: 201, answer: .json(.withSecret(.token)), run: create),
      APIOperation(
        "getToken", "GET", "/token", "Tells what the token of the request may do.", .any(.read),
        answer: .json(.token), run: own),
      APIOperation(
        "revokeToken", "DELETE", "/tokens/{id}", "Ends a token.", .any(.admin), status: 204, answer: .nothing,
        run: revoke),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    var tokens: [AccessToken] = []
    if let containers = try call.asked(.admin) {
      for container in containers.sorted(by: { $0.text < $1.text }) { tokens += try await self.tokens(of: container) }
    } else {
      tokens = try await self.tokens(of: nil)
    }
    return .json(["tokens": .list(tokens.map { .map($0.json) })])
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let container = call.text("container").map { ContainerID($0) }
    if let own = call.containers(with: .admin) {
      guard let container, own.contains(container) else { throw .anotherContainer(call.caller) }
    }
    if let container, try await context.container(container) == nil { throw .notFound("container") }
    guard let scope = call.text("scope").flatMap(AccessScope.init(rawValue:)) else {
      throw .badRequest("scope is missing")
    }
    let secret = Secret(.access, from: context.random)
    let token = AccessToken(
      id: context.random.identifier(), name: try call.name(), digest: secret.digest, scope: scope,
      container: container, created: call.time, expires: call.integer("days").map { call.time + $0 * 86_400_000 },
      user: call.caller?.user)
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.create(token, by: call.authorship)
    }
    return .json(token.json.merging(["token": .string(secret.text)]) { $1 })
  }

  private func revoke(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = call.path["id"] ?? ""
    if let own = call.containers(with: .admin) {
      var known: [AccessToken] = []
      for container in own { known += try await tokens(of: container) }
      guard known.contains(where: { $0.id == id }) else { throw .notFound("token") }
    }
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.revokeToken(id, by: call.authorship)
    }
    return .nothing
  }

  /// What a token may do, for a client that wants to know before it begins.
  private func own(_ call: APICall) throws(APIError) -> APIAnswer {
    guard let token = call.caller?.token else { throw .notFound("token") }
    return .json(token.json)
  }

  private func tokens(of container: ContainerID?) async throws(APIError) -> [AccessToken] {
    try await context.stored { () throws(WorkspaceStoreError) in try await context.store.tokens(of: container) }
  }
}
