import Hits

/// The sessions of browsers: found by their cookie, made at signing in, ended (CO-902).
struct BrowserSessions: Sendable {
  /// A person who has signed in, with the secret of the browser.
  struct Found: Sendable {
    var key: BrowserKey
    var user: ConsoleUser
  }

  let store: any WorkspaceStore
  let clock: any HitClock
  let random: any RandomSource
  /// How exactly it is kept when a session was used, in milliseconds.
  private static let step: Int64 = 60_000

  /// The person of a request's cookie; nil when nobody has signed in, or it was too long ago.
  func find(_ headers: HTTPHeaders) async throws(WorkspaceStoreError) -> Found? {
    guard let key = BrowserKey(headers), let session = try await store.session(key.digest) else { return nil }
    let now = clock.wallMilliseconds
    guard session.isValid(at: now), let user = try await store.user(session.user), !user.isDisabled else { return nil }
    if abs(now - session.used) >= Self.step { try await store.setUsed(session.digest, at: now) }
    return Found(key: key, user: user)
  }

  /// A new secret for a browser that has none; nothing is kept of it.
  func freshKey() -> BrowserKey { BrowserKey(text: Secret(.session, from: random).text) }

  /// Begins a session, under a secret that nobody has seen before; the former one of the browser ends.
  func begin(for user: ConsoleUser, after former: BrowserKey?) async throws(WorkspaceStoreError) -> BrowserKey {
    if let former { try await store.remove(former.digest) }
    let key = freshKey()
    let now = clock.wallMilliseconds
    try await store.create(ConsoleSession(digest: key.digest, user: user.id, created: now, used: now))
    return key
  }

  func end(_ key: BrowserKey) async throws(WorkspaceStoreError) { try await store.remove(key.digest) }
}
