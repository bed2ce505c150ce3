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
        query: [
          .optional("after", .shortText, "The id after which the page begins."), Self.limit,
          .optional("search", .shortText, "Only those whose id or name has this in it."),
        ],
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
        "renameContainer", "PATCH", "/containers/{container}",
        "Gives a container another name, or says whether versions need approval.",
        .container(.admin),
        body: .fields(
          APISchema(
            "ContainerChange",
            [
              .optional("name", .name, "The new name."),
              .optional("requiresApproval", .flag, "Whether another person must publish an author's change."),
            ])),
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
    let limit = call.limit()
    var found: [AuthoredContainer] = []
    var after = call.text("after").map { ContainerID($0) }
    let search = call.text("search")?.lowercased() ?? ""
    while found.count <= limit {
      let page = try await page(after: after, of: call, limit: search.isEmpty ? limit + 1 : 500)
      found += page.filter { $0.contains(search) }
      guard let last = page.last, !search.isEmpty else { break }
      after = last.id
    }
    let page = found.prefix(limit)
    var answer: [String: Value] = ["containers": .list(page.map { .map($0.json) })]
    if found.count > limit { answer["next"] = page.last.map { .string($0.id.text) } }
    return .json(answer)
  }

  /// Containers above an id that the caller may read.
  private func page(
    after: ContainerID?, of call: APICall, limit: Int
  ) async throws(APIError) -> [AuthoredContainer] {
    guard let own = call.containers(with: .read) else {
      return try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.containers(after: after, limit: limit)
      }
    }
    var found: [AuthoredContainer] = []
    for id in own.sorted(by: { $0.text.precedesInBytes($1.text) }) where found.count < limit {
      guard after?.text.precedesInBytes(id.text) ?? true else { continue }
      if let container = try await context.container(id) { found.append(container) }
    }
    return found
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
    let id = try call.inContainer()
    var changed = call.container
    if call.fields["name"] != nil {
      let name = try call.name()
      changed = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.rename(id, to: name, by: call.authorship)
      }
    }
    if call.fields["requiresApproval"] != nil {
      changed = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.setApproval(call.flag("requiresApproval"), of: id, by: call.authorship)
      }
    }
    guard let changed else { throw .notFound("container") }
    return .json(changed.json)
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
    if let own = call.containers(with: .admin), !own.contains(id) { throw .anotherContainer(call.caller) }
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.restore(id, by: call.authorship)
    }
    await context.didChangeDelivery()
    guard let container = try await context.container(id) else { throw .notFound("container") }
    return .json(container.json)
  }
}

extension AuthoredContainer {
  /// Whether a text in lower case is in its id or name.
  fileprivate func contains(_ search: String) -> Bool {
    search.isEmpty || id.text.lowercased().contains(search) || name.lowercased().contains(search)
  }
}
