import Authoring
import Hits
import TagManager

/// The draft of a container as a whole: get, replace, import, export, validate, compare (CO-201, CO-206, CO-401).
struct WorkspaceOperations: Sendable {
  let context: APIContext

  static let revision = APIField("revision", .count, "The revision that the change is based on.")
  private static let path = "/containers/{container}/workspace"

  var all: [APIOperation] {
    [
      APIOperation(
        "getWorkspace", "GET", Self.path, "Gives the draft with its revision.", .container(.read),
        answer: .json(.draft), run: get),
      APIOperation(
        "replaceWorkspace", "PUT", Self.path,
        "Replaces the draft by an export file; 409 with both texts when somebody has saved since.", .container(.edit),
        query: [Self.revision], body: .document("The export file."), answer: .json(.saved), run: replace),
      APIOperation(
        "importWorkspace", "POST", Self.path + "/import",
        "Puts an export file into the draft, or tells what that would change.", .container(.edit),
        query: [
          Self.revision,
          .optional("mode", .choice(["overwrite", "merge"]), "Replaces all, or adds; merge without it."),
          .optional(
            "conflict", .choice(["rename", "overwrite"]),
            "What becomes of what is imported under a name that is taken; rename without it."),
          .optional("dryRun", .flag, "Whether to tell only."),
        ], body: .document("The export file."), answer: .json(Self.importedSchema), run: importFile),
      APIOperation(
        "exportWorkspace", "GET", Self.path + "/export", "Gives the draft as an export file.", .container(.read),
        answer: .file(["application/json"]), run: export),
      APIOperation(
        "validateWorkspace", "GET", Self.path + "/diagnostics", "Tells what the author should know about the draft.",
        .container(.read),
        answer: .json(
          APISchema(
            "Diagnostics",
            [
              APIField("revision", .count, "The revision that was looked at."),
              APIField("isPublishable", .flag, "Whether nothing stops publishing."),
              APIField("diagnostics", .list(.schema(.diagnostic)), "Errors first."),
            ])), run: validate),
      APIOperation(
        "compareWorkspace", "GET", Self.path + "/changes", "Tells what the draft changes in a version.",
        .container(.read),
        query: [.optional("version", .count, "The version; the one that the draft was last made a version of.")],
        answer: .json(Self.changesSchema), run: compare),
    ]
  }

  static let changesSchema = APISchema(
    "Changes", [APIField("changes", .list(.schema(.change)), "What is different, kind by kind.")])

  private static let importedSchema = APISchema(
    "Imported",
    [
      APIField("revision", .count, "The draft's revision, a new one unless it was a dry run."),
      APIField("changes", .list(.schema(.change)), "What is different from before."),
      APIField(
        "renamings",
        .list(
          .schema(
            APISchema(
              "Renaming",
              [
                APIField("kind", .choice(EntityKind.allCases.map(\.rawValue)), "The kind of the entity."),
                APIField("from", .longText, "Its name in the import."), APIField("to", .longText, "Its name now."),
              ]))), "Which imported entities got new names."),
      APIField("diagnostics", .list(.schema(.diagnostic)), "What the author should know about the result."),
    ])

  private func get(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let draft = try await context.stored { () throws(WorkspaceStoreError) in try await context.store.draft(of: id) }
    guard let draft else { throw .notFound("container") }
    return .document(draft.envelope)
  }

  private func export(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let draft = try await context.stored { () throws(WorkspaceStoreError) in try await context.store.draft(of: id) }
    guard let draft else { throw .notFound("container") }
    return .file(draft.text, name: "\(id.text).workspace.json", type: "application/json")
  }

  private func replace(_ call: APICall) async throws(APIError) -> APIAnswer {
    let workspace = try WorkspaceText.workspace(call.body)
    let draft = try await context.save(
      workspace, of: call.inContainer(), basedOn: call.revision(), subject: "workspace", by: call.authorship)
    return .json(workspace.saved(as: draft.revision))
  }

  private func importFile(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let revision = try call.revision()
    let imported = try WorkspaceText.workspace(call.body)
    let (draft, present) = try await context.draft(of: id)
    guard draft.revision == revision else { throw .stale(draft, yours: imported.exportBytes) }
    let plan = ImportPlan(of: imported, into: present, mode: ImportMode(call))
    var now = revision
    if !call.flag("dryRun") {
      now = try await context.save(
        plan.workspace, of: id, basedOn: revision, subject: "import", by: call.authorship
      ).revision
    }
    return .json([
      "revision": .int(now), "changes": .list(plan.changes.map(\.json)),
      "renamings": .list(
        plan.renamings.map {
          ["kind": .string($0.kind.rawValue), "from": .string($0.from), "to": .string($0.to)]
        }), "diagnostics": .list(plan.workspace.diagnostics.map(\.json)),
    ])
  }

  private func validate(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let (draft, workspace) = try await context.draft(of: id)
    // Compiling finds everything that validation does, and what is too large besides.
    let compilation = context.compilation(of: workspace, as: id, version: nil)
    return .json([
      "revision": .int(draft.revision), "isPublishable": .bool(compilation.container != nil),
      "diagnostics": .list(compilation.diagnostics.map(\.json)),
    ])
  }

  private func compare(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let (draft, workspace) = try await context.draft(of: id)
    let number = call.integer("version").map { Int($0) } ?? draft.base
    let other = try await context.workspace(ofVersion: number, of: id, before: workspace)
    return .json(["changes": .list(other.changes(to: workspace).map(\.json))])
  }
}

extension ImportMode {
  fileprivate init(_ call: APICall) {
    guard call.text("mode") != "overwrite" else {
      self = .overwrite
      return
    }
    self = .merge(onConflict: call.text("conflict").flatMap(ConflictResolution.init(rawValue:)) ?? .rename)
  }
}

extension Workspace {
  /// What is told after a save.
  func saved(as revision: Int64, entity: Value? = nil) -> [String: Value] {
    var answer: [String: Value] = [
      "revision": .int(revision), "diagnostics": .list(diagnostics.map(\.json)),
    ]
    answer["entity"] = entity
    return answer
  }
}

extension APIAnswer {
  /// A file to be saved under a name, which is plain ASCII.
  static func file(_ bytes: [UInt8], name: String, type: String) -> APIAnswer {
    APIAnswer(
      headers: ["Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\""], body: bytes)
  }
}
