import Dispatch
import DurableStore
import Hits

/// What a process knows of what the person allows.
///
/// What was said here and is not on disk yet holds over whatever is read, until it is (HQ-223, HQ-230).
struct KnownPermissions: Sendable {
  /// As they are on disk.
  var written: Permissions
  /// What was said here and is not written down; an opt-in holds only when it is.
  private(set) var unwritten = Choices()
  var isRetryScheduled = false

  /// What a person has said.
  struct Choices: Sendable, Hashable {
    var optOut: Bool?
    var consent: [ConsentPurpose: ConsentState] = [:]
  }

  init(written: Permissions) { self.written = written }

  var hasUnwritten: Bool { unwritten != Choices() }

  /// What holds now.
  var current: Permissions {
    var permissions = written
    if unwritten.optOut == true { permissions.isOptedOut = true }
    for (purpose, state) in unwritten.consent { permissions.consent[purpose] = state }
    return permissions
  }

  mutating func say(optOut: Bool) { unwritten.optOut = optOut }

  mutating func say(_ purpose: ConsentPurpose, _ state: ConsentState) { unwritten.consent[purpose] = state }

  /// Choices are on disk; what was said after them is not.
  mutating func noteWritten(_ choices: Choices) {
    if let optOut = choices.optOut {
      written.isOptedOut = optOut
      if unwritten.optOut == optOut { unwritten.optOut = nil }
    }
    for (purpose, state) in choices.consent {
      written.consent[purpose] = state
      if unwritten.consent[purpose] == state { unwritten.consent[purpose] = nil }
    }
  }
}

/// What the person allows, kept in the identity file.
extension HitStore {
  /// What the person allows, as far as this process knows.
  var permissions: Permissions { known.withLock { $0.current } }

  /// Looks again at what other processes have written down, some time soon.
  func refreshPermissions(_ done: @escaping @Sendable (Permissions) -> Void) {
    let mustRefresh = isRefreshing.withLock { isRefreshing in
      defer { isRefreshing = true }
      return !isRefreshing
    }
    guard mustRefresh else { return }
    Task { [writer, identity, known, knownClientID, initialConsent, isRefreshing] in
      defer { isRefreshing.withLock { $0 = false } }
      // Unread, what is known holds; whoever is next to ask looks again.
      try? await writer.perform { _ throws(StoreError) in
        let read = try identity.read() ?? Identity()
        if let client = read.clientID { knownClientID.withLock { $0 = client } }
        let permissions = known.withLock { known in
          known.written = read.permissions(initially: initialConsent)
          return known.current
        }
        done(permissions)
      }
    }
  }

  /// Opts out or in again: written down, and carried out, when this returns (HQ-230).
  ///
  /// - Throws: why it is not written down yet; an opt-out holds in this process all the same, and is tried again.
  func setOptOut(_ isOptedOut: Bool) throws(StoreError) {
    known.withLock { $0.say(optOut: isOptedOut) }
    _ = try writeChoices()
  }

  /// Sets the state of a purpose and carries out what follows (HQ-223); tells whether held hits became ready.
  ///
  /// - Throws: why it is not written down yet; it holds in this process all the same, and is tried again.
  func set(_ purpose: ConsentPurpose, _ state: ConsentState) throws(StoreError) -> Bool {
    known.withLock { $0.say(purpose, state) }
    return try writeChoices()
  }

  /// Writes down what was said and is not on disk yet; tells whether held hits became ready.
  func writeChoices() throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try change { [known, initialConsent] tables throws(StoreError) in
        let choices = known.withLock { $0.unwritten }
        if let optOut = choices.optOut { try tables.setOptOut(optOut) }
        var isReleased = false
        for (purpose, state) in choices.consent {
          isReleased = try tables.set(purpose, state, initially: initialConsent) || isReleased
        }
        known.withLock { $0.noteWritten(choices) }
        return isReleased
      }
    } catch {
      writeChoicesLater()
      throw error
    }
  }

  private func writeChoicesLater() {
    let mustSchedule = known.withLock { known in
      defer { known.isRetryScheduled = true }
      return !known.isRetryScheduled
    }
    guard mustSchedule else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { [weak self] in
      guard let self else { return }
      self.known.withLock { $0.isRetryScheduled = false }
      // What fails again is tried again; the one who said it was told why.
      if self.known.withLock({ $0.hasUnwritten }) { _ = try? self.writeChoices() }
    }
  }
}
