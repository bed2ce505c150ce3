import DurableStore
import Foundation
import Hits

/// What outlives the store's damage (HQ-210, HQ-211).
struct Identity: Codable, Sendable, Hashable {
  /// A random UUID of version 4, made at first need.
  var clientID: String?
  /// No hit's sequence is above it (HQ-104).
  var sequence: Int64 = 0
  /// Whether the person opted out (HQ-230); nil for no.
  var optOut: Bool?
  /// What the person said, by the names of purposes and states (HQ-220).
  var consent: [String: String]?
  /// The session under way (HQ-213).
  var session: HitSession?
}

/// `identity.json`, shared by all processes of a store.
///
/// It is replaced as a whole. Changes are made inside a write transaction of the store, which keeps processes apart;
/// the first of two that make it wins. A file that cannot be read is set aside and made anew: it is no damage of the
/// store beside it (HQ-211).
struct IdentityFile: Sendable {
  private let file: AtomicFile
  private let random: any RandomSource
  private let optsOutOnDamage: Bool
  /// A client id that found no room on the disk: hits in memory carry it, and the first of them that is written takes it
  /// along (HQ-340).
  private let unwritten = Locked<String?>(nil)

  /// - Parameter optsOutOnDamage: whether a file that cannot be read counts as an opt-out.
  init(path: String, random: any RandomSource, optsOutOnDamage: Bool = true) {
    file = AtomicFile(path: path)
    self.random = random
    self.optsOutOnDamage = optsOutOnDamage
  }

  /// The file's content; nil when there is none.
  func read() throws(StoreError) -> Identity? {
    do throws(StoreError) {
      guard let bytes = try file.read() else { return nil }
      if let identity = try? JSONDecoder().decode(Identity.self, from: Data(bytes)) { return identity }
    } catch {
      // Longer than any file of ours is damaged too.
      guard error.code == .damaged else { throw error }
    }
    return try replaceDamaged()
  }

  private func replaceDamaged() throws(StoreError) -> Identity {
    // Nobody can know what the person said: the safe answer is no.
    let identity = Identity(optOut: optsOutOnDamage ? true : nil)
    try file.replace(
      with: try encode(identity), keepingOldIn: "damaged/\(SystemHitClock().wallMilliseconds)")
    return identity
  }

  /// Changes the content, inside a write transaction of the store.
  @discardableResult
  func update(_ change: (inout Identity) -> Void) throws(StoreError) -> Identity {
    while true {
      let old = try read()
      var identity = old ?? Identity()
      change(&identity)
      if identity == old { return identity }
      let bytes = try encode(identity)
      if old != nil {
        try file.replace(with: bytes)
        return identity
      }
      if try file.create(with: bytes) { return identity }
      // Another process has made it meanwhile: its content counts.
    }
  }

  /// The client id, made now if there is none, inside a write transaction of the store.
  func clientID() throws(StoreError) -> String {
    if let id = try read()?.clientID { return id }
    let made = unwritten.withLock { $0 } ?? random.uuidText()
    let id = try update { $0.clientID = $0.clientID ?? made }.clientID ?? made
    unwritten.withLock { $0 = nil }
    return id
  }

  /// A client id for hits that wait in memory, the same until it is written.
  func clientIDInMemory() -> String {
    let made = random.uuidText()
    return unwritten.withLock { unwritten in
      let id = unwritten ?? made
      unwritten = id
      return id
    }
  }

  /// Whether a client id waits in memory.
  var hasUnwrittenClient: Bool { unwritten.withLock { $0 != nil } }

  /// A new client id, inside a write transaction of the store.
  func resetClientID() throws(StoreError) -> String {
    let made = random.uuidText()
    try update { $0.clientID = made }
    unwritten.withLock { $0 = nil }
    return made
  }

  private func encode(_ identity: Identity) throws(StoreError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do { return [UInt8](try encoder.encode(identity)) } catch {
      throw StoreError(code: .ioError, message: "\(file.path) cannot be encoded")
    }
  }
}
