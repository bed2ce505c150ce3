import Hits

/// `POST /setup`: the first administrator (CO-100).
struct SetupOperations: Sendable {
  let context: APIContext

  var all: [APIOperation] {
    [
      APIOperation(
        "setUp", "POST", "/setup", "Makes the first administrator; the token printed at the first start works once.",
        .open,
        body: .fields(
          APISchema(
            "Setup",
            [
              APIField("token", .shortText, "The one-time token."),
              APIField("name", .name, "The administrator's name."),
              .optional("password", .text(limit: 1024), "The password for the pages, which can be given later too."),
            ])), status: 201, answer: .json(.withSecret(.token)), run: setUp)
    ]
  }

  private static let refused = APIError(403, .forbidden, "the server is set up, or the token is another one")

  private func setUp(_ call: APICall) async throws(APIError) -> APIAnswer {
    let name = try call.name()
    let user = ConsoleUser(id: context.random.identifier(), name: name, created: call.time)
    let secret = Secret(.access, from: context.random)
    let token = AccessToken(
      id: context.random.identifier(), name: name, digest: secret.digest, scope: .admin, created: call.time,
      user: user.id)
    let digest = SecretDigest(of: call.text("token") ?? "")
    let isOver = try await context.stored { () throws(WorkspaceStoreError) in try await context.store.isSetUp() }
    // Before a password is hashed for nothing.
    guard !isOver else { throw Self.refused }
    let password = try await context.passwordHash(call.text("password"))
    let isDone = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.setUp(with: digest, administrator: user, password: password, token: token)
    }
    guard isDone else { throw Self.refused }
    return .json(token.json.merging(["token": .string(secret.text)]) { $1 })
  }
}

extension APICall {
  /// The field `name`, which says something and has no control characters.
  func name() throws(APIError) -> String {
    let name = text("name") ?? ""
    guard name.contains(where: { !$0.isWhitespace }), !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      throw .badRequest("name must be a line of text")
    }
    return name
  }
}
