import Authoring
import Hits
import TagManager

/// One container on a console: its draft, versions and environments, as files in git see them (CO-900).
struct RemoteContainer {
  let id: ContainerID
  let client: ConsoleClient
  private var path: String { "/containers/\(id)" }

  /// The draft as it is on the server.
  struct Draft {
    var revision: Int64
    /// The version that it was last made of, or that was last made of it.
    var base: Int64?
    var workspace: Value
  }

  /// nil without the container.
  func draft() async throws(CommandFailure) -> Draft? {
    guard let fields = try await client.find(path + "/workspace")?.fields else { return nil }
    guard case .int(let revision) = fields["revision"], let workspace = fields["workspace"] else {
      throw CommandFailure("the server's answer has no workspace", status: .unavailable)
    }
    var base: Int64?
    if case .int(let number) = fields["base"] { base = number }
    return Draft(revision: revision, base: base, workspace: workspace)
  }

  /// The export of a version.
  func workspace(ofVersion number: Int64) async throws(CommandFailure) -> Value {
    .map(try await client.send("GET", path + "/versions/\(number)/download", query: ["form": "workspace"]).fields)
  }

  /// Makes the container, named and of a kind as the workspace says.
  func create(_ workspace: Workspace) async throws(CommandFailure) {
    let name = workspace.container["name"]?.string ?? ""
    var fields: [String: Value] = ["id": .string(id.text), "name": .string(name.isEmpty ? id.text : name)]
    fields["kind"] = workspace.kinds.first.map { .string($0.rawValue) }
    _ = try await client.send("POST", "/containers", body: Value.map(fields).jsonBytes)
  }

  /// Puts a workspace in the place of the draft.
  ///
  /// A draft with changes that are in no version is somebody's work: it is replaced only when that is forced.
  ///
  /// - Returns: the draft's revision.
  func push(_ workspace: Workspace, creates: Bool, isForced: Bool) async throws(CommandFailure) -> Int64 {
    var found = try await draft()
    if found == nil, creates {
      try await create(workspace)
      found = try await draft()
    }
    guard let draft = found else {
      throw CommandFailure("there is no container \(id) on the server, or the token may not see it; --create makes it")
    }
    if draft.workspace == workspace.exported { return draft.revision }
    if !isForced, try await hasWork(draft) {
      throw CommandFailure(
        "the draft on the server has changes that are in no version; pull them, or replace them with --force")
    }
    let answer = try await client.send(
      "PUT", path + "/workspace", query: ["revision": String(draft.revision)], body: workspace.exportBytes)
    guard case .int(let revision) = try answer.fields["revision"] else { return draft.revision + 1 }
    return revision
  }

  private func hasWork(_ draft: Draft) async throws(CommandFailure) -> Bool {
    if let base = draft.base { return try await workspace(ofVersion: base) != draft.workspace }
    let workspace = WorkspaceReading(export: draft.workspace.jsonBytes).workspace ?? Workspace()
    return !(workspace.tags.isEmpty && workspace.triggers.isEmpty && workspace.variables.isEmpty)
  }

  /// The environments by name, each with whether a version is live there; nil without the container.
  func environments() async throws(CommandFailure) -> [String: Bool]? {
    guard let list = try await client.find(path + "/environments")?.fields["environments"]?.list else { return nil }
    let pairs = list.compactMap(\.map).compactMap { fields in
      fields["name"]?.string.map { ($0, fields["publication"]?.map != nil) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Makes a version of the draft; the last one when nothing has changed since.
  func version(of revision: Int64, name: String?, notes: String?) async throws(CommandFailure) -> Int64 {
    if let draft = try await draft(), draft.revision == revision, let base = draft.base,
      try await workspace(ofVersion: base) == draft.workspace
    {
      try await tellUnused(name, notes, version: base)
      return base
    }
    var fields: [String: Value] = ["revision": .int(revision)]
    fields["name"] = name.map(Value.string)
    fields["notes"] = notes.map(Value.string)
    let answer = try await client.send("POST", path + "/versions", body: Value.map(fields).jsonBytes)
    guard case .int(let number) = try answer.fields["number"] else {
      throw CommandFailure("the server's answer names no version", status: .unavailable)
    }
    return number
  }

  /// Says that a version which is there already keeps its name and notes.
  private func tellUnused(_ name: String?, _ notes: String?, version: Int64) async throws(CommandFailure) {
    let fields = try await client.send("GET", path + "/versions/\(version)").fields
    let unused = [("--name", "name", name), ("--notes", "notes", notes)].filter { _, field, given in
      given.map { $0 != fields[field]?.string ?? "" } ?? false
    }
    guard !unused.isEmpty else { return }
    Output.message(
      "version \(version) is the same workspace, and a version never changes: "
        + "\(unused.map(\.0).joined(separator: " and ")) not used")
  }

  /// Makes a version live in an environment; gives the number of the publication.
  func publish(_ version: Int64, in environment: String, percent: Double) async throws(CommandFailure) -> Int64 {
    let answer = try await client.send(
      "POST", path + "/environments/\(URIEscape.hit.escape(environment))/publish",
      body: Value.map(["version": .int(version), "percent": .double(percent)]).jsonBytes)
    guard case .int(let sequence) = try answer.fields["sequence"] else {
      throw CommandFailure("the server's answer names no publication", status: .unavailable)
    }
    return sequence
  }
}
