import Hits

@testable import Console

/// A person of the store in memory.
struct MemoryAccount: Sendable {
  var user: ConsoleUser
  var password: String?
}

extension MemoryWorkspaceStore {
  func users() async throws(WorkspaceStoreError) -> [ConsoleUser] {
    state.withLock { $0.accounts.map(\.user).sorted { $0.name.lowercased() < $1.name.lowercased() } }
  }

  func user(_ id: String) async throws(WorkspaceStoreError) -> ConsoleUser? {
    state.withLock { $0.accounts.first { $0.user.id == id }?.user }
  }

  func account(named name: String) async throws(WorkspaceStoreError) -> (user: ConsoleUser, password: String?)? {
    state.withLock { state in
      state.accounts.first { $0.user.name.lowercased() == name.lowercased() }.map { ($0.user, $0.password) }
    }
  }

  func create(_ user: ConsoleUser, password: String?, by authorship: Authorship) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      guard !state.accounts.contains(where: { $0.user.name.lowercased() == user.name.lowercased() }) else {
        throw WorkspaceStoreError(.exists, "somebody has that name")
      }
      state.accounts.append(MemoryAccount(user: user, password: password))
      state.log.append(
        Activity(.userCreated, by: authorship, subject: "user \(user.name)", to: user.rights.summary))
    }
  }

  private static func index(of id: String, in state: State) throws(WorkspaceStoreError) -> Int {
    guard let index = state.accounts.firstIndex(where: { $0.user.id == id }) else {
      throw WorkspaceStoreError(.notFound, "there is no such person")
    }
    return index
  }

  func setRights(
    _ rights: AccessRights, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser {
    try state.withLock { state throws(WorkspaceStoreError) in
      let index = try Self.index(of: id, in: state)
      if rights.everywhere != .admin { try state.keepAdministrator(without: id, at: authorship.time) }
      let user = state.accounts[index].user
      state.log.append(
        Activity(
          .userChanged, by: authorship, subject: "user \(user.name)", from: user.rights.summary, to: rights.summary))
      state.accounts[index].user.rights = rights
      return state.accounts[index].user
    }
  }

  func setDisabled(
    _ isDisabled: Bool, of id: String, by authorship: Authorship
  ) async throws(WorkspaceStoreError) -> ConsoleUser {
    try state.withLock { state throws(WorkspaceStoreError) in
      let index = try Self.index(of: id, in: state)
      if isDisabled { try state.keepAdministrator(without: id, at: authorship.time) }
      let user = state.accounts[index].user
      state.sessions.removeAll { $0.user == id }
      if user.isDisabled != isDisabled {
        state.log.append(
          Activity(
            .userChanged, by: authorship, subject: "user \(user.name)", from: user.isDisabled ? "disabled" : "enabled",
            to: isDisabled ? "disabled" : "enabled"))
      }
      state.accounts[index].user.isDisabled = isDisabled
      return state.accounts[index].user
    }
  }

  func setPassword(
    _ password: String, of id: String, keeping session: SecretDigest?, by authorship: Authorship
  ) async throws(WorkspaceStoreError) {
    try state.withLock { state throws(WorkspaceStoreError) in
      let index = try Self.index(of: id, in: state)
      state.accounts[index].password = password
      state.sessions.removeAll { $0.user == id && $0.digest != session }
      state.log.append(
        Activity(.passwordChanged, by: authorship, subject: "user \(state.accounts[index].user.name)"))
    }
  }

  func create(_ session: ConsoleSession) async throws(WorkspaceStoreError) {
    state.withLock { state in
      state.sessions.removeAll { $0.used < session.created - ConsoleSession.idle }
      state.sessions.append(session)
    }
  }

  func session(_ digest: SecretDigest) async throws(WorkspaceStoreError) -> ConsoleSession? {
    state.withLock { $0.sessions.first { $0.digest == digest } }
  }

  func setUsed(_ digest: SecretDigest, at time: Int64) async throws(WorkspaceStoreError) {
    state.withLock { state in
      for index in state.sessions.indices where state.sessions[index].digest == digest {
        state.sessions[index].used = time
      }
    }
  }

  func remove(_ session: SecretDigest) async throws(WorkspaceStoreError) {
    state.withLock { $0.sessions.removeAll { $0.digest == session } }
  }
}

extension MemoryWorkspaceStore.State {
  /// Refuses what would leave nobody who can let others in.
  func keepAdministrator(
    without user: String = "", token: String = "", at time: Int64
  ) throws(WorkspaceStoreError) {
    func isThere(_ user: String, _ token: String) -> Bool {
      let keys = tokens.filter { $0.id != token && $0.scope == .admin && $0.container == nil && $0.isValid(at: time) }
      let people = accounts.filter { account in
        account.user.id != user && !account.user.isDisabled && account.user.rights.everywhere == .admin
          && (account.password != nil || keys.contains { $0.user == account.user.id })
      }
      return !people.isEmpty || keys.contains { $0.user == nil }
    }
    guard !isThere("", "") || isThere(user, token) else { throw .lastAdministrator }
  }
}
