import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// A store of every version that was released, as it was left on a disk (HQ-361).
///
/// `Releases/<version>.sqlite3` and `.json` are its files; a version that changes the schema adds its own.
@Suite struct ReleasedStoreTests {
  /// The wall time at which the stores were left.
  private static let left: Int64 = 1_796_041_330_000

  @Test(
    "HQ-361, HQ-360: a store of a released version opens with every hit, and all of them are delivered",
    arguments: ["1.0.0"])
  func released(version: String) async throws {
    let fixture = try QueueFixture(clock: ManualClock(wallMilliseconds: Self.left + 3_600_000, boot: "later"))
    let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Releases/\(version)")
    try FileManager.default.createDirectory(atPath: fixture.directory, withIntermediateDirectories: true)
    for (ending, name) in [("sqlite3", "hits.sqlite3"), ("json", "identity.json")] {
      try FileManager.default.copyItem(
        at: files.appendingPathExtension(ending), to: URL(fileURLWithPath: "\(fixture.directory)/\(name)"))
    }
    let analytics = try fixture.open { $0.maxAge = .seconds(86_400) }
    analytics.dispatchInterval = 0
    #expect(analytics.status.isOK)
    #expect(await analytics.clientID() == "571dcf6b-789b-4e9e-89c8-2fab09f11c28")
    let hits = try await analytics.inspect(HitQuery())
    #expect(
      hits.map(\.id.description) == [
        "01a22c67-73b5-7000-b24c-e9335117477c", "01a22c67-7451-7000-83d4-55f4018cafaf",
        "01a22c67-74c7-7000-9fcc-6a6aa6004978",
      ])
    #expect(hits.map(\.sequence) == [1, 2, 3])
    #expect(hits.map(\.lane) == [1, 1, 2])
    #expect(hits.map(\.state) == [.ready, .quarantined, .ready])
    #expect(hits.map(\.kind) == ["event", "screenview", "screenview"])
    #expect(hits.map(\.created) == [1_796_041_307_061, 1_796_041_307_217, 1_796_041_307_335])
    #expect(hits.map(\.attempts) == [3, 2, 0])
    #expect(hits.map(\.reason) == [nil, "BAD_VALUE", nil])
    #expect(hits.map(\.bytes) == [259, 184, 181])
    #expect(
      hits[0].fields == [
        "v": "1", "tid": "UA-12345-1", "cid": "571dcf6b-789b-4e9e-89c8-2fab09f11c28", "t": "event", "ds": "app",
        "ec": "Trò chơi", "ea": "Mở & chạy", "el": "50% 👍", "ev": "3",
      ])
    var statistics = try await analytics.statistics()
    #expect(statistics.counters[.accepted] == 3)
    #expect(statistics.counters[.requests] == 3)
    #expect(statistics.counters[.bodyBytes] == 1_055)
    #expect(statistics.lanes.map(\.tracker) == ["UA-12345-1", "UA-2-1"])
    #expect(statistics.lanes.map(\.endpoint) == ["http://127.0.0.1:9", "http://127.0.0.1:9"])
    #expect(statistics.lanes.map(\.failures) == [3, 0])
    #expect(statistics.lanes.map(\.restCause) == ["backoff", nil])
    #expect(statistics.isConserved)

    let editor = try HitStoreEditor(directory: fixture.directory, clock: fixture.clock)
    #expect(try await editor.retry(nil) == 1)
    _ = await analytics.drain()
    #expect(Set(fixture.sent.compactMap { $0["z"] }) == Set(hits.map(\.id.description)))
    #expect(fixture.sent.first { $0["ec"] != nil }?["qt"] == "\(Self.left + 3_600_000 - 1_796_041_307_061)")
    // New hits follow with higher sequences.
    _ = analytics.send(.screenView("new"), tracker: "UA-2-1")
    #expect(try await analytics.inspect(HitQuery()).map(\.sequence) == [4])
    statistics = try await analytics.statistics()
    #expect(statistics.counters[.delivered] == 3)
    #expect(statistics.isConserved)
  }
}
