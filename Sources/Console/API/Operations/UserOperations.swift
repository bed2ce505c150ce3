import Hits
import TagManager

/// People: list, make, give roles, disable, give a password (CO-901, CO-902).
struct UserOperations: Sendable {
  let context: APIContext

  private static let password = APIType.text(limit: PasswordRule.bytes.upperBound)

  var all: [APIOperation] {
    [
      APIOperation(
        "listUsers", "GET", "/users", "Lists people by name, with their roles.", .server(.admin),
        answer: .json(.page("Users", "users", of: .schema(.user))), run: list),
      APIOperation(
        "createUser", "POST", "/users", "Makes a person who may sign in.", .server(.admin),
        body: .fields(
          APISchema(
            "NewUser",
            [
              APIField("name", .name, "By what the person signs in."),
              APIField("password", Self.password, "The first password, at least 10 characters."),
              APIField("roles", .list(.schema(.role)), "What the person may do."),
            ])), status: 201, answer: .json(.user), run: create),
      APIOperation(
        "changeUser", "PATCH", "/users/{id}", "Gives a person other roles, or lets nobody in by that name.",
        .server(.admin),
        body: .fields(
          APISchema(
            "UserChange",
            [
              .optional("roles", .list(.schema(.role)), "What the person may do from now on."),
              .optional("isDisabled", .flag, "Whether the person is let in no more; sessions end."),
            ])), answer: .json(.user), run: change),
      APIOperation(
        "setUserPassword", "PUT", "/users/{id}/password", "Gives a person another password; sessions end.",
        .server(.admin),
        body: .fields(APISchema("NewPassword", [APIField("password", Self.password, "The password.")])),
        status: 204, answer: .nothing, run: setPassword),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let users = try await context.stored { () throws(WorkspaceStoreError) in try await context.store.users() }
    return .json(["users": .list(users.map { .map($0.json) })])
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let user = ConsoleUser(
      id: context.random.identifier(), name: try call.name(), created: call.time, rights: try await rights(call))
    let password = try await context.passwordHash(call.text("password"))
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.create(user, password: password, by: call.authorship)
    }
    return .json(user.json)
  }

  private func change(_ call: APICall) async throws(APIError) -> APIAnswer {
    var user = try await user(call)
    if call.fields["roles"] != nil {
      let rights = try await rights(call)
      user = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.setRights(rights, of: user.id, by: call.authorship)
      }
    }
    if call.fields["isDisabled"] != nil {
      user = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.setDisabled(call.flag("isDisabled"), of: user.id, by: call.authorship)
      }
    }
    return .json(user.json)
  }

  private func setPassword(_ call: APICall) async throws(APIError) -> APIAnswer {
    let user = try await user(call)
    guard let password = try await context.passwordHash(call.text("password")) else {
      throw .badRequest("password is missing")
    }
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.setPassword(password, of: user.id, keeping: nil, by: call.authorship)
    }
    return .nothing
  }

  private func user(_ call: APICall) async throws(APIError) -> ConsoleUser {
    let user = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.user(call.path["id"] ?? "")
    }
    guard let user else { throw .notFound("person") }
    return user
  }

  private func rights(_ call: APICall) async throws(APIError) -> AccessRights {
    var rights = AccessRights()
    for entry in (call.fields["roles"]?.list ?? []).compactMap(\.map) {
      guard let scope = entry["role"]?.string.flatMap(AccessScope.init(role:)) else {
        throw .badRequest("a role is missing")
      }
      guard let text = entry["container"]?.string, !text.isEmpty else {
        rights.everywhere = scope
        continue
      }
      let id = ContainerID(text)
      guard id.isValid, try await context.container(id) != nil else {
        throw .field("roles", "there is no container \(text.prefix(64))")
      }
      rights.containers[id] = scope
    }
    return rights
  }
}
