import Hits
import TagManager

/// Environments and their tokens (CO-400).
struct EnvironmentOperations: Sendable {
  let context: APIContext

  private static let path = "/containers/{container}/environments"

  var all: [APIOperation] {
    [
      APIOperation(
        "listEnvironments", "GET", Self.path, "Lists the environments with what is in force there.",
        .container(.read), answer: .json(.page("Environments", "environments", of: .schema(.environment))), run: list),
      APIOperation(
        "createEnvironment", "POST", Self.path, "Makes an environment; apps open it with its token.",
        .container(.admin),
        body: .fields(
          APISchema(
            "NewEnvironmentName",
            [APIField("name", .text(limit: 64), "Up to 64 letters, digits, _, - and dots; it begins with no dot.")])),
        status: 201,
        answer: .json(.withSecret(.environment)), run: create),
      APIOperation(
        "renewEnvironmentToken", "POST", Self.path + "/{environment}/token",
        "Gives an environment another token; the former one opens it no more.", .container(.admin), status: 201,
        answer: .json(.withSecret(.environment)), run: renew),
      APIOperation(
        "removeEnvironment", "DELETE", Self.path + "/{environment}", "Removes an environment other than live.",
        .container(.admin), status: 204, answer: .nothing, run: remove),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let environments = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.environments(of: id)
    }
    var shown: [Value] = []
    for environment in environments {
      let inForce = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.publications(of: id, in: environment.name, limit: 1)
      }
      shown.append(.map(environment.json(inForce.first)))
    }
    return .json(["environments": .list(shown)])
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let name = call.text("name") ?? ""
    guard ContainerEnvironment.isName(name) else {
      throw .badRequest("name must be up to 64 letters, digits, _, - and dots, and begins with no dot")
    }
    let secret = Secret(.environment, from: context.random)
    let environment = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.createEnvironment(name, of: id, digest: secret.digest, by: call.authorship)
    }
    return await answer(environment, secret)
  }

  private func renew(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let secret = Secret(.environment, from: context.random)
    let environment = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.renewToken(
        ofEnvironment: call.path["environment"] ?? "", of: id, digest: secret.digest, by: call.authorship)
    }
    return await answer(environment, secret)
  }

  private func answer(_ environment: ContainerEnvironment, _ secret: Secret) async -> APIAnswer {
    await context.didChangeDelivery()
    return .json(environment.json(nil).merging(["token": .string(secret.text)]) { $1 })
  }

  private func remove(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.removeEnvironment(call.path["environment"] ?? "", of: id, by: call.authorship)
    }
    await context.didChangeDelivery()
    return .nothing
  }
}
