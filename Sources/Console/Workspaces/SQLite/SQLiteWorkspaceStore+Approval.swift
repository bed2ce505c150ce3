import DurableStore
package import TagManager

/// Who must agree to what becomes live (CO-402).
///
/// Each version knows the people whose changes are in it and in no version before it. What has never been live in an
/// environment goes there by somebody who has changed none of it, or with such a person's approval; what was live before
/// comes back without.
extension SQLiteWorkspaceStore {
  package func setApproval(
    _ isRequired: Bool, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> AuthoredContainer {
    try await change { tables throws(StoreError) in
      guard var container = try Self.container(id, tables) else { return .noContainer(id) }
      guard container.requiresApproval != isRequired else { return .done(container) }
      try tables.run(
        "UPDATE container SET approval = ?2 WHERE id = ?1", [.text(id.text), .integer(isRequired ? 1 : 0)])
      try tables.note(
        Activity(
          .containerChanged, by: authorship, container: id, subject: "approval", from: isRequired ? "off" : "on",
          to: isRequired ? "on" : "off"))
      container.requiresApproval = isRequired
      return .done(container)
    }
  }

  package func approve(
    _ version: Int, of id: ContainerID, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ContainerVersion {
    try await change { tables throws(StoreError) in
      guard let found = try Self.version(version, of: id, tables) else {
        return .refused(WorkspaceStoreError(.notFound, "there is no version \(version)"))
      }
      let authors = try tables.authors(of: version, notIn: found.parent ?? 0, of: id)
      guard try !authors.contains(tables.person(authorship.actor)) else { return .approvalNeeded }
      try tables.run(
        "UPDATE version SET approver = ?3, approver_name = ?4 WHERE container = ?1 AND number = ?2",
        [.text(id.text), .integer(version), .text(authorship.actor.id), .text(authorship.actor.name)])
      try tables.note(
        Activity(.versionApproved, by: authorship, container: id, subject: "version \(version)"))
      var approved = found
      approved.approver = authorship.actor
      return .done(approved)
    }
  }

  /// Whether an actor may make a version live on its own; every version that has not been live yet must be looked at.
  static func mayPublish(
    _ version: Int, in environment: ContainerEnvironment, by actor: Actor, _ tables: WorkspaceTables
  ) throws(StoreError) -> Bool {
    guard try container(environment.container, tables)?.requiresApproval == true else { return true }
    let id = environment.container
    let former = try tables.row(
      "SELECT MAX(version) FROM publication WHERE container = ?1 AND environment_number = ?2 AND version <= ?3",
      [.text(id.text), .integer(environment.number), .integer(version)]
    ) { $0.optionalInt(at: 0) }
    let authors = try tables.authors(of: version, notIn: (former ?? nil) ?? 0, of: id)
    guard try authors.contains(tables.person(actor)) else { return true }
    guard let approver = try Self.version(version, of: id, tables)?.approver else { return false }
    return try !authors.contains(tables.person(approver))
  }
}

extension WorkspaceTables {
  /// Notes somebody whose changes are in the draft and in no version yet.
  func noteAuthor(_ actor: Actor, of id: ContainerID) throws(StoreError) {
    try run(
      "INSERT OR IGNORE INTO author(container, version, person) VALUES(?1, 0, ?2)",
      [.text(id.text), .text(try person(actor))])
  }

  /// The draft has become a version.
  func moveAuthors(of id: ContainerID, to version: Int) throws(StoreError) {
    try run(
      "UPDATE author SET version = ?2 WHERE container = ?1 AND version = 0", [.text(id.text), .integer(version)])
  }

  /// Whose changes are in versions above one, up to another.
  func authors(of version: Int, notIn former: Int, of id: ContainerID) throws(StoreError) -> Set<String> {
    Set(
      try rows(
        "SELECT person FROM author WHERE container = ?1 AND version > ?2 AND version <= ?3",
        [.text(id.text), .integer(former), .integer(version)]
      ) { $0.text(at: 0) })
  }

  /// The person behind an actor: a token of a person is that person, or nobody could be held to anything.
  func person(_ actor: Actor) throws(StoreError) -> String {
    let user = try row("SELECT user FROM token WHERE 'token:' || id = ?1", [.text(actor.id)]) { $0.optionalText(at: 0) }
    return (user ?? nil).map { "user:\($0)" } ?? actor.id
  }
}

extension Change {
  static var approvalNeeded: Change {
    .refused(
      WorkspaceStoreError(.approvalNeeded, "somebody who has made none of these changes must approve or publish them"))
  }
}
