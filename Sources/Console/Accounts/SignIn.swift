import Hits

/// Lets people in by name and password, as often as they may try (CO-902), and notes each try in the log (CO-403).
final class SignIn: Sendable {
  /// What became of a try.
  enum Outcome: Sendable {
    case done(ConsoleUser)
    /// Name or password is wrong; which of both nobody learns.
    case wrong
    /// Too many tries; the next one may be made after so many seconds.
    case wait(Int)
  }

  private let store: any WorkspaceStore
  private let passwords: any PasswordHashing
  private let clock: any HitClock
  private let throttle = Locked(SignInThrottle())

  init(store: any WorkspaceStore, passwords: any PasswordHashing, clock: any HitClock) {
    self.store = store
    self.passwords = passwords
    self.clock = clock
  }

  /// Lets somebody in, or not, and notes it.
  func attempt(name: String, password: String, from client: ClientAddress) async throws(APIError) -> Outcome {
    let (outcome, account) = try await check(name: name, password: password, from: client)
    do throws(WorkspaceStoreError) {
      switch outcome {
      case .done(let user): try await note(.signedIn, of: user.actor)
      case .wrong: try await note(.signInFailed, of: account?.actor ?? Actor(id: "nobody", name: "Nobody"))
      case .wait: break
      }
    } catch {
      throw APIError(error)
    }
    return outcome
  }

  /// Makes sure that somebody who is in already knows the password.
  func confirm(_ user: ConsoleUser, password: String, from client: ClientAddress) async throws(APIError) -> Outcome {
    try await check(name: user.name, password: password, from: client).outcome
  }

  private func check(
    name: String, password: String, from client: ClientAddress
  ) async throws(APIError) -> (outcome: Outcome, account: ConsoleUser?) {
    let account = SignInThrottle.Subject.account(String(name.lowercased().prefix(256)))
    let address = SignInThrottle.Subject.address(client.allotment)
    let now = clock.ageClock
    if let seconds = throttle.withLock({ $0.attempt(account, address, at: now) }) { return (.wait(seconds), nil) }
    do throws(WorkspaceStoreError) {
      let found = try await store.account(named: name)
      let isRight = try await isMatch(password, found?.password)
      guard let user = found?.user, isRight, !user.isDisabled else { return (.wrong, found?.user) }
      throttle.withLock { $0.succeed(account, address) }
      return (.done(user), user)
    } catch {
      throw APIError(error)
    }
  }

  private func isMatch(_ password: String, _ stored: String?) async throws(WorkspaceStoreError) -> Bool {
    // No password is longer; hashing a megabyte is not worth a refusal.
    guard password.utf8.count <= PasswordRule.bytes.upperBound else { return false }
    do throws(APIError) { return try await passwords.matches(password, stored) } catch {
      throw WorkspaceStoreError(.busy, error.message)
    }
  }

  func note(_ action: Activity.Action, of actor: Actor) async throws(WorkspaceStoreError) {
    try await store.note(
      Activity(action, by: Authorship(actor, at: clock.wallMilliseconds), subject: "console"))
  }
}
