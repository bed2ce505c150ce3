import Authoring
import Hits
import TagManager

/// Versions: make, list, compare, download (CO-400, CO-405).
struct VersionOperations: Sendable {
  let context: APIContext

  private static let path = "/containers/{container}/versions"

  var all: [APIOperation] {
    [
      APIOperation(
        "listVersions", "GET", Self.path, "Lists the versions, the newest first.", .container(.read),
        query: [
          .optional("before", .count, "The number below which the page begins."), ContainerOperations.limit,
        ], answer: .json(.page("Versions", "versions", of: .schema(.version))), run: list),
      APIOperation(
        "createVersion", "POST", Self.path, "Makes a version of the draft.", .container(.edit),
        body: .fields(
          APISchema(
            "NewVersion",
            [
              .optional("name", .name, "Its name."), .optional("notes", .longText, "What is new in it."),
              APIField("revision", .count, "The revision of the draft that it is made of."),
            ])), status: 201, answer: .json(.version), run: create),
      APIOperation(
        "getVersion", "GET", Self.path + "/{version}", "Gives what is known about a version.", .container(.read),
        answer: .json(.version), run: get),
      APIOperation(
        "approveVersion", "POST", Self.path + "/{version}/approve",
        "Approves of a version that others have made, so that they may publish it.", .container(.publish),
        answer: .json(.version), run: approve),
      APIOperation(
        "compareVersion", "GET", Self.path + "/{version}/changes", "Tells what a version changes in another.",
        .container(.read),
        query: [.optional("from", .count, "The other version; the one before it without this.")],
        answer: .json(WorkspaceOperations.changesSchema), run: compare),
      APIOperation(
        "downloadVersion", "GET", Self.path + "/{version}/download",
        "Gives a version as a file, named as an app's default container must be.", .container(.read),
        query: [
          .optional("form", .choice(Self.forms), "The form of the file; json, the compiled one, without it.")
        ],
        answer: .file(["application/json", "application/x-protobuf", "application/x-plist"]), run: download),
    ]
  }

  private static let workspaceForm = "workspace"
  private static let forms = ContainerOutput.allCases.map(\.rawValue) + [workspaceForm]

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let limit = call.limit()
    let found = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.versions(
        of: id, before: call.integer("before").map { Int($0) }, limit: limit + 1)
    }
    let page = found.prefix(limit)
    var answer: [String: Value] = ["versions": .list(page.map { .map($0.json) })]
    if found.count > limit { answer["next"] = page.last.map { .int(Int64($0.number)) } }
    return .json(answer)
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let revision = try call.revision()
    let outcome = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.createVersion(
        of: id, basedOn: revision, name: call.text("name") ?? "", notes: call.text("notes") ?? "", by: call.authorship)
    }
    switch outcome {
    case .done(let version): return .json(version.json)
    case .stale(let draft): throw .stale(draft, yours: nil)
    }
  }

  private func get(_ call: APICall) async throws(APIError) -> APIAnswer { .json(try await version(call).json) }

  private func version(_ call: APICall) async throws(APIError) -> ContainerVersion {
    let (id, number) = (try call.inContainer(), try call.version())
    let version = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.version(number, of: id)
    }
    guard let version else { throw .notFound("version") }
    return version
  }

  private func approve(_ call: APICall) async throws(APIError) -> APIAnswer {
    let (id, number) = (try call.inContainer(), try call.version())
    let version = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.approve(number, of: id, by: call.authorship)
    }
    return .json(version.json)
  }

  private func compare(_ call: APICall) async throws(APIError) -> APIAnswer {
    let version = try await version(call)
    let workspace = try await context.workspace(ofVersion: version.number, of: version.container)
    let number = call.integer("from").map { Int($0) } ?? version.parent
    let other = try await context.workspace(ofVersion: number, of: version.container, before: workspace)
    return .json(["changes": .list(other.changes(to: workspace).map(\.json))])
  }

  private func download(_ call: APICall) async throws(APIError) -> APIAnswer {
    let (id, number) = (try call.inContainer(), try call.version())
    let form = call.text("form") ?? ContainerOutput.json.rawValue
    guard let output = ContainerOutput(rawValue: form) else {
      let text = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.text(ofVersion: number, of: id)
      }
      guard let text else { throw .notFound("version") }
      return .file(text, name: "\(id.text).workspace.json", type: "application/json")
    }
    let container = try await context.compiled(version: number, of: id)
    do throws(ContainerEncodingError) {
      return .file(try output.bytes(of: container), name: output.fileName(of: id), type: output.mediaType)
    } catch {
      throw APIError(422, .invalid, "the version cannot be written as \(form): \(error.message)")
    }
  }
}

extension ContainerOutput {
  fileprivate var mediaType: String {
    switch self {
    case .json, .values: "application/json"
    case .binary: "application/x-protobuf"
    case .plist: "application/x-plist"
    }
  }
}
