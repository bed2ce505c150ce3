import DurableStore
import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct HitStoreTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  /// Another process's look at the file.
  private func connection() throws -> Connection {
    try Connection(path: fixture.directory + "/hits.sqlite3", durability: .processDeath)
  }

  private func send(_ count: Int, to analytics: Analytics) async throws {
    let tracker = try analytics.tracker(property: "UA-1-1")
    for number in 1...count { await tracker.send(.event(category: "c", action: "\(number)")) }
  }

  private func identity() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: fixture.directory + "/identity.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("The schema is the one of the spec, but for the index of ready hits, in whose place is a column")
  func schema() async throws {
    _ = try fixture.open()
    let connection = try connection()
    let statement = try connection.prepare("SELECT sql FROM sqlite_master WHERE name = ?")
    let expected = [
      "meta": "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID",
      "zone": "CREATE TABLE zone(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
      "boot": "CREATE TABLE boot(id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE)",
      "lane": """
      CREATE TABLE lane(id INTEGER PRIMARY KEY, tracker TEXT NOT NULL, property TEXT NOT NULL, protocol TEXT NOT NULL, \
      endpoint TEXT NOT NULL, failures INTEGER NOT NULL DEFAULT 0, wait_until INTEGER, wait_cause TEXT, batch_limit INTEGER, \
      inflight BLOB, first INTEGER NOT NULL DEFAULT 0, UNIQUE(tracker, property, protocol, endpoint))
      """,
      "hit": """
      CREATE TABLE hit(seq INTEGER PRIMARY KEY AUTOINCREMENT, lane INTEGER NOT NULL REFERENCES lane(id), id BLOB NOT NULL, \
      state INTEGER NOT NULL, priority INTEGER NOT NULL, kind INTEGER NOT NULL, purposes INTEGER NOT NULL, consent INTEGER NOT NULL, \
      created INTEGER NOT NULL, age_clock INTEGER NOT NULL, boot INTEGER NOT NULL, zone INTEGER NOT NULL, flags INTEGER NOT NULL, \
      not_before INTEGER, max_age INTEGER, attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, bytes INTEGER NOT NULL, crc INTEGER NOT NULL, \
      body BLOB NOT NULL)
      """,
      "hit_ready": "",
      "hit_aside": "CREATE INDEX hit_aside ON hit(state, seq) WHERE state <> 0",
      "counter":
        "CREATE TABLE counter(name TEXT NOT NULL, lane INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY(name, lane)) WITHOUT ROWID",
    ]
    for (name, sql) in expected {
      statement.bind(name, at: 1)
      let found = try statement.query { row throws(StoreError) in try row.step() ? row.text(at: 0) : "" }
      #expect(found.split(whereSeparator: \.isWhitespace).joined(separator: " ") == sql)
    }
    #expect(try connection.integer("PRAGMA application_id") == 0x5457_4851)
    #expect(try connection.integer("PRAGMA user_version") == 2)
  }

  @Test("HQ-300, HQ-301: the directory and its files are the owner's alone, and no other entry is touched")
  func files() async throws {
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    try "mine".write(toFile: fixture.directory + "/notes.txt", atomically: true, encoding: .utf8)
    let analytics = try fixture.open()
    try await send(1, to: analytics)
    _ = await analytics.drain()
    let known = [
      "hits.sqlite3", "hits.sqlite3-shm", "hits.sqlite3-wal", "identity.json", "lane-1.lock", "notes.txt", "store.lock",
    ]
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).sorted() == known)
    for name in known where name != "notes.txt" {
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.directory + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    #expect(try String(contentsOfFile: fixture.directory + "/notes.txt", encoding: .utf8) == "mine")
  }

  @Test("HQ-305: a row holds the line up to the sequence, with its checksum and its size")
  func row() async throws {
    let analytics = try fixture.open()
    try await send(1, to: analytics)
    let statement = try connection().prepare("SELECT body, crc, bytes, kind, state, id, flags FROM hit")
    #expect(try statement.step())
    let body = statement.blob(at: 0)
    #expect(body.first == 1)
    let client = await analytics.clientID()
    #expect(
      String(decoding: body.dropFirst(), as: UTF8.self)
        == "v=1&tid=UA-1-1&cid=\(client)&t=event&ds=app&ea=1&ec=c")
    #expect(statement.integer(at: 1) == Int64(CRC32.checksum(body)))
    #expect(statement.integer(at: 2) == Int64(body.count + 96))
    #expect(statement.integer(at: 4) == 0)
    #expect(statement.blob(at: 5).count == 16)
    #expect(statement.integer(at: 6) == 0)
  }

  @Test("HQ-105: a hit that was made while the clock was wrong is marked")
  func suspectClock() async throws {
    let analytics = try fixture.open(clock: ManualClock(wallMilliseconds: 1_000))
    try await send(1, to: analytics)
    #expect(try connection().integer("SELECT flags FROM hit") == 1)
  }

  @Test("HQ-210: the client id is a version 4 UUID in lower case, on disk before its first use, the same for ever")
  func clientID() async throws {
    var analytics = try fixture.open()
    let tracker = try analytics.tracker(property: "UA-1-1")
    let id = try #require(tracker.get("cid"))
    #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(try identity()["clientID"] as? String == id)
    await analytics.close()
    analytics = try fixture.open()
    #expect(await analytics.clientID() == id)
    try analytics.resetClientID()
    let other = await analytics.clientID()
    #expect(other != id)
    #expect(try identity()["clientID"] as? String == other)
  }

  @Test("HQ-104: sequences go on after delivery and a relaunch, and a new store starts above the old identity's mark")
  func sequences() async throws {
    var analytics = try fixture.open()
    try await send(3, to: analytics)
    _ = await analytics.drain()
    try await send(2, to: analytics)
    await analytics.close()
    analytics = try fixture.open()
    try await send(1, to: analytics)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["_s"] } == ["1", "2", "3", "4", "5", "6"])
    let mark = try #require(try identity()["sequence"] as? Int)
    #expect(mark >= 6 + 1_000)
    await analytics.close()
    // The last owner lets the connection go with the queue.
    analytics = try QueueFixture().open()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: fixture.directory + "/hits.sqlite3" + suffix)
    }
    analytics = try fixture.open()
    try await send(1, to: analytics)
    #expect(try await analytics.inspect(HitQuery()).first?.sequence ?? 0 > mark)
  }

  @Test("HQ-104: a sequence is never given twice, whichever connection writes and whatever was delivered between")
  func sequencesOfTwo() async throws {
    let analytics = try fixture.open()
    try await send(5, to: analytics)
    // What another process does: it delivers all, and sends one of its own.
    let other = try connection()
    try other.transaction { () throws(StoreError) in
      try other.execute("UPDATE meta SET value = 5 WHERE key = 'sequence'; DELETE FROM hit")
    }
    try await send(1, to: analytics)
    #expect(try await analytics.inspect(HitQuery()).map(\.sequence) == [6])
  }

  @Test("HQ-901: every accepted hit is counted, also while nothing but its row says so")
  func ledger() async throws {
    let analytics = try fixture.open()
    try await send(25, to: analytics)
    #expect(try fixture.reader().statistics().counters[.accepted] == 25)
    _ = await analytics.dispatchNext()
    try await send(3, to: analytics)
    let statistics = try fixture.reader().statistics()
    #expect(statistics.counters[.accepted] == 28)
    #expect(statistics.counters[.delivered] == 20)
    #expect(statistics.isConserved)
    await analytics.close()
    // A closed store has all of it in its counters.
    #expect(try connection().integer("SELECT SUM(value) FROM counter WHERE name = 'accepted'") == 28)
  }

  @Test("HQ-331: a full store that refuses new hits says so, and takes them again when there is room")
  func refuseNew() async throws {
    let analytics = try fixture.open {
      $0.maxHits = 3
      $0.overflow = .refuseNew
    }
    try await send(3, to: analytics)
    let tracker = try analytics.tracker(property: "UA-1-1")
    #expect(await tracker.send(.screenView("x")).state == .refused(.storeFull))
    _ = await analytics.drain()
    #expect(await tracker.send(.screenView("y")).state == .durable)
    #expect(try await analytics.counters[.refused("storeFull")] == 1)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-331, HQ-332: a full store lets the oldest go in a step, counted")
  func dropOldest() async throws {
    let analytics = try fixture.open { $0.maxHits = 1_000 }
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(contentsOf: (1...1_000).map { .screenView("\($0)") })
    #expect(try await analytics.statistics().hits == 1_000)
    await tracker.send(.screenView("1001"))
    let statistics = try await analytics.statistics()
    #expect(statistics.hits == 901)
    #expect(statistics.counters[.dropped(.evicted)] == 100)
    #expect(statistics.isConserved)
    #expect(try await analytics.inspect(HitQuery(limit: 1)).first?.sequence == 101)
  }

  @Test("HQ-331, HQ-1115: hits of a request under way are not let go, and the newer ones survive")
  func evictionInFlight() async throws {
    let fixture = try QueueFixture(transport: ScriptedTransport([.hold]))
    let analytics = try fixture.open { $0.maxHits = 100 }
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(contentsOf: (1...100).map { .screenView("\($0)") })
    analytics.dispatch()
    await fixture.transport.waitForRequests(1)
    await tracker.send(.screenView("101"))
    let flying = try await analytics.inspect(HitQuery(state: .inflight, limit: 1_000))
    #expect(flying.map(\.sequence) == Array(1...20))
    fixture.transport.answerNext(.status(200))
    await analytics.whenIdle()
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.evicted)] == 50)
    #expect(statistics.counters[.delivered] == 51)
    #expect(statistics.isConserved)
    #expect(fixture.sent.last?["cd"] == "101")
  }

  @Test("HQ-352: a damaged row is removed and counted, and holds up nothing")
  func damagedRow() async throws {
    let analytics = try fixture.open()
    try await send(3, to: analytics)
    let other = try connection()
    try other.execute("UPDATE hit SET body = x'01' WHERE seq = 1; UPDATE hit SET id = x'00' WHERE seq = 2")
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["ea"] } == ["3"])
    #expect(try await analytics.counters[.dropped(.damaged)] == 2)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-423, HQ-1101: the claim of a process that died is sent again, with the same ids, in order")
  func uncertainClaim() async throws {
    let analytics = try fixture.open()
    try await send(3, to: analytics)
    analytics.send(.beacon("https://pixel.example/1"), tracker: nil)
    let ids = try await analytics.inspect(HitQuery()).map(\.id.description)
    // What a process leaves behind that is killed between its claim and the settlement: of the hits, and of the beacon.
    let other = try connection()
    try other.execute(
      """
      UPDATE lane SET inflight = zeroblob(16) || x'00000000000000010000000000000002' WHERE protocol = 'mp1';
      UPDATE lane SET inflight = zeroblob(16) || x'0000000000000004' WHERE protocol = 'beacon'
      """)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["z"] }.compactMap { $0 } == Array(ids.prefix(3)))
    let counters = try await analytics.counters
    #expect(counters[.retries] == 3)
    // Our collector knows hits again by their ids; nobody knows a beacon again.
    #expect(counters[.maybeDuplicate] == 1)
    #expect(try await analytics.statistics().isConserved)
  }

  @Test("HQ-423: where the destination says so, a dead process's claim is dropped whose hits the server may know")
  func droppedClaim() async throws {
    let answer = HTTPResponse(status: 200, body: Array(#"{"status":"success","tracked":1,"invalid":0}"#.utf8))
    let fixture = try QueueFixture(transport: ScriptedTransport(otherwise: { _ in .response(answer) }))
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    var destination = Destination.matomo("https://matomo.example")
    destination.onUncertain = .drop
    let tracker = try analytics.tracker(name: "m", property: "1", destination: destination)
    for number in 1...3 { await tracker.send(.screenView("screen \(number)")) }
    let other = try Connection(path: fixture.directory + "/hits.sqlite3", durability: .processDeath)
    try other.execute("UPDATE lane SET inflight = zeroblob(16) || x'00000000000000010000000000000002'")
    #expect(await analytics.drain().accepted == 1)
    let bodies = fixture.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == 1)
    #expect(bodies.allSatisfy { $0.contains("screen%203") && !$0.contains("screen%201") })
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.uncertain)] == 2)
    #expect(statistics.counters[.maybeDuplicate] == 0)
    #expect(statistics.isConserved)
  }

  @Test("HQ-1101: killed with a request under way, the next process sends the same hits")
  func killedInFlight() async throws {
    let path = fixture.directory
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let transport = ScriptedTransport(otherwise: { _ in .hold })
      let analytics = try Analytics(store: HitStoreConfiguration(directory: path), transport: transport)
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      let tracker = try analytics.tracker(property: "UA-1-1")
      for number in 1...3 { await tracker.send(.screenView("\(number)")) }
      analytics.dispatch()
      await transport.waitForRequests(1)
      kill(getpid(), SIGKILL)
    }
    let analytics = try fixture.open(clock: SystemHitClock())
    #expect(try await analytics.inspect(HitQuery(state: .inflight)).count == 3)
    _ = await analytics.drain()
    #expect(fixture.sent.map { $0["cd"] } == ["1", "2", "3"])
    #expect(try await analytics.counters[.retries] == 3)
  }

  @Test("HQ-316: what was sent without waiting is on disk when the process has ended")
  func exitHook() async throws {
    await #expect(processExitsWith: .success) { [path = fixture.directory as String] in
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path), transport: ScriptedTransport(), logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      let tracker = try analytics.tracker(property: "UA-1-1")
      for number in 1...500 { tracker.enqueue(.screenView("\(number)")) }
      withExtendedLifetime(analytics) { exit(0) }
    }
    let hits = try fixture.reader().inspect(HitQuery(limit: 1_000))
    #expect(hits.map { $0.fields["cd"] } == (1...500).map(String.init))
  }

  @Test("HQ-322: two queues of one directory share its store, and HQ-321: a lane has one request at a time")
  func sharedStore() async throws {
    let held = ScriptedTransport([.hold])
    let first = try fixture.open(transport: held)
    let second = try fixture.open()
    try await send(1, to: first)
    try await send(1, to: second)
    #expect(try await second.inspect(HitQuery()).map(\.sequence) == [1, 2])
    first.dispatch()
    await held.waitForRequests(1)
    second.dispatch()
    await second.whenIdle()
    #expect(fixture.transport.requests.isEmpty)
    held.answerNext(.status(200))
    await first.whenIdle()
    #expect(try await second.statistics().hits == 0)
  }

  @Test("HQ-302: a place that cannot be a store is told by name", arguments: [true, false])
  func places(isLink: Bool) throws {
    if isLink {
      try FileManager.default.createSymbolicLink(atPath: fixture.directory, withDestinationPath: "/tmp")
    } else {
      try Data().write(to: URL(fileURLWithPath: fixture.directory))
    }
    #expect {
      try fixture.open()
    } throws: {
      ($0 as? HitQueueError)?.code == (isLink ? .insecureStore : .storeUnavailable)
    }
  }

  @Test("HQ-330: the bounds are 100,000 hits, 64 MiB and 30 days unless set; 0 is none")
  func bounds() async throws {
    let standard = HitStoreConfiguration()
    #expect(standard.maxHits == 100_000)
    #expect(standard.maxBytes == 64 << 20)
    #expect(standard.maxAge == .seconds(30 * 86_400))
    #expect(standard.overflow == .dropOldest)
    let analytics = try fixture.open {
      $0.maxHits = 0
      $0.maxBytes = 0
    }
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(contentsOf: (0..<300).map { .screenView("\($0)") })
    #expect(try await analytics.statistics().hits == 300)
    let small = try QueueFixture()
    let other = try small.open { $0.maxBytes = 20_000 }
    let otherTracker = try other.tracker(property: "UA-1-1")
    for number in 0..<300 { await otherTracker.send(.screenView("\(number)")) }
    let statistics = try await other.statistics()
    #expect(statistics.bytes <= 20_000)
    #expect(statistics.counters[.dropped(.evicted)] == Int64(300 - statistics.hits))
    #expect(statistics.isConserved)
  }

  @Test("HQ-801, HQ-802, HQ-900: refusals, drops and counters are called by the names that are published")
  func names() {
    let refusals: [Refusal] = [
      .optedOut, .consentDenied, .sampledOut, .rateLimited, .unsupportedKind, .unknownTracker, .missingField("f"),
      .invalidValue("f"), .tooLarge(bytes: 2, limit: 1), .storeFull, .closed,
    ]
    #expect(
      refusals.map(\.description) == [
        "optedOut", "consentDenied", "sampledOut", "rateLimited", "unsupportedKind", "unknownTracker",
        "missingField(f)", "invalidValue(f)", "tooLarge(2, 1)", "storeFull", "closed",
      ])
    #expect(
      DropReason.allCases.map(\.rawValue) == [
        "optedOut", "consentDenied", "pendingFull", "expired", "evicted", "late", "rejected", "tooLarge", "damaged",
        "diskFull", "uncertain", "purged",
      ])
    let counters: [HitCounters.Name] = [
      .accepted, .delivered, .duplicatesAcked, .dropped(.late), .refused("closed"), .requests, .requestsFailed,
      .bodyBytes, .wireBytes, .retries, .maybeDuplicate, .sentLate, .delayed, .clockUnknown, .valuesRefused,
      .valuesTruncated, .damageEvents, .damageSalvaged, .damageUnreadable, .rejectedUnknown,
    ]
    #expect(
      counters.map(\.rawValue) == [
        "accepted", "delivered", "duplicatesAcked", "dropped.late", "refused.closed", "requests", "requests.failed",
        "bytes.body", "bytes.wire", "retries", "maybeDuplicate", "sentLate", "delayed", "clockUnknown",
        "values.refused", "values.truncated", "damage.events", "damage.salvaged", "damage.unreadable",
        "rejectedUnknown",
      ])
  }

  @Test("HQ-800: settings without a meaning are refused")
  func settings() {
    let changes: [(inout HitStoreConfiguration) -> Void] = [
      { $0.maxHits = -1 }, { $0.maxAge = .zero }, { $0.maxAge = .seconds(366 * 86_400) }, { $0.name = "../x" },
      { $0.name = "" }, { $0.sendBudget = .seconds(-1) },
    ]
    for change in changes {
      #expect {
        try fixture.open(change)
      } throws: {
        ($0 as? HitQueueError)?.code == .invalidConfiguration
      }
    }
  }

  @Test("HQ-910: a reader sees a store that is open, and says when there is none")
  func reader() async throws {
    #expect {
      try fixture.reader()
    } throws: {
      ($0 as? HitQueueError)?.code == .storeUnavailable
    }
    let analytics = try fixture.open()
    try await send(3, to: analytics)
    analytics.send(.beacon("https://pixel.example/1"), tracker: nil)
    let reader = try fixture.reader()
    let hits = try reader.inspect(HitQuery(limit: 10))
    #expect(hits.map(\.kind) == ["event", "event", "event", "beacon"])
    #expect(hits.map(\.state) == [.ready, .ready, .ready, .ready])
    #expect(hits[0].fields["ea"] == "1")
    #expect(hits[3].fields == ["url": "https://pixel.example/1"])
    #expect(try reader.inspect(HitQuery(lane: 2)).map(\.sequence) == [4])
    #expect(try reader.inspect(HitQuery(id: hits[1].id)).map(\.sequence) == [2])
    #expect(try reader.inspect(HitQuery(state: .quarantined)) == [])
    #expect(try reader.inspect(HitQuery(limit: 2)).count == 2)
    let lane = try #require(try reader.statistics().lanes.first)
    #expect(lane.tracker == "UA-1-1")
    #expect(lane.protocolName == "mp1")
    #expect(lane.endpoint == "https://collect.example")
    #expect(lane.hits == [.ready: 3])
  }
}
