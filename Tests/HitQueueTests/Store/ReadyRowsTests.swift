import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// No index names the ready hits: each lane remembers where its first one can be, and must never miss one for it.
@Suite struct ReadyRowsTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  private func connection() throws -> Connection {
    try Connection(path: fixture.directory + "/hits.sqlite3", durability: .processDeath)
  }

  private func open(_ change: (inout HitStoreConfiguration) -> Void = { _ in }) throws -> Analytics {
    let analytics = try fixture.open(change)
    analytics.dispatchInterval = 0
    return analytics
  }

  private func first(ofLane lane: Int64) throws -> Int64? {
    try connection().integer("SELECT first FROM lane WHERE id = \(lane)")
  }

  @Test("HQ-435, HQ-420: hits behind thousands of another lane's are found, and those are passed once")
  func behindOthers() async throws {
    let analytics = try open()
    // Nobody can send these: their key is not known to a later run.
    let other = try analytics.tracker(
      name: "g", property: "G-1", destination: .ga4(web: "G-1", secret: "s"))
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("1"))
    await other.send(contentsOf: [HitBuilder](repeating: .screenView("other"), count: 2_500))
    await tracker.send(contentsOf: (2...45).map { .screenView("\($0)") })
    await analytics.close()

    let next = try open()
    let report = await next.drain()
    #expect(report.accepted == 45)
    #expect(report.remaining == 2_500)
    #expect(fixture.sent.map { $0["cd"] } == (1...45).map(String.init))
    // The lane is empty; the other begins at its own first hit at the latest.
    #expect(try first(ofLane: 1) == .max)
    #expect(try #require(try first(ofLane: 2)) <= 2)
    _ = next.send(.screenView("46"), tracker: "UA-1-1")
    #expect(await next.drain().accepted == 1)
    #expect(try await next.statistics().isConserved)
  }

  @Test("HQ-433, HQ-910: a hit that comes back from quarantine is sent, though its lane was found empty")
  func quarantined() async throws {
    let ack = #"{"v":1,"received":1,"accepted":0,"rejected":[{"line":1,"code":"BAD_VALUE"}]}"#
    let refusal = HTTPResponse(
      status: 200, headers: ["Content-Type": Acknowledgement.mediaType], body: Array(ack.utf8))
    let fixture = try QueueFixture(transport: ScriptedTransport([.response(refusal)]))
    let analytics = try await fixture.open(events: 1)
    #expect(await analytics.drain().rejected == 1)
    _ = await analytics.drain()
    let editor = try HitStoreEditor(directory: fixture.directory, clock: fixture.clock)
    #expect(try await editor.retry(nil) == 1)
    let report = await analytics.drain()
    #expect(report.accepted == 1)
    #expect(report.remaining == 0)
    #expect(fixture.sent.map { $0["ea"] } == ["1", "1"])
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-222, HQ-223: hits held on the disk are sent when they are granted, though their lane was found empty")
  func held() async throws {
    var pending = ConsentSnapshot.granted
    pending[.analyticsStorage] = .pending
    let analytics = try fixture.open({ $0.pendingStorage = .disk }, consent: pending)
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.screenView("held"))
    let report = await analytics.drain()
    #expect(report.result == .noData)
    #expect(report.remaining == 0)
    #expect(try first(ofLane: 1) == .max)
    analytics.consent(.analyticsStorage, .granted)
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent.map { $0["cd"] } == ["held"])
  }

  @Test("HQ-261: a hit that waits for its time is not forgotten by claims of those behind it")
  func waiting() async throws {
    let analytics = try open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    tracker.rateLimit = .delay(capacity: 1, perSecond: 0.5)
    await tracker.send(.screenView("1"))
    await tracker.send(.screenView("waits"))
    tracker.rateLimit = .off
    await tracker.send(contentsOf: (0..<1_200).map { .screenView("\($0)") })
    #expect(await analytics.drain().accepted == 1_201)
    fixture.clock.advance(by: .seconds(3))
    #expect(await analytics.drain().accepted == 1)
    #expect(fixture.sent.last?["cd"] == "waits")
  }

  @Test("HQ-360: what a program of version 1 does beside this one is found within the hour")
  func olderProgram() async throws {
    let analytics = try await fixture.open(events: 2)
    _ = await analytics.drain()
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(.event(category: "c", action: "3"))
    // It counts hits and draws the ledger's line, and knows of no column `first`.
    try connection().execute(
      """
      UPDATE meta SET value = 3 WHERE key = 'sequence'; UPDATE counter SET value = 3 WHERE name = 'accepted';
      UPDATE lane SET first = 9223372036854775807
      """)
    fixture.clock.advance(by: .seconds(3_700))
    #expect(await analytics.drain().accepted == 1)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-360, HQ-361: a store of version 1 opens with every hit in every state, and all of them find their way")
  func versionOne() async throws {
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    try makeVersionOne()
    let now = fixture.clock.wallMilliseconds
    let analytics = try open()
    #expect(analytics.status.isOK)
    let hits = try await analytics.inspect(HitQuery())
    #expect(hits.map(\.sequence) == [3, 5, 6, 7, 9, 10])
    #expect(hits.map(\.state) == [.ready, .quarantined, .held, .inflight, .ready, .ready])
    #expect(hits.map(\.reason) == [nil, "BAD_VALUE", nil, nil, nil, nil])
    #expect(try connection().integer("PRAGMA user_version") == 2)
    #expect(try connection().integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'hit_ready'") == 0)

    let report = await analytics.drain()
    #expect(report.accepted == 3)
    // One waits for its time.
    #expect(report.remaining == 1)
    #expect(fixture.sent.map { $0["cd"] } == ["3", "7", "9"])
    #expect(fixture.sent.map { $0["_s"] } == ["3", "7", "9"])
    fixture.clock.advance(by: .seconds(61))
    analytics.consent(.analyticsStorage, .granted)
    let editor = try HitStoreEditor(directory: fixture.directory, clock: fixture.clock)
    #expect(try await editor.retry(nil) == 1)
    #expect(await analytics.drain().accepted == 3)
    #expect(Set(fixture.sent.map { $0["cd"] }) == ["3", "5", "6", "7", "9", "10"])
    #expect(fixture.sent.map { $0["ht"] }.allSatisfy { $0 == "\(now - 1_000)" })
    _ = analytics.send(.screenView("new"), tracker: "UA-1-1")
    #expect(try await analytics.inspect(HitQuery()).map(\.sequence) == [11])
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.accepted] == 10)
    #expect(statistics.isConserved)
  }

  /// What the program of version 1 wrote: hits in every state, some of them not counted yet, and a claim of a dead process.
  private func makeVersionOne() throws {
    let store = try connection()
    try store.execute(
      """
      CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID;
      CREATE TABLE zone(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE boot(id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE);
      CREATE TABLE lane(id INTEGER PRIMARY KEY, tracker TEXT NOT NULL, property TEXT NOT NULL, protocol TEXT NOT NULL,
        endpoint TEXT NOT NULL, failures INTEGER NOT NULL DEFAULT 0, wait_until INTEGER, wait_cause TEXT, batch_limit INTEGER,
        inflight BLOB, UNIQUE(tracker, property, protocol, endpoint));
      CREATE TABLE hit(seq INTEGER PRIMARY KEY AUTOINCREMENT, lane INTEGER NOT NULL REFERENCES lane(id), id BLOB NOT NULL,
        state INTEGER NOT NULL,
        priority INTEGER NOT NULL, kind INTEGER NOT NULL, purposes INTEGER NOT NULL, consent INTEGER NOT NULL,
        created INTEGER NOT NULL, age_clock INTEGER NOT NULL, boot INTEGER NOT NULL, zone INTEGER NOT NULL, flags INTEGER NOT NULL,
        not_before INTEGER, max_age INTEGER, attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,
        body BLOB NOT NULL);
      CREATE INDEX hit_ready ON hit(lane, seq) WHERE state = 0;
      CREATE TABLE counter(name TEXT NOT NULL, lane INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY(name, lane)) WITHOUT ROWID;
      PRAGMA user_version=1;
      PRAGMA application_id=0x54574851;
      INSERT INTO meta VALUES('sequence', 7), ('barred', 0);
      INSERT INTO zone VALUES(1, 'UTC');
      INSERT INTO boot VALUES(1, x'00112233445566778899aabbccddeeff');
      INSERT INTO lane(id, tracker, property, protocol, endpoint, inflight)
        VALUES(4, 'UA-1-1', 'UA-1-1', 'mp1', 'https://collect.example', zeroblob(16) || x'0000000000000007');
      INSERT INTO counter VALUES('accepted', 4, 7), ('delivered', 4, 3);
      """)
    let purposes = Int64(ConsentPurposes.analyticsStorage.rawValue)
    let insertion = try store.prepare(
      """
      INSERT INTO hit VALUES(?1, 4, ?2, ?3, 0, 1, \(purposes), \(ConsentSnapshot.granted.rawValue),
        \(fixture.clock.wallMilliseconds - 1_000), 0, 1, 1, 0, ?4, NULL, 0, ?5, ?6, ?7, ?8)
      """)
    let later = fixture.clock.wallMilliseconds + 60_000
    let rows: [(sequence: Int64, state: Int64, notBefore: Int64?, reason: String?)] = [
      (3, 0, nil, nil), (5, 2, nil, "BAD_VALUE"), (6, 1, nil, nil), (7, 0, nil, nil), (9, 0, nil, nil),
      (10, 0, later, nil),
    ]
    for row in rows {
      let body = [1] + Array("v=1&tid=UA-1-1&cid=c&t=screenview&cd=\(row.sequence)".utf8)
      insertion.bind(row.sequence, at: 1)
      insertion.bind(EncodedHit.id(UInt64(row.sequence)).bytes, at: 2)
      insertion.bind(row.state, at: 3)
      insertion.bind(row.notBefore, at: 4)
      insertion.bind(row.reason, at: 5)
      insertion.bind(body.count + 96, at: 6)
      insertion.bind(Int64(CRC32.checksum(body)), at: 7)
      insertion.bind(body, at: 8)
      try insertion.run()
    }
  }
}
