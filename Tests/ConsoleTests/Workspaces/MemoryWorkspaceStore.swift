import Hits
import TagManager

@testable import Console

/// `WorkspaceStore` in memory.
final class MemoryWorkspaceStore: WorkspaceStore {
  struct Entry: Sendable {
    var container: AuthoredContainer
    var draft: Draft
    var versions: [(version: ContainerVersion, text: [UInt8])] = []
    var environments: [ContainerEnvironment] = []
    var publications: [(number: Int, publication: Publication)] = []
    /// People whose changes are in a version, 0 for the draft, and in none before it.
    var authors: [Int: Set<String>] = [:]
    var lastEnvironment = 1
  }

  struct State: Sendable {
    var setup: SecretDigest?
    var isSetUp = false
    var entries: [ContainerID: Entry] = [:]
    var tokens: [AccessToken] = []
    var previews: [PreviewToken] = []
    var log: [Activity] = []
    var stamp: Int64 = 0
    var accounts: [MemoryAccount] = []
    var sessions: [ConsoleSession] = []

    func entry(_ id: ContainerID) throws(WorkspaceStoreError) -> Entry {
      guard let entry = present(id) else { throw WorkspaceStoreError(.notFound, "there is no container") }
      return entry
    }

    func present(_ id: ContainerID) -> Entry? {
      entries[id].flatMap { $0.container.removed == nil ? $0 : nil }
    }
  }

  let state = Locked(State())

  func isSetUp() async throws(WorkspaceStoreError) -> Bool { state.withLock { $0.isSetUp } }

  func offerSetup(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> Bool {
    state.withLock { state in
      if !state.isSetUp { state.setup = digest }
      return !state.isSetUp
    }
  }

  func setUp(
    with digest: SecretDigest, administrator: ConsoleUser, password: String?, token: AccessToken?
  ) async throws(WorkspaceStoreError) -> Bool {
    state.withLock { state in
      guard state.setup == digest, !state.isSetUp else { return false }
      state.isSetUp = true
      if let token { state.tokens.append(token) }
      state.accounts.append(MemoryAccount(user: administrator, password: password))
      let authorship = Authorship(token?.actor ?? administrator.actor, at: administrator.created)
      state.log.append(Activity(.setUp, by: authorship, subject: "administrator", to: administrator.name))
      return true
    }
  }

  func containers(after id: ContainerID?, limit: Int) async throws(WorkspaceStoreError) -> [AuthoredContainer] {
    state.withLock { state in
      let all = state.entries.values.map(\.container).filter { $0.removed == nil && $0.id.text > id?.text ?? "" }
      return Array(all.sorted { $0.id.text < $1.id.text }.prefix(limit))
    }
  }

  func container(_ id: ContainerID) async throws(WorkspaceStoreError) -> AuthoredContainer? {
    state.withLock { $0.present(id)?.container }
  }

  func create(
    _ container: AuthoredContainer, draft text: [UInt8], by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      let id = container.id
      guard !state.entries.keys.contains(where: { $0.text.lowercased() == id.text.lowercased() }) else {
        throw WorkspaceStoreError(.exists, "there is one")
      }
      var entry = Entry(
        container: container, draft: Draft(container: id, revision: 1, text: text, saved: authorship))
      entry.environments = [
        ContainerEnvironment(container: id, number: 1, name: "live", digest: nil, created: authorship.time)
      ]
      entry.authors[0] = [state.person(authorship.actor)]
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(
        Activity(.containerCreated, by: authorship, container: id, subject: "container", to: container.name))
    }
  }

  func rename(
    _ id: ContainerID, to name: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      state.log.append(
        Activity(
          .containerChanged, by: authorship, container: id, subject: "name", from: entry.container.name, to: name))
      entry.container.name = name
      state.entries[id] = entry
      return entry.container
    }
  }

  func remove(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      entry.container.removed = authorship.time
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(Activity(.containerRemoved, by: authorship, container: id, subject: "container"))
    }
  }

  func restore(_ id: ContainerID, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      guard var entry = state.entries[id], entry.container.removed != nil else {
        throw WorkspaceStoreError(.notFound, "there is none")
      }
      entry.container.removed = nil
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(Activity(.containerRestored, by: authorship, container: id, subject: "container"))
    }
  }

  func removedContainers() async throws(WorkspaceStoreError) -> [ContainerID] {
    state.withLock { state in
      state.entries.values.map(\.container).filter { $0.removed != nil }.map(\.id).sorted { $0.text < $1.text }
    }
  }

  func draft(of id: ContainerID) async throws(WorkspaceStoreError) -> Draft? {
    state.withLock { $0.present(id)?.draft }
  }

  func save(
    _ text: [UInt8], of id: ContainerID, basedOn revision: Int64, subject: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<Draft> {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      guard entry.draft.revision == revision else { return .stale(entry.draft) }
      entry.draft.revision += 1
      entry.draft.text = text
      entry.draft.saved = authorship
      entry.authors[0, default: []].insert(state.person(authorship.actor))
      state.entries[id] = entry
      state.log.append(
        Activity(
          .draftSaved, by: authorship, container: id, subject: subject, from: String(revision),
          to: String(revision + 1)))
      return .done(entry.draft)
    }
  }

  func createVersion(
    of id: ContainerID, basedOn revision: Int64, name: String, notes: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> BasedOutcome<ContainerVersion> {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      guard entry.draft.revision == revision else { return .stale(entry.draft) }
      let version = ContainerVersion(
        container: id, number: entry.versions.count + 1, name: name, notes: notes, parent: entry.draft.base,
        created: authorship)
      entry.versions.append((version, entry.draft.text))
      entry.draft.base = version.number
      entry.authors[version.number] = entry.authors[0]
      entry.authors[0] = nil
      state.entries[id] = entry
      state.log.append(
        Activity(
          .versionCreated, by: authorship, container: id, subject: "version \(version.number)",
          from: version.parent.map(String.init), to: String(version.number)))
      return .done(version)
    }
  }

  func versions(
    of id: ContainerID, before number: Int?, limit: Int
  ) async throws(WorkspaceStoreError) -> [ContainerVersion] {
    state.withLock { state in
      let all = state.present(id)?.versions.map(\.version) ?? []
      return Array(all.reversed().filter { $0.number < number ?? .max }.prefix(limit))
    }
  }

  func version(_ number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> ContainerVersion? {
    state.withLock { $0.present(id)?.versions.first { $0.version.number == number }?.version }
  }

  func text(ofVersion number: Int, of id: ContainerID) async throws(WorkspaceStoreError) -> [UInt8]? {
    state.withLock { $0.present(id)?.versions.first { $0.version.number == number }?.text }
  }

  func environments(of id: ContainerID) async throws(WorkspaceStoreError) -> [ContainerEnvironment] {
    state.withLock { $0.present(id)?.environments ?? [] }
  }

  func createEnvironment(
    _ name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      if let taken = entry.environments.first(where: { $0.name.lowercased() == name.lowercased() }) {
        throw WorkspaceStoreError.environmentExists(taken.name, asked: name)
      }
      entry.lastEnvironment += 1
      let environment = ContainerEnvironment(
        container: id, number: entry.lastEnvironment, name: name, digest: digest, created: authorship.time)
      entry.environments.append(environment)
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(
        Activity(.environmentCreated, by: authorship, container: id, subject: "environment \(name)"))
      return environment
    }
  }

  func renewToken(
    ofEnvironment name: String, of id: ContainerID, digest: SecretDigest, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerEnvironment {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      let index = try Self.index(of: name, in: entry)
      entry.environments[index].digest = digest
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(
        Activity(.environmentTokenRenewed, by: authorship, container: id, subject: "environment \(name)"))
      return entry.environments[index]
    }
  }

  func removeEnvironment(
    _ name: String, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      entry.environments.remove(at: try Self.index(of: name, in: entry))
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(
        Activity(.environmentRemoved, by: authorship, container: id, subject: "environment \(name)"))
    }
  }

  private static func index(of name: String, in entry: Entry) throws(WorkspaceStoreError) -> Int {
    guard let index = entry.environments.firstIndex(where: { $0.name == name }) else {
      throw WorkspaceStoreError(.notFound, "there is no such environment")
    }
    guard index > 0 else { throw WorkspaceStoreError(.invalid, "live is fixed") }
    return index
  }

  func publish(
    _ version: Int, of id: ContainerID, in name: String, share: RolloutShare, after expected: Int64?,
    by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> Publication {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      guard let environment = entry.environments.first(where: { $0.name == name }),
        entry.versions.contains(where: { $0.version.number == version })
      else { throw WorkspaceStoreError(.notFound, "there is no such environment or version") }
      guard state.mayPublish(version, in: environment, of: entry, by: authorship.actor) else {
        throw WorkspaceStoreError(.approvalNeeded, "somebody else must approve")
      }
      let earlier = entry.publications.filter { $0.publication.environment == name }
      let inForce = earlier.last { $0.number == environment.number }?.publication
      if let expected, let inForce, inForce.sequence != expected { throw .superseded(by: inForce) }
      let next = try Publication(
        of: version, share, after: inForce, in: environment, sequence: Int64(earlier.count + 1), by: authorship)
      entry.publications.append((environment.number, next))
      state.entries[id] = entry
      state.stamp += 1
      state.log.append(Activity(publishing: next, after: inForce))
      return next
    }
  }

  func publications(
    of id: ContainerID, in environment: String, limit: Int
  ) async throws(WorkspaceStoreError) -> [Publication] {
    state.withLock { state in
      guard let entry = state.present(id), let found = entry.environments.first(where: { $0.name == environment })
      else { return [] }
      return Array(entry.publications.filter { $0.number == found.number }.map(\.publication).reversed().prefix(limit))
    }
  }

  func publicationsInForce() async throws(WorkspaceStoreError) -> [Publication] {
    state.withLock { state in
      state.entries.values.filter { $0.container.removed == nil }.sorted { $0.container.id.text < $1.container.id.text }
        .flatMap { entry in
          entry.environments.compactMap { environment in
            entry.publications.last { $0.number == environment.number }?.publication
          }
        }
    }
  }

  func deliveryStamp() async throws(WorkspaceStoreError) -> Int64 { state.withLock { $0.stamp } }

  func create(_ token: AccessToken, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      if let container = token.container { _ = try state.entry(container) }
      state.tokens.append(token)
      state.log.append(
        Activity(
          .tokenCreated, by: authorship, container: token.container, subject: "token \(token.id)",
          to: token.scope.rawValue))
    }
  }

  func token(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> AccessToken? {
    state.withLock { $0.tokens.first { $0.digest == digest } }
  }

  func tokens(of container: ContainerID?) async throws(WorkspaceStoreError) -> [AccessToken] {
    state.withLock { $0.tokens.filter { container == nil || $0.container == container } }
  }

  func revokeToken(_ id: String, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      guard let index = state.tokens.firstIndex(where: { $0.id == id }) else {
        throw WorkspaceStoreError(.notFound, "there is no such token")
      }
      guard state.tokens[index].revoked == nil else { return }
      try state.keepAdministrator(token: id, at: authorship.time)
      state.tokens[index].revoked = authorship.time
      state.log.append(
        Activity(.tokenRevoked, by: authorship, container: state.tokens[index].container, subject: "token \(id)"))
    }
  }

  func create(_ token: PreviewToken) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      let entry = try state.entry(token.container)
      if let version = token.version, !entry.versions.contains(where: { $0.version.number == version }) {
        throw WorkspaceStoreError(.notFound, "there is no such version")
      }
      state.previews.append(token)
      state.log.append(
        Activity(
          .previewCreated, by: token.created, container: token.container, subject: "preview \(token.id)",
          to: token.version.map { "version \($0)" } ?? "draft"))
    }
  }

  func previewToken(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> PreviewToken? {
    state.withLock { state in
      state.previews.first { $0.digest == digest }.flatMap { state.present($0.container) == nil ? nil : $0 }
    }
  }

  func previewTokens(of id: ContainerID) async throws(WorkspaceStoreError) -> [PreviewToken] {
    state.withLock { state in
      state.present(id) == nil ? [] : state.previews.filter { $0.container == id }.reversed()
    }
  }

  func revokePreviewToken(
    _ id: String, of container: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      _ = try state.entry(container)
      guard let index = state.previews.firstIndex(where: { $0.id == id && $0.container == container }) else {
        throw WorkspaceStoreError(.notFound, "there is no such preview")
      }
      guard state.previews[index].revoked == nil else { return }
      state.previews[index].revoked = authorship.time
      state.log.append(Activity(.previewRevoked, by: authorship, container: container, subject: "preview \(id)"))
    }
  }

  func note(_ activity: Activity) async throws(WorkspaceStoreError) { state.withLock { $0.log.append(activity) } }

  func activities(
    before position: Int64?, of container: ContainerID?, limit: Int
  ) async throws(WorkspaceStoreError) -> [PositionedActivity] {
    state.withLock { state in
      let all = state.log.enumerated().map { PositionedActivity(position: Int64($0.offset + 1), activity: $0.element) }
      return Array(
        all.reversed().filter {
          $0.position < position ?? .max && (container == nil || $0.activity.container == container)
        }.prefix(limit))
    }
  }
}
