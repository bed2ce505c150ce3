import DurableStore
import Hits

/// What a person forbids, written down and carried out in one transaction (HQ-223, HQ-230).
extension HitTables {
  /// Whether the hit of parameter 6, its purposes, may not be inserted, in SQL.
  static var isBarred: String {
    "EXISTS (SELECT 1 FROM meta WHERE key = 'barred' AND (value & (?6 | \(Permissions.optOutBit))) != 0)"
  }

  /// Takes over what the identity file says: it outlives the store.
  func adoptPermissions() throws(StoreError) {
    let permissions = (try identity.read() ?? Identity()).permissions()
    guard try barred() != permissions.barred else { return }
    try connection.transaction { () throws(StoreError) in try bar(permissions) }
  }

  /// Opts out, which deletes every hit, or in again.
  func setOptOut(_ isOptedOut: Bool) throws(StoreError) {
    guard isOptedOut else {
      return try delivery.transaction { () throws(StoreError) in
        try bar(try identity.update { $0.optOut = nil }.permissions())
      }
    }
    // What is deleted is to be gone from the disk: overwritten in its pages, and not in the log any more.
    try connection.execute("PRAGMA secure_delete = ON")
    try delivery.transaction { () throws(StoreError) in
      try bar(
        try identity.update {
          $0.optOut = true
          $0.session = nil
        }.permissions())
      try drop(.optedOut, needing: nil)
    }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Deletes every hit unless the person has opted in again meanwhile.
  func deleteAllIfOptedOut() throws(StoreError) {
    guard try barred() & Permissions.optOutBit != 0 else { return }
    try delivery.transaction { () throws(StoreError) in try drop(.optedOut, needing: nil) }
  }

  /// Sets the state of a purpose: denied deletes every hit that needs it, granted releases the held ones that need no
  /// other; tells whether any were released.
  ///
  /// - Parameter initial: what holds for purposes that were never set.
  func set(
    _ purpose: ConsentPurpose, _ state: ConsentState, initially initial: ConsentSnapshot
  ) throws(StoreError) -> Bool {
    try delivery.transaction { () throws(StoreError) in
      let identity = try identity.update { $0.set(purpose, state) }
      try bar(identity.permissions())
      if state == .denied { try drop(.consentDenied, needing: ConsentPurposes(purpose)) }
      guard state == .granted else { return false }
      let pending = identity.permissions(initially: initial).consent.purposes(in: .pending)
      let release = try connection.prepare("UPDATE hit SET state = 0 WHERE state = 1 AND (purposes & ?) = 0")
      release.bind(Int64(pending.rawValue), at: 1)
      try release.run()
      guard connection.changes > 0 else { return false }
      try delivery.widen()
      return true
    }
  }

  private func bar(_ permissions: Permissions) throws(StoreError) {
    let statement = try connection.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES('barred', ?)")
    statement.bind(permissions.barred, at: 1)
    try statement.run()
  }

  /// Deletes hits, those in requests too: an answer finds nothing to settle.
  private func drop(_ reason: DropReason, needing purposes: ConsentPurposes?) throws(StoreError) {
    let condition = purposes == nil ? "" : "WHERE (purposes & ?1) != 0"
    let count = try connection.prepare("SELECT lane, COUNT(*) FROM hit \(condition) GROUP BY lane")
    let deletion = try connection.prepare("DELETE FROM hit \(condition)")
    if let purposes {
      count.bind(Int64(purposes.rawValue), at: 1)
      deletion.bind(Int64(purposes.rawValue), at: 1)
    }
    try count.query { row throws(StoreError) in
      while try row.step() { counters.add(Int(row.integer(at: 1)), to: .dropped(reason), lane: row.integer(at: 0)) }
    }
    try deletion.run()
    forgetRows()
  }

  /// Why a hit was not inserted.
  func refusal() throws(StoreError) -> Refusal {
    try barred() & Permissions.optOutBit != 0 ? .optedOut : .consentDenied
  }

  private func barred() throws(StoreError) -> Int64 {
    let statement = try connection.prepare("SELECT value FROM meta WHERE key = 'barred'")
    return try statement.query { row throws(StoreError) in try row.step() ? row.integer(at: 0) : 0 }
  }
}
