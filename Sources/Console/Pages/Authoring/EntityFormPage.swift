import Authoring
import Hits

/// The page with the form of an entity: shows it, saves it, and tells what stands in the way.
struct EntityFormPage: Sendable {
  let visit: Visit
  let collection: EntityCollection
  let container: ContainerFacts
  let draft: Draft
  let workspace: Workspace
  let choice: EditorChoice

  init(_ visit: Visit, _ collection: EntityCollection) async throws(APIError) {
    self.visit = visit
    self.collection = collection
    container = try await visit.container()
    (draft, workspace) = try await visit.draft()
    choice = EditorChoice(collection: collection, names: WorkspaceNames(workspace))
  }

  private var address: PageAddress { .container(container.id, collection.rawValue) }

  /// The entity in the path.
  func entity() throws(APIError) -> [String: Value] {
    guard let fields = collection.entity(visit.part("id"), in: workspace) else { throw .notFound(collection.noun) }
    return fields
  }

  private func frame(_ title: String) -> PageFrame {
    PageFrame(title: title, visit: visit, container: container, part: collection.part)
  }

  /// The types that a new entity can have.
  func types() -> ServerResponse {
    frame("New \(collection.noun)").page {
      element("h1", text: "New \(collection.noun)")
      element("p", text: "What should it be?")
      element("ul", .class("choices")) {
        for type in choice.types {
          element("li") {
            element("a", .href(address.adding("new").asking("type", type.id)), text: type.name)
            element("p", .class("help"), text: type.help)
          }
        }
      }
    }
  }

  /// Writes what a new entity of a type begins with.
  func writeStandards(of type: String, into typed: inout TypedFields) {
    for field in choice.types.first(where: { $0.id == type })?.fields ?? [] where !field.standard.isEmpty {
      typed[field.input] = field.standard
    }
    if let name = visit.query["name"] { typed["name"] = String(name.prefix(256)) }
  }

  /// The form.
  ///
  /// - Parameters:
  ///   - id: the entity's; nil for a new one.
  ///   - conflict: what somebody else has saved meanwhile.
  func show(
    _ editor: any EntityEditor, _ parts: FormParts, id: String?, conflict: HTML? = nil, status: Int = 200
  ) -> ServerResponse {
    let isText = editor is TextEditor
    let name = id.flatMap { collection.entity($0, in: workspace)?.word("name") } ?? ""
    let title = id == nil ? "New \(collection.noun)" : name.isEmpty ? id ?? "" : name
    let type = visit.query["type"] ?? visit.form["type"] ?? ""
    return frame(title).page(status: status) {
      element("h1", text: title)
      if let conflict { conflict } else { parts.summary }
      if let id, parts.problems.isEmpty, conflict == nil { diagnostics(id, editor) }
      element("form", Attribute("method", "post"), .action(id.map { address.adding($0) } ?? address.adding("new"))) {
        FormParts.token(visit)
        FormParts.hidden("revision", String(draft.revision))
        if id == nil { FormParts.hidden("type", type) }
        editor.html(parts)
        CommonInputs(names: choice.names).lists
        element("div", .class("actions")) {
          if !parts.isReadOnly {
            element("button", .type("submit"), text: conflict == nil ? "Save" : "Save mine")
          }
          element("a", .href(address), text: parts.isReadOnly ? "Back" : "Cancel")
          if let id, !isText { element("a", .href(address.adding(id).asking("as", "json")), text: "Edit as text") }
        }
      }
      if let id, !parts.isReadOnly, conflict == nil { removal(id) }
    }
  }

  private func removal(_ id: String) -> HTML {
    element("details", .class("danger")) {
      element("summary", text: "Remove this \(collection.noun)")
      element("form", Attribute("method", "post"), .action(address.adding(id, "delete"))) {
        FormParts.token(visit)
        FormParts.hidden("revision", String(draft.revision))
        element("p", text: "It goes out of the draft; versions that were made keep it.")
        element("button", .type("submit"), .class("danger"), text: "Remove")
      }
    }
  }

  private func diagnostics(_ id: String, _ editor: any EntityEditor) -> HTML? {
    let own = workspace.diagnostics.filter { $0.entity?.kind == collection.kind && $0.entity?.id == id }
    guard !own.isEmpty else { return nil }
    return element("ul", .class("diagnostics"), .label("What the author should know")) {
      for diagnostic in own.prefix(20) {
        element("li", .class("\(diagnostic.severity)"), text: "\(diagnostic.severity): \(diagnostic.message)")
      }
    }
  }

  /// Saves what the form says, or shows it again with what is wrong (CO-802).
  func save(
    _ editor: any EntityEditor, former: [String: Value], id: String?
  ) async throws(APIError) -> ServerResponse {
    var parts = FormParts(typed: visit.form)
    // Somebody wants more rows, and nothing saved yet.
    guard visit.form["more"] == nil else { return show(editor, parts, id: id) }
    var problems: [String: String] = [:]
    let fields = editor.entity(visit.form, former: former, problems: &problems)
    if problems["name"] == nil, isTaken(fields.word("name"), besides: id) {
      problems["name"] = "Another \(collection.noun) has that name."
    }
    parts.problems = problems
    guard problems.isEmpty else { return show(editor, parts, id: id, status: 422) }
    let revision = Int64(visit.form["revision"] ?? "") ?? 0
    do throws(APIError) {
      let saved = try await visit.ask(
        id == nil ? "createEntity" : "putEntity", ["revision": .int(revision)],
        body: Value.map(fields).jsonBytes)
      let made = saved["entity"]?.map?.word(collection.kind.idField) ?? id ?? ""
      return .seeOther(address.adding(made).telling(.saved))
    } catch {
      guard error.status == 409, error.texts != nil else { throw error }
      return show(editor, parts, id: id, conflict: conflict(former, fields), status: 409)
    }
  }

  private func isTaken(_ name: String, besides id: String?) -> Bool {
    guard !name.isEmpty else { return false }
    return collection.fields(in: workspace).contains { fields in
      fields.word(collection.kind.idField) != id && fields.word("name").lowercased() == name.lowercased()
    }
  }

  /// Two authors at once (CO-401): what is there now, beside what was typed.
  private func conflict(_ theirs: [String: Value], _ mine: [String: Value]) -> HTML {
    let keys = Set(theirs.keys).union(mine.keys).filter { theirs[$0] != mine[$0] }.sorted()
    return element("div", .class("problems"), Attribute("role", "alert")) {
      element("p") {
        "\(draft.saved.actor.name) has saved the workspace since you opened this page. "
        "Nothing of yours is lost: it is below, and not saved yet."
      }
      if !keys.isEmpty {
        element("table", .class("list diff")) {
          element("thead") {
            element("tr") {
              for text in ["Field", "There now", "Yours"] { element("th", Attribute("scope", "col"), text: text) }
            }
          }
          element("tbody") {
            for key in keys {
              element("tr") {
                element("th", Attribute("scope", "row"), text: key)
                element("td", Attribute("data-label", "There now")) { ChangeView.value(theirs[key]) }
                element("td", Attribute("data-label", "Yours")) { ChangeView.value(mine[key]) }
              }
            }
          }
        }
      }
      element("p") { "Save mine puts yours in its place. Reload the page to begin with what is there." }
    }
  }
}
