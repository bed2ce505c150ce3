import Authoring
import Hits
import TagManager

/// Single entities of the draft: tags, triggers, variables, built-in variables, folders and templates (CO-200).
struct EntityOperations: Sendable {
  let context: APIContext

  private static let path = "/containers/{container}/workspace/{kind}"

  var all: [APIOperation] {
    let saved = APIOperation.Answer.json(.saved)
    return [
      APIOperation(
        "listEntities", "GET", Self.path,
        "Lists entities of a kind in their order: \(EntityCollection.allCases.map(\.rawValue).joined(separator: ", ")).",
        .container(.read),
        query: [
          .optional("after", .count, "How many to leave out before the page."), ContainerOperations.limit,
          .optional("search", .shortText, "Only those whose name or type has this in it."),
        ],
        answer: .json(
          .page(
            "Entities", "entities", of: .object,
            [APIField("revision", .count, "The draft's revision."), APIField("total", .count, "How many there are.")])),
        run: list),
      APIOperation(
        "createEntity", "POST", Self.path, "Adds an entity; its id is made when it has none.", .container(.edit),
        query: [WorkspaceOperations.revision], body: .document("The entity as in an export file."), status: 201,
        answer: saved, run: create),
      APIOperation(
        "getEntity", "GET", Self.path + "/{id}", "Gives an entity.", .container(.read),
        answer: .json(
          APISchema(
            "EntityOfRevision",
            [
              APIField("revision", .count, "The draft's revision."),
              APIField("entity", .object, "The entity as in an export file."),
            ])), run: get),
      APIOperation(
        "putEntity", "PUT", Self.path + "/{id}",
        "Replaces an entity, or adds it; a variable's new name goes into all references to it.", .container(.edit),
        query: [WorkspaceOperations.revision], body: .document("The entity as in an export file."), answer: saved,
        run: put),
      APIOperation(
        "deleteEntity", "DELETE", Self.path + "/{id}", "Removes an entity.", .container(.edit),
        query: [WorkspaceOperations.revision], answer: saved, run: delete),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let collection = try call.collection()
    let (draft, workspace) = try await context.draft(of: call.inContainer())
    var all = collection.fields(in: workspace)
    if let search = call.text("search")?.lowercased(), !search.isEmpty {
      all = all.filter { fields in
        ["name", "type"].contains { fields[$0]?.string?.lowercased().contains(search) ?? false }
      }
    }
    let start = Int(min(call.integer("after") ?? 0, Int64(all.count)))
    let page = all[start...].prefix(call.limit())
    var answer: [String: Value] = [
      "revision": .int(draft.revision), "total": .int(Int64(all.count)), "entities": .list(page.map(Value.map)),
    ]
    if page.endIndex < all.endIndex { answer["next"] = .int(Int64(page.endIndex)) }
    return .json(answer)
  }

  private func get(_ call: APICall) async throws(APIError) -> APIAnswer {
    let collection = try call.collection()
    let (draft, workspace) = try await context.draft(of: call.inContainer())
    guard let fields = collection.entity(call.path["id"] ?? "", in: workspace) else { throw .notFound("entity") }
    return .json(["revision": .int(draft.revision), "entity": .map(fields)])
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    try await change(call) { workspace, collection throws(APIError) in
      var fields = try Self.entity(call.body)
      let id = collection.freshID(for: fields, in: workspace)
      guard !id.isEmpty else { throw .badRequest("the entity has no \(collection.kind.idField)") }
      guard collection.entity(id, in: workspace) == nil else {
        throw APIError(409, .exists, "there is an entity of that id")
      }
      fields[collection.kind.idField] = .string(id)
      collection.put(fields, id: id, in: &workspace)
      return (id, fields)
    }
  }

  private func put(_ call: APICall) async throws(APIError) -> APIAnswer {
    try await change(call) { workspace, collection throws(APIError) in
      let id = call.path["id"] ?? ""
      var fields = try Self.entity(call.body)
      fields[collection.kind.idField] = .string(id)
      collection.put(fields, id: id, in: &workspace)
      return (id, collection.entity(id, in: workspace))
    }
  }

  private func delete(_ call: APICall) async throws(APIError) -> APIAnswer {
    try await change(call) { workspace, collection throws(APIError) in
      let id = call.path["id"] ?? ""
      guard collection.remove(id, from: &workspace) else { throw .notFound("entity") }
      return (id, nil)
    }
  }

  private typealias EntityEdit = (inout Workspace, EntityCollection) throws(APIError) -> (
    id: String, entity: [String: Value]?
  )

  /// Changes the draft that the author has seen, and saves it.
  private func change(_ call: APICall, _ edit: EntityEdit) async throws(APIError) -> APIAnswer {
    let collection = try call.collection()
    let container = try call.inContainer()
    let revision = try call.revision()
    var (draft, workspace) = try await context.draft(of: container)
    let isStale = draft.revision != revision
    // Also when it is stale: the author gets back what the change would have made of what is there now.
    let edited = try edit(&workspace, collection)
    if isStale { throw .stale(draft, yours: workspace.exportBytes) }
    draft = try await context.save(
      workspace, of: container, basedOn: revision, subject: "\(collection.kind.rawValue) \(edited.id.prefix(64))",
      by: call.authorship)
    return .json(workspace.saved(as: draft.revision, entity: edited.entity.map(Value.map)))
  }

  private static func entity(_ body: [UInt8]) throws(APIError) -> [String: Value] {
    let limits = WorkspaceLimits.standard
    let value: Value
    do throws(JSONError) {
      value = try Value(
        json: body,
        limits: JSONLimits(
          bytes: limits.bytes, depth: limits.depth - 3, nodes: limits.nodes, textBytes: limits.textBytes))
    } catch {
      throw .badRequest("the entity cannot be read: \(error)")
    }
    guard let fields = value.map else { throw .badRequest("the entity is no object") }
    return fields
  }
}

extension APICall {
  fileprivate func collection() throws(APIError) -> EntityCollection {
    guard let collection = path["kind"].flatMap(EntityCollection.init(rawValue:)) else {
      throw .notFound("kind of entities")
    }
    return collection
  }
}
