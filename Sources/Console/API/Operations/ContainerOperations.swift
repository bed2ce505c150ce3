import Authoring
import Hits
import TagManager

/// Containers: list, make, rename, remove, bring back (CO-200, CO-202).
struct ContainerOperations: Sendable {
  let context: APIContext

  static let limit = APIField.optional("limit", .integer(1...1000), "How many to give; 100 without it.")

  var all: [APIOperation] {
    [
      APIOperation(
        "listContainers", "GET", "/containers", "Lists the containers that the token may read, by id.", .any(.read),
        query: [.optional("after", .shortText, "The id after which the page begins."), Self.limit],
        answer: .json(.page("Containers", "containers", of: .schema(.container))), run: list),
      APIOperation(
        "createContainer", "POST", "/containers", "Makes a container with an empty workspace.", .server(.admin),
        body: .fields(
          APISchema(
            "NewContainer",
            [
              APIField("name", .name, "What people call it."),
              .optional("id", .text(limit: 64), "By what apps open it; one is made when it is missing."),
              .optional("kind", .choice(ContainerKind.allCases.map(\.rawValue)), "What it is for; ios without it."),
            ])), status: 201, answer: .json(.container), run: create),
      APIOperation(
        "getContainer", "GET", "/containers/{container}", "Gives a container.", .container(.read),
        answer: .json(.container), run: get),
      APIOperation(
        "renameContainer", "PATCH", "/containers/{container}", "Gives a container another name.", .container(.admin),
        body: .fields(APISchema("ContainerChange", [APIField("name", .name, "The new name.")])),
        answer: .json(.container), run: rename),
      APIOperation(
        "removeContainer", "DELETE", "/containers/{container}",
        "Removes a container; apps get it no more. It can be restored.", .container(.admin), status: 204,
        answer: .nothing, run: remove),
      APIOperation(
        "restoreContainer", "POST", "/restore", "Brings a removed container back, with all that belongs to it.",
        .any(.admin),
        body: .fields(APISchema("Restoring", [APIField("container", .text(limit: 64), "The container's id.")])),
        answer: .json(.container), run: restore),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let after = call.text("after").map { ContainerID($0) }
    let limit = call.limit()
    var found: [AuthoredContainer]
    if let only = call.caller?.container {
      found = try await context.container(only).map { [$0] } ?? []
      if let after { found.removeAll { !after.text.precedesInBytes($0.id.text) } }
    } else {
      found = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.containers(after: after, limit: limit + 1)
      }
    }
    let page = found.prefix(limit)
    var answer: [String: Value] = ["containers": .list(page.map { .map($0.json) })]
    if found.count > limit { answer["next"] = page.last.map { .string($0.id.text) } }
    return .json(answer)
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = call.text("id").map { ContainerID($0) } ?? freshID()
    guard id.isValid else { throw .badRequest("id must be a letter or digit and at most 63 letters, digits, _ or -") }
    let kind = call.text("kind").flatMap(ContainerKind.init(rawValue:)) ?? .iOS
    let container = AuthoredContainer(id: id, kind: kind, name: try call.name(), created: call.time)
    var workspace = Workspace()
    workspace.container = [
      "publicId": .string(id.text), "name": .string(container.name),
      "usageContext": [.string(kind.rawValue.uppercased())],
    ]
    let text = workspace.exportBytes
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.create(container, draft: text, by: call.authorship)
    }
    await context.didChangeDelivery()
    return .json(container.json)
  }

  /// `GTM-` and seven letters or digits that are not taken for each other.
  private func freshID() -> ContainerID {
    let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return ContainerID(
      "GTM-" + String((0..<7).map { _ in characters[Int(context.random.integer(in: 0...31))] }))
  }

  private func get(_ call: APICall) async throws(APIError) -> APIAnswer {
    guard let container = call.container else { throw .notFound("container") }
    return .json(container.json)
  }

  private func rename(_ call: APICall) async throws(APIError) -> APIAnswer {
    let (id, name) = (try call.inContainer(), try call.name())
    let container = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.rename(id, to: name, by: call.authorship)
    }
    return .json(container.json)
  }

  private func remove(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.remove(id, by: call.authorship)
    }
    await context.didChangeDelivery()
    return .nothing
  }

  private func restore(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = ContainerID(call.text("container") ?? "")
    // Who may remove a container may undo that, and it is not there to be named in the path.
    if let own = call.caller?.container, own != id { throw .forbidden(tokenFor: own) }
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.restore(id, by: call.authorship)
    }
    await context.didChangeDelivery()
    guard let container = try await context.container(id) else { throw .notFound("container") }
    return .json(container.json)
  }
}
