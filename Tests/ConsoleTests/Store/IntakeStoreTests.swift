import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Intake storage") struct IntakeStoreTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(isMade: false) }

  // A disk that is nearly full would turn every test into a test of 507.
  func store(clock: any HitClock = ManualClock(wallMilliseconds: HitStorageContract.now)) throws -> IntakeStore {
    try IntakeStore(directory: directory.path, reserve: 0, clock: clock)
  }

  @Test("HQ-720: the port's contract on SQLite", arguments: HitStorageContract.cases)
  func contract(promise: ContractCase<any HitStorage>) async throws { try await promise.run(on: store()) }

  @Test("HQ-720: the port's contract on the fake", arguments: HitStorageContract.cases)
  func fake(promise: ContractCase<any HitStorage>) async throws { try await promise.run(on: MemoryHitStorage()) }

  @Test("CO-100: the data directory is made for its owner alone, and the file in it")
  func permissions() throws {
    _ = try store()
    func mode(_ path: String) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
    #expect(try mode(directory.path) == 0o700)
    #expect(try mode(directory.path + "/intake.sqlite3") == 0o600)
  }

  @Test("HQ-721: the tables and their columns, the write-ahead log and full synchronisation are as specified")
  func schema() throws {
    _ = try store()
    let tables = try IntakeTables(path: directory.path + "/intake.sqlite3")
    func names(of table: String) throws -> [String] {
      let statement = try tables.connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
      return try statement.query { row throws(StoreError) in
        var names: [String] = []
        while try row.step() { names.append(row.text(at: 0)) }
        return names
      }
    }
    #expect(
      try names(of: "hit") == [
        "pos", "id", "property", "kind", "client", "user", "occurred", "client_time", "received", "seq", "tracker",
        "source", "ip", "ua", "lib", "consent", "body",
      ])
    #expect(try names(of: "seen") == ["id", "day"])
    #expect(try names(of: "reject") == ["pos", "received", "property", "code", "field", "raw"])
    #expect(tables.connection.isWriteAheadLogged)
    #expect(try tables.connection.integer("PRAGMA synchronous") == 2)
  }

  @Test("hits and refusals of one call are stored together or not at all")
  func allOrNothing() async throws {
    let store = try store()
    _ = try await store.store([HitStorageContract.hit(1)], rejected: [])
    let other = try Connection(path: directory.path + "/intake.sqlite3", durability: .processDeath)
    try other.execute("ALTER TABLE reject RENAME TO away")
    let refusal = RejectedHit(code: .badValue, field: "ev", received: 1, raw: [])
    await #expect(throws: StorageError.self) {
      try await store.store([HitStorageContract.hit(2)], rejected: [refusal])
    }
    try other.execute("ALTER TABLE away RENAME TO reject")
    #expect(try await store.scan(after: 0, limit: 10).map(\.hit.id) == [HitStorageContract.hit(1).id])
    #expect(try await store.store([HitStorageContract.hit(2)], rejected: [refusal]) != [.duplicate])
  }

  @Test("HQ-711: an id is forgotten when its window is over")
  func window() async throws {
    let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
    let store = try store(clock: clock)
    let hit = HitStorageContract.hit(1, received: clock.wallMilliseconds)
    let keepsAll = RetentionPolicy()
    var keepsNothing = RetentionPolicy()
    keepsNothing.standard.bytes = 0
    _ = try await store.store([hit], rejected: [])
    #expect(try await store.purge(by: keepsNothing) == 1)
    clock.advance(by: .seconds(45 * 86_400))
    _ = try await store.purge(by: keepsAll)
    #expect(try await store.store([hit], rejected: []) == [.duplicate])
    clock.advance(by: .seconds(86_400))
    _ = try await store.purge(by: keepsAll)
    #expect(try await store.store([hit], rejected: []) != [.duplicate])
  }

  @Test("CO-702: more than one transaction removes is removed all the same, and hits come in meanwhile")
  func large() async throws {
    let store = try store()
    let day: Int64 = 86_400_000
    let old = (1...2500).map { HitStorageContract.hit($0, received: HitStorageContract.now - 2 * day) }
    _ = try await store.store(old, rejected: [])
    var policy = RetentionPolicy()
    policy.standard.days = 1
    async let removed = store.purge(by: policy)
    let fresh = (3000...3009).map { HitStorageContract.hit($0, received: HitStorageContract.now) }
    for hit in fresh { #expect(try await store.store([hit], rejected: []) != [.duplicate]) }
    #expect(try await removed == 2500)
    #expect(try await store.scan(after: 0, limit: 100).map(\.hit.id) == fresh.map(\.id))
    let check = try IntakeReader(directory: directory.path).check()
    #expect(check.isCounted)
    #expect(check.hits == 10)
  }

  @Test("CO-702: a store of the first version is counted when it is opened, and read before that")
  func firstVersion() async throws {
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    let path = directory.path + "/intake.sqlite3"
    do {
      let connection = try Connection(path: path, durability: .powerLoss)
      let first = Schema(
        applicationID: IntakeSchema.schema.applicationID, migrations: Array(IntakeSchema.schema.migrations.prefix(1)))
      try first.apply(to: connection)
      try connection.execute(
        "INSERT INTO hit(id, property, kind, occurred, received, source, body) "
          + "VALUES(x'00000000000070008000000000000001', 'shop', 'event', 1, 1, 'v1', x'7B7D')")
    }
    chmod(path, 0o600)
    #expect(try IntakeReader(directory: directory.path).statistics().bytes == 258)
    var policy = RetentionPolicy()
    policy.standard.bytes = 257
    #expect(try await store().purge(by: policy) == 1)
    #expect(try IntakeReader(directory: directory.path).check().isCounted)
  }

  @Test("CO-703: what a client's hits said is in no file of the store any more")
  func overwritten() async throws {
    let store = try store()
    let secret = "35009a79-1a05-49d7-b876-2b884d0f825b"
    for number in 1...200 as ClosedRange<UInt64> {
      var hit = HitStorageContract.hit(number)
      hit.client = number % 3 == 0 ? secret : "other \(number)"
      hit.body = Array("v=1&cid=\(hit.client ?? "")".utf8) + [UInt8](repeating: 65, count: Int(number % 7) * 1500)
      _ = try await store.store(
        [hit], rejected: [RejectedHit(code: .badValue, received: 1, raw: Array("v=1&cid=\(secret)".utf8))])
    }
    func isFound() throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { name in
        FileManager.default.contents(atPath: directory.path + "/" + name)?.range(of: Data(secret.utf8)) != nil
      }
    }
    #expect(try isFound())
    #expect(try await store.purge(client: secret, property: nil) == 266)
    #expect(try !isFound())
    #expect(try await store.scan(after: 0, limit: 1000).count == 134)
  }

  @Test("HQ-725: a disk below its reserve is told")
  func health() throws {
    #expect(try store().health() == .good)
    #expect(try IntakeStore(directory: directory.path, reserve: .max).health() == .full)
  }

  @Test("HQ-701: refusals older than 7 days are dropped as new ones come")
  func oldRefusals() async throws {
    let store = try store()
    let week = Int64(7 * 86_400_000)
    _ = try await store.store([], rejected: [RejectedHit(code: .badValue, received: 0, raw: [])])
    let later = [RejectedHit](
      repeating: RejectedHit(code: .tooOld, property: "p", received: week + 1, raw: []), count: 999)
    _ = try await store.store([], rejected: later)
    let statistics = try IntakeReader(directory: directory.path).statistics()
    #expect(statistics.rejected == [.init(property: "p", code: "TOO_OLD", field: nil, count: 999)])
  }

  @Test("HQ-701: refusals older than 7 days go with the hourly removal, without new ones")
  func quietRefusals() async throws {
    let clock = ManualClock(wallMilliseconds: HitStorageContract.now)
    let store = try store(clock: clock)
    let refused = [1, 0].map { age in
      RejectedHit(code: .tooOld, property: "p\(age)", received: HitStorageContract.now - age, raw: [])
    }
    _ = try await store.store([], rejected: refused)
    clock.advance(by: .seconds(7 * 86_400))
    _ = try await store.purge(by: RetentionPolicy())
    #expect(try IntakeReader(directory: directory.path).statistics().rejected.map(\.property) == ["p0"])
  }

  @Test("HQ-910: the store is listed, looked up and counted beside its writer")
  func reader() async throws {
    let store = try store()
    var other = HitStorageContract.hit(9)
    other.property = "shop"
    _ = try await store.store(
      (1...5).map { HitStorageContract.hit($0) } + [other],
      rejected: [
        RejectedHit(code: .missingField, field: "cd", property: "shop", received: 1, raw: []),
        RejectedHit(code: .missingField, field: "cd", property: "shop", received: 2, raw: []),
      ])
    let reader = try IntakeReader(directory: directory.path)
    let listed = try reader.summaries(limit: 3)
    #expect(listed.map(\.id) == [HitStorageContract.hit(4).id, HitStorageContract.hit(5).id, other.id])
    #expect(listed[0].fields["z"] == "4")
    #expect(try reader.summary(of: HitStorageContract.hit(2).id)?.sequence == 2)
    #expect(try reader.summary(of: HitID()) == nil)
    let statistics = try reader.statistics()
    #expect(
      statistics.hits == [
        .init(property: "UA-1-1", kind: "event", count: 5, bytes: 5 * 265),
        .init(property: "shop", kind: "event", count: 1, bytes: 265),
      ])
    #expect(statistics.total == 6)
    #expect(statistics.rejected == [.init(property: "shop", code: "MISSING_FIELD", field: "cd", count: 2)])
  }

  @Test("a directory that is none, or holds something else, is named")
  func foreign() throws {
    let missing = #expect(throws: ConsoleError.self) { try IntakeReader(directory: directory.path) }
    #expect(missing?.code == .storeUnavailable)
    #expect(missing?.message == "\(directory.path)/intake.sqlite3 does not exist")
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data("no database".utf8).write(to: URL(fileURLWithPath: directory.path + "/intake.sqlite3"))
    #expect(throws: ConsoleError.self) { try IntakeReader(directory: directory.path) }
    #expect(throws: StorageError.self) { try store() }
  }
}
