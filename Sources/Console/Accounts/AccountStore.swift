/// The part of the console's store that keeps people: names, roles, passwords and sessions (CO-901, CO-902).
///
/// As everywhere in the store each change is one transaction with its line in the activity log; only sessions have none,
/// for who signs in is noted by who lets in.
package protocol AccountStore: Sendable {
  /// All people, by name.
  func users() async throws(WorkspaceStoreError) -> [ConsoleUser]

  func user(_ id: String) async throws(WorkspaceStoreError) -> ConsoleUser?

  /// A person by name, without regard to case, with what is stored of the password.
  func account(named name: String) async throws(WorkspaceStoreError) -> (user: ConsoleUser, password: String?)?

  /// - Throws: `exists` for a name that is taken.
  func create(
    _ user: ConsoleUser, password: String?, by authorship: Authorship
  ) async throws(WorkspaceStoreError)

  /// Replaces what a person may do.
  ///
  /// - Throws: `lastAdministrator` when nobody could let others in any more: the set-up works once (CO-100).
  func setRights(
    _ rights: AccessRights, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser

  /// Lets a person in no more, or again; sessions end.
  ///
  /// - Throws: `lastAdministrator` as `setRights`.
  func setDisabled(
    _ isDisabled: Bool, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser

  /// Replaces a password; all sessions of the person end but the one that is named.
  func setPassword(
    _ password: String, of id: String, keeping session: SecretDigest?, by authorship: Authorship
  ) async throws(WorkspaceStoreError)

  /// Keeps a session; those that have been idle too long are forgotten.
  func create(_ session: ConsoleSession) async throws(WorkspaceStoreError)

  func session(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> ConsoleSession?

  func setUsed(_ digest: SecretDigest, at time: Int64) async throws(WorkspaceStoreError)

  func remove(_ session: SecretDigest) async throws(WorkspaceStoreError)
}
