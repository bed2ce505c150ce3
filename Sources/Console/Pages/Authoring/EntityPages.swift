import Authoring
import Hits

/// The lists of entities and their editors: what leads to which page.
struct EntityPages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/{kind}"

  var routes: [Route] {
    [
      site.route(Self.path, get: list),
      site.route(Self.path + "/new", get: new, post: create),
      site.route(Self.path + "/{id}", get: edit, post: save),
      site.route(Self.path + "/{id}/delete", post: remove),
    ]
  }

  private func collection(_ visit: Visit) throws(APIError) -> EntityCollection {
    guard let collection = EntityCollection(rawValue: visit.part("kind")) else { throw .notFound("page") }
    return collection
  }

  private func list(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let collection = try collection(visit)
    return collection == .builtInVariables
      ? try await BuiltInPage(visit: visit).show()
      : try await EntityListPage(visit: visit, collection: collection).show()
  }

  private func new(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let form = try await EntityFormPage(visit, collection(visit))
    guard let editor = form.choice.editor(ofNew: visit.query["type"] ?? "") else { return form.types() }
    var typed = TypedFields()
    editor.write([:], into: &typed)
    form.writeStandards(of: visit.query["type"] ?? "", into: &typed)
    return form.show(editor, FormParts(typed: typed), id: nil)
  }

  private func create(_ visit: Visit) async throws(APIError) -> ServerResponse {
    if try collection(visit) == .builtInVariables { return try await BuiltInPage(visit: visit).save() }
    let form = try await EntityFormPage(visit, collection(visit))
    guard let editor = form.choice.editor(ofNew: visit.form["type"] ?? "") else { throw .notFound("type") }
    return try await form.save(editor, former: [:], id: nil)
  }

  private func edit(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let form = try await EntityFormPage(visit, collection(visit))
    let fields = try form.entity()
    let editor = form.choice.editor(of: fields, asText: visit.query["as"] == "json")
    var typed = TypedFields()
    editor.write(fields, into: &typed)
    return form.show(editor, FormParts(typed: typed, isReadOnly: !visit.may(.edit)), id: visit.part("id"))
  }

  private func save(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let form = try await EntityFormPage(visit, collection(visit))
    let fields = try form.entity()
    let editor = form.choice.editor(of: fields, asText: visit.form["json"] != nil)
    return try await form.save(editor, former: fields, id: visit.part("id"))
  }

  private func remove(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let collection = try collection(visit)
    _ = try await visit.ask("deleteEntity", ["revision": .int(Int64(visit.form["revision"] ?? "") ?? 0)])
    return .seeOther(.container(visit.containerID, collection.rawValue).telling(.removed))
  }
}
