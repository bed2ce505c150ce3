import Hits
import TagManager

@testable import Console

extension MemoryWorkspaceStore.State {
  /// The person behind an actor.
  func person(_ actor: Actor) -> String {
    tokens.first { $0.actor.id == actor.id }?.user.map { "user:\($0)" } ?? actor.id
  }

  func mayPublish(
    _ version: Int, in environment: ContainerEnvironment, of entry: MemoryWorkspaceStore.Entry, by actor: Actor
  ) -> Bool {
    guard entry.container.requiresApproval else { return true }
    let former =
      entry.publications.filter { $0.number == environment.number && $0.publication.version <= version }
      .map(\.publication.version).max() ?? 0
    let authors = entry.authors.filter { $0.key > former && $0.key <= version }.values.reduce(Set()) { $0.union($1) }
    guard authors.contains(person(actor)) else { return true }
    let approver = entry.versions.first { $0.version.number == version }?.version.approver
    return approver.map { !authors.contains(person($0)) } ?? false
  }
}

extension MemoryWorkspaceStore {
  func setApproval(
    _ isRequired: Bool, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      guard entry.container.requiresApproval != isRequired else { return entry.container }
      state.log.append(
        Activity(
          .containerChanged, by: authorship, container: id, subject: "approval", from: isRequired ? "off" : "on",
          to: isRequired ? "on" : "off"))
      entry.container.requiresApproval = isRequired
      state.entries[id] = entry
      return entry.container
    }
  }

  func approve(
    _ version: Int, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerVersion {
    try state.withLock { state throws(WorkspaceStoreError) in
      var entry = try state.entry(id)
      guard let index = entry.versions.firstIndex(where: { $0.version.number == version }) else {
        throw WorkspaceStoreError(.notFound, "there is no such version")
      }
      let former = entry.versions[index].version.parent ?? 0
      let authors = entry.authors.filter { $0.key > former && $0.key <= version }.values.reduce(Set()) { $0.union($1) }
      guard !authors.contains(state.person(authorship.actor)) else {
        throw WorkspaceStoreError(.approvalNeeded, "somebody else must approve")
      }
      entry.versions[index].version.approver = authorship.actor
      state.entries[id] = entry
      state.log.append(Activity(.versionApproved, by: authorship, container: id, subject: "version \(version)"))
      return entry.versions[index].version
    }
  }
}
