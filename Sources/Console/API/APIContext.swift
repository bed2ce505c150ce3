import Authoring
import Hits
import TagManager

/// What the operations work with.
struct APIContext: Sendable {
  var store: any WorkspaceStore
  var clock: any HitClock = SystemHitClock()
  var random: any RandomSource = SystemRandomSource()
  /// Where browsers and apps reach this server, without a slash at the end.
  var publicURL: String
  var traces: TraceSessions
  /// Called after every change of what is delivered to apps.
  var didChangeDelivery: @Sendable () async -> Void = {}
  /// The hits that come in.
  var watch = HitWatch()
  var passwords: any PasswordHashing = Argon2Passwords()
  /// What was read of drafts.
  let drafts = DraftCache()
  /// Called with a line for the log when the store does not work.
  var report: @Sendable (String) -> Void = { _ in }

  /// Runs work on the store; its refusals are answers, and its failures are told in the log too.
  func stored<Result>(
    _ work: () async throws(WorkspaceStoreError) -> Result
  ) async throws(APIError) -> Result {
    do throws(WorkspaceStoreError) { return try await work() } catch {
      let answer = APIError(error)
      if answer.status == 500 { report("the console's store failed: \(error.message)") }
      throw answer
    }
  }

  /// The people behind browsers.
  var sessions: BrowserSessions { BrowserSessions(store: store, clock: clock, random: random) }

  /// What is to be stored of a password; nil for none.
  ///
  /// - Throws: 422 for a password that is too easy.
  func passwordHash(_ password: String?) async throws(APIError) -> String? {
    guard let password else { return nil }
    if let problem = PasswordRule.problem(with: password) { throw .field("password", problem) }
    return try await passwords.hash(password)
  }

  func container(_ id: ContainerID) async throws(APIError) -> AuthoredContainer? {
    try await stored { () throws(WorkspaceStoreError) in try await store.container(id) }
  }

  func token(_ digest: SecretDigest) async throws(APIError) -> AccessToken? {
    try await stored { () throws(WorkspaceStoreError) in try await store.token(digest) }
  }

  /// The draft of a container, with its workspace.
  func draft(of id: ContainerID) async throws(APIError) -> (draft: Draft, workspace: Workspace) {
    let draft = try await stored { () throws(WorkspaceStoreError) in try await store.draft(of: id) }
    guard let draft else { throw .notFound("container") }
    if let workspace = drafts.workspace(of: draft) { return (draft, workspace) }
    let workspace = try WorkspaceText.workspace(draft.text)
    drafts.keep(workspace, of: draft)
    return (draft, workspace)
  }

  /// The workspace of a version.
  func workspace(ofVersion number: Int, of id: ContainerID) async throws(APIError) -> Workspace {
    let text = try await stored { () throws(WorkspaceStoreError) in try await store.text(ofVersion: number, of: id) }
    guard let text else { throw .notFound("version") }
    return try WorkspaceText.workspace(text)
  }

  /// What a workspace is compared with: a version, or the same container with nothing in it.
  func workspace(
    ofVersion number: Int?, of id: ContainerID, before later: Workspace
  ) async throws(APIError) -> Workspace {
    guard let number else { return Workspace(fields: later.fields) }
    return try await workspace(ofVersion: number, of: id)
  }

  /// Saves a workspace that is based on a revision (CO-401).
  ///
  /// - Throws: 422 for one that could not be read again, for it is beyond a limit as a whole.
  func save(
    _ workspace: Workspace, of id: ContainerID, basedOn revision: Int64, subject: String, by authorship: Authorship
  ) async throws(APIError) -> Draft {
    let text = workspace.exportBytes
    _ = try WorkspaceText.workspace(text)
    let outcome = try await stored { () throws(WorkspaceStoreError) in
      try await store.save(text, of: id, basedOn: revision, subject: subject, by: authorship)
    }
    switch outcome {
    case .done(let draft):
      drafts.keep(workspace, of: draft)
      return draft
    case .stale(let theirs): throw .stale(theirs, yours: text)
    }
  }

  /// What compiling a container's workspace gives, under the container's own id whatever the workspace calls itself.
  func compilation(of workspace: Workspace, as id: ContainerID, version: Int?) -> Compilation {
    var workspace = workspace
    workspace.container["publicId"] = .string(id.text)
    var settings = PublicationCompiler.settings
    settings.version = version.map(String.init)
    return workspace.compiled(settings)
  }

  /// A version as apps get it.
  ///
  /// - Throws: 422 with the diagnostics of a workspace that cannot be compiled.
  func compiled(version: Int, of id: ContainerID) async throws(APIError) -> CompiledContainer {
    let workspace = try await workspace(ofVersion: version, of: id)
    let compilation = compilation(of: workspace, as: id, version: version)
    guard let container = compilation.container else {
      throw .invalid("version \(version) has errors", compilation.diagnostics)
    }
    return container
  }
}
