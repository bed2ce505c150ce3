import Hits

/// Import, looked at before it is done, and export (CO-201).
struct ExchangePages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/exchange"

  var routes: [Route] {
    [
      site.route(
        Self.path,
        get: { visit throws(APIError) in try await show(visit, FormParts(typed: TypedFields(["mode": "merge"]))) },
        // The file, its text once more in a form, where each quote may take three bytes.
        post: take, bodyLimit: WorkspaceText.limit * 2),
      site.route(Self.path + "/export", get: export),
    ]
  }

  private static let modes: [(value: String, text: String)] = [
    ("merge", "Add, under other names"), ("merge-overwrite", "Add, replacing the same names"),
    ("overwrite", "Replace the whole draft"),
  ]

  /// The page, with what an import would change.
  func show(
    _ visit: Visit, _ parts: FormParts, plan: [String: Value]? = nil, status: Int = 200
  ) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let (draft, workspace) = try await visit.draft()
    return PageFrame(title: "Import and export", visit: visit, container: container, part: .exchange).page(
      status: status
    ) {
      element("h1", text: "Import and export")
      if let plan { preview(plan, parts, visit, container, draft, FieldName(workspace)) }
      if visit.may(.edit) {
        element("section", .class("panel")) {
          element("h2", text: "Import")
          parts.summary
          element(
            "form", Attribute("method", "post"), Attribute("enctype", "multipart/form-data"),
            .action(.container(container.id, "exchange"))
          ) {
            FormParts.token(visit)
            element("div", .class("field")) {
              element("label", .for("f-file"), text: "Export file")
              element(
                "input", .id("f-file"), .type("file"), .name("file"), Attribute("accept", ".json,application/json"),
                Attribute(
                  "aria-describedby", parts.problems["file"] == nil ? "f-file-help" : "f-file-help f-file-problem"),
                parts.problems["file"].map { _ in Attribute("aria-invalid", "true") })
              element(
                "p", .class("help"), .id("f-file-help"),
                text: "A JSON file that this console or Google Tag Manager has exported (format 2 or 1.3).")
              parts.problem("file")
            }
            parts.choice(
              "mode", "What becomes of the draft", Self.modes,
              help: "Where a name is taken, what is added gets another name, or replaces what has it.")
            element("div", .class("actions")) {
              element("button", .type("submit"), text: "Look at what would change")
            }
          }
        }
      }
      element("section", .class("panel")) {
        element("h2", text: "Export")
        element("p", .class("help"), text: "The draft as an export file; versions can be exported on their own pages.")
        element("p") {
          element(
            "a", .class("button"), .href(.container(container.id, "exchange").adding("export")),
            text: "Export the draft")
        }
      }
    }
  }

  /// The dry run, and the step that does it.
  private func preview(
    _ plan: [String: Value], _ parts: FormParts, _ visit: Visit, _ container: ContainerFacts, _ draft: Draft,
    _ names: FieldName
  ) -> HTML {
    let renamings = plan.entries("renamings")
    return element("section", .class("panel made")) {
      element("h2", text: "What would change")
      ChangeView(changes: plan.entries("changes"), names: names).html
      if !renamings.isEmpty {
        element("h3", text: "New names")
        element("ul") {
          for renaming in renamings.prefix(200) {
            element(
              "li",
              text:
                "\(EntityCollection.noun(of: renaming.word("kind"))) “\(renaming.word("from"))” becomes “\(renaming.word("to"))”"
            )
          }
        }
      }
      element(
        "form", Attribute("method", "post"), Attribute("enctype", "multipart/form-data"),
        .action(.container(container.id, "exchange"))
      ) {
        FormParts.token(visit)
        FormParts.hidden("revision", String(draft.revision))
        FormParts.hidden("mode", parts.typed["mode"] ?? "merge")
        element(
          "textarea", .name("text"), .flag("hidden", true), .label("Export file"), text: parts.typed["text"] ?? "")
        element("div", .class("actions")) {
          element("button", .type("submit"), text: "Import it")
          element("a", .href(.container(container.id, "exchange")), text: "Cancel")
        }
      }
    }
  }

  private func take(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var parts = FormParts(typed: visit.form)
    let isDone = visit.form["text"] != nil
    guard let bytes = isDone ? Array((visit.form["text"] ?? "").utf8) : visit.file else {
      parts.problems = ["file": "Choose an export file."]
      return try await show(visit, parts, status: 422)
    }
    let mode = visit.form["mode"] ?? "merge"
    let revision = isDone ? Int64(visit.form["revision"] ?? "") ?? 0 : try await visit.draft().draft.revision
    do throws(APIError) {
      let plan = try await visit.ask(
        "importWorkspace",
        [
          "revision": .int(revision), "mode": mode == "overwrite" ? "overwrite" : "merge",
          "conflict": mode == "merge-overwrite" ? "overwrite" : "rename", "dryRun": .bool(!isDone),
        ], body: bytes)
      if isDone { return .seeOther(.container(visit.containerID, "changes").telling(.imported)) }
      parts.typed["text"] = String(decoding: bytes, as: UTF8.self)
      return try await show(visit, parts, plan: plan)
    } catch {
      guard [409, 413, 422].contains(error.status) else { throw error }
      let lines = error.diagnostics.prefix(5).compactMap(\.map).map(DiagnosticText.line)
      parts.problems = ["file": ([error.sentence] + lines).joined(separator: " ")]
      parts.typed["text"] = nil
      return try await show(visit, parts, status: error.status)
    }
  }

  private func export(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await visit.file("exportWorkspace").response(200)
  }
}
