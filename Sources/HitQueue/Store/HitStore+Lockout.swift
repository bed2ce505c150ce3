import Dispatch
import DurableStore
import Hits

/// A store whose files may not be read yet, as on a device that nobody has unlocked since its start (HQ-354).
///
///     locked ── the files can be read ──▶ open: whoever waits is told, once
///       └── every 5 s, while somebody waits
///
/// It is no damage, and nothing is made anew. What the person allows is not known, so hits wait in memory.
extension HitStore {
  struct Lockout: Sendable {
    var waiting: [@Sendable () -> Void] = []
    var isRetryScheduled = false
  }

  /// Whether the files may not be read.
  var isLocked: Bool { lockout.withLock { $0 != nil } }

  /// Calls the body when the store can be read: here and now, or when a later try succeeds.
  func whenUnlocked(_ body: @escaping @Sendable () -> Void) {
    let mustWait = lockout.withLock { lockout in
      lockout?.waiting.append(body)
      return lockout != nil
    }
    if mustWait { unlockLater() } else { body() }
  }

  /// Tries again in a while, for hits that wait.
  func unlockLater() {
    let mustSchedule = lockout.withLock { lockout in
      guard lockout?.isRetryScheduled == false else { return false }
      lockout?.isRetryScheduled = true
      return true
    }
    guard mustSchedule else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { [weak self] in
      self?.lockout.withLock { $0?.isRetryScheduled = false }
      self?.unlock()
    }
  }

  /// Opens the store, if it can be read by now.
  func unlock() {
    guard isLocked else { return }
    do throws(StoreError) {
      let read = try Self.permissions(in: identity, initially: initialConsent)
      guard let read else { return unlockLater() }
      try writer.performAndWait { _ in }
      known.withLock { $0.written = read }
      // What cannot be written down is tried again by itself: the store is open all the same.
      if known.withLock({ $0.hasUnwritten }) { _ = try? writeChoices() }
    } catch {
      return unlockLater()
    }
    let waiting = lockout.withLock { lockout in
      defer { lockout = nil }
      return lockout?.waiting ?? []
    }
    for body in waiting { body() }
  }

  /// What the person allows; nil when the file may not be read.
  static func permissions(
    in identity: IdentityFile, initially consent: ConsentSnapshot
  ) throws(StoreError) -> Permissions? {
    do throws(StoreError) {
      return (try identity.read() ?? Identity()).permissions(initially: consent)
    } catch {
      guard error.isLockout else { throw error }
      return nil
    }
  }
}
