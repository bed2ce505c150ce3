import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// Disks that are full, read-only or no disks at all (HQ-1110, HQ-1113).
@Suite struct DiskFaultTests {
  /// A file system of its own, which goes with the object; nil where this process may not make one.
  private final class SmallDisk {
    let path: String

    init?(bytes: Int) throws {
      path = try TemporaryDirectory(isMade: false).path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #if canImport(Glibc)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else { return nil }
      #else
        return nil
      #endif
    }

    func setReadOnly(_ isReadOnly: Bool) -> Bool { remount(isReadOnly ? UInt(MS_RDONLY) : 0, nil) }

    func grow(to bytes: Int) -> Bool { remount(0, "size=\(bytes)") }

    private func remount(_ flags: UInt, _ options: String?) -> Bool {
      #if canImport(Glibc)
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | flags, options) == 0
      #else
        false
      #endif
    }

    deinit {
      #if canImport(Glibc)
        // Lazily: what a test that failed has left open must not hold it.
        umount2(path, Int32(MNT_DETACH))
      #endif
      rmdir(path)
    }
  }

  private func open(
    _ directory: String, _ transport: ScriptedTransport, _ clock: ManualClock
  ) throws -> Analytics {
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory, sendBudget: .seconds(10)), transport: transport, clock: clock,
      logger: QuietLogger())
    analytics.defaultDestination = .measurementProtocol("https://collect.example")
    analytics.dispatchInterval = 0
    return analytics
  }

  private func sentIDs(_ transport: ScriptedTransport) -> [HitID] {
    transport.lines.compactMap { FormFields(Array($0.utf8)).dictionary["z"].flatMap { HitID($0) } }
  }

  @Test("HQ-1110, HQ-340: 5,000 hits on a disk of 1 MiB, then space: durable ones arrive, the rest is counted")
  func fullDisk() async throws {
    let place = try TemporaryDirectory()
    let disk = try SmallDisk(bytes: 1 << 20)
    print("HQ-1110: \(disk == nil ? "a cap of the file's pages" : "a tmpfs of 1 MiB")")
    let transport = ScriptedTransport()
    let clock = ManualClock()
    let analytics = try open((disk?.path ?? place.path) + "/store", transport, clock)
    if disk == nil { try await cap(analytics, pages: 250) }
    var durable: [HitID] = []
    var pending: [HitID] = []
    for number in 1...5_000 {
      let hit = HitBuilder.event(category: "full", action: "\(number)", label: String(repeating: "x", count: 200))
      let receipt = analytics.send(hit, tracker: "UA-1-1")
      let id = try #require(receipt.id)
      switch receipt.state {
      case .durable: durable.append(id)
      case .pending(let cause):
        pending.append(id)
        #expect(cause == .diskFull || cause == .ioError)
      default: Issue.record("\(receipt.state)")
      }
    }
    #expect(durable.count > 50)
    #expect(pending.count > 2_000)
    #expect(analytics.status.contains(.diskFull) || analytics.status.contains(.ioError))
    // A full disk takes no settlement either: nothing is lost by trying.
    _ = await analytics.dispatchNext()
    if let disk { #expect(disk.grow(to: 64 << 20)) } else { try await cap(analytics, pages: 100_000) }
    // What could not be settled is tried again after five seconds, what stands still in memory at once when asked to.
    clock.advance(by: .seconds(5))
    await analytics.whenIdle()
    try analytics.store.flush()
    _ = await analytics.drain()
    let sent = sentIDs(transport)
    #expect(Set(sent).count == sent.count)
    #expect(Set(durable).isSubset(of: sent))
    #expect(Set(sent).isSubset(of: durable + pending))
    // Of those in memory the newest thousand is kept, in order behind those on the disk.
    #expect(sent.suffix(1_000) == pending.suffix(1_000))
    let statistics = try await analytics.statistics()
    #expect(statistics.counters[.dropped(.diskFull)] == Int64(5_000 - sent.count))
    #expect(statistics.counters[.accepted] == 5_000)
    #expect(statistics.isConserved)
    #expect(analytics.status.isOK)
    await analytics.close()
  }

  @Test("HQ-340, HQ-210: the first hits of all, on a full disk, wait with a client id that is kept when there is room")
  func fullDiskWithoutClient() async throws {
    guard let disk = try SmallDisk(bytes: 1 << 20) else {
      return print("HQ-340: this process may not mount a file system; the client id on a full disk is not tested")
    }
    let transport = ScriptedTransport()
    let analytics = try open(disk.path + "/store", transport, ManualClock())
    let filling = try #require(fopen(disk.path + "/filling", "w"))
    setvbuf(filling, nil, _IONBF, 0)
    while fputc(0x78, filling) != EOF {}
    fclose(filling)
    for name in ["1", "2"] {
      #expect(analytics.send(.screenView(name), tracker: "UA-1-1").state == .pending(.diskFull))
    }
    #expect(!FileManager.default.fileExists(atPath: disk.path + "/store/identity.json"))
    #expect(disk.grow(to: 64 << 20))
    try analytics.store.flush()
    #expect(await analytics.drain().accepted == 2)
    let clients = transport.lines.map { FormFields(Array($0.utf8)).dictionary["cid"] }
    let kept = try #require(try analytics.store.identity.read()?.clientID)
    #expect(clients == [kept, kept])
    #expect(await analytics.clientID() == kept)
    await analytics.close()
  }

  private func cap(_ analytics: Analytics, pages: Int) async throws {
    try await analytics.store.deliver { table throws(StoreError) in
      try table.connection.execute("PRAGMA max_page_count=\(pages)")
    }
  }

  @Test("HQ-1113: a read-only disk is told at opening and by receipts, and what waits is kept until it can be written")
  func readOnly() async throws {
    guard let disk = try SmallDisk(bytes: 8 << 20) else {
      return print("HQ-1113: this process may not mount a file system; the row of read-only disks is not run")
    }
    let transport = ScriptedTransport()
    var ids = [try await sendOne("before", disk.path, transport)]
    // Only when the last connection has closed its files.
    while !disk.setReadOnly(true) { await Task.yield() }
    #expect {
      _ = try open(disk.path + "/store", transport, ManualClock())
    } throws: {
      ($0 as? HitQueueError)?.code == .storeUnavailable
    }
    try #require(disk.setReadOnly(false))
    ids.append(try await sendOne("after", disk.path, transport))
    #expect(sentIDs(transport) == ids)
  }

  private func sendOne(_ name: String, _ place: String, _ transport: ScriptedTransport) async throws -> HitID {
    let analytics = try open(place + "/store", transport, ManualClock())
    let id = try #require(analytics.send(.screenView(name), tracker: "UA-1-1").id)
    if name == "after" { _ = await analytics.drain() }
    await analytics.close()
    return id
  }

  @Test(
    "HQ-1113, HQ-302: a file in the directory's place, or below one, is told and left alone", arguments: ["", "/below"])
  func file(below: String) throws {
    let place = try TemporaryDirectory()
    let path = try place.write("somebody's text", to: "file")
    #expect {
      _ = try open(path + below, ScriptedTransport(), ManualClock())
    } throws: {
      ($0 as? HitQueueError)?.code == .storeUnavailable
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "somebody's text")
  }

  @Test("HQ-1113, HQ-301: foreign files in the directory stay as they are, whatever happens to the store")
  func foreignFiles() async throws {
    let place = try TemporaryDirectory()
    for name in ["notes.txt", "hits.sqlite3.bak", "lane-x.lock", "crash-x.bin", "identity.json.old"] {
      _ = try place.write("\(name) is somebody's", to: name)
    }
    let transport = ScriptedTransport()
    let analytics = try open(place.path, transport, ManualClock())
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: place.path + "/hits.sqlite3"))
    _ = analytics.send(.screenView("2"), tracker: "UA-1-1")
    _ = await analytics.drain()
    analytics.optOut = true
    await analytics.close()
    for name in ["notes.txt", "hits.sqlite3.bak", "lane-x.lock", "crash-x.bin", "identity.json.old"] {
      #expect(try String(contentsOfFile: place.file(name), encoding: .utf8) == "\(name) is somebody's")
    }
  }

  @Test("HQ-354, HQ-1113: a store that may not be read is not damaged: hits wait in memory, and are there when it may")
  func locked() async throws {
    let fixture = try QueueFixture()
    let analytics = try fixture.open()
    _ = analytics.send(.screenView("before"), tracker: "UA-1-1")
    await analytics.close()
    // Whatever this test runs as, the child is nobody: permissions hold for it.
    let path = fixture.directory
    chown(path, 65_534, 65_534)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      chown("\(path)/\(name)", 65_534, 65_534)
      chmod("\(path)/\(name)", 0o000)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard getuid() != 0 || setuid(65_534) == 0 else { fatalError("setuid: \(errno)") }
      let transport = ScriptedTransport()
      let analytics = try Analytics(
        store: HitStoreConfiguration(directory: path), transport: transport, clock: ManualClock(),
        logger: QuietLogger())
      analytics.defaultDestination = .measurementProtocol("https://collect.example")
      analytics.dispatchInterval = 0
      let receipt = analytics.send(.screenView("locked"), tracker: "UA-1-1")
      guard receipt.state == .pending(.locked), receipt.id != nil else { fatalError("\(receipt)") }
      guard analytics.status.conditions == [.locked] else { fatalError("\(analytics.status)") }
      guard await analytics.drain().accepted == 0 else { fatalError("sent while locked") }
      for name in try FileManager.default.contentsOfDirectory(atPath: path) { chmod("\(path)/\(name)", 0o600) }
      analytics.store.unlock()
      guard analytics.status.isOK, await analytics.drain().accepted == 2 else { fatalError("\(analytics.status)") }
      let sent = transport.lines.map { FormFields(Array($0.utf8)).dictionary["cd"] ?? "" }
      guard sent == ["before", "locked"] else { fatalError("\(sent)") }
      guard analytics.send(.screenView("after"), tracker: "UA-1-1").state == .durable else { fatalError("not durable") }
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/damaged"))
  }
}
