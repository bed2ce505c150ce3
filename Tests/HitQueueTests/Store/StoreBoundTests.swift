import DurableStore
import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

/// Bounds of the file and of what is kept beside it (HQ-334, HQ-350).
@Suite struct StoreBoundTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  @Test("HQ-334: the file is capped at one and a half times the bytes and 8 MiB")
  func cap() async throws {
    let analytics = try fixture.open { $0.maxBytes = 4 << 20 }
    let (pages, size) = try await analytics.store.deliver { table throws(StoreError) in
      (
        try table.connection.integer("PRAGMA max_page_count") ?? 0,
        try table.connection.integer("PRAGMA page_size") ?? 0
      )
    }
    #expect(pages * size == 14 << 20)
  }

  @Test("HQ-334: pages that hold nothing any more are given back while nothing else is to be done")
  func vacuum() async throws {
    let analytics = try fixture.open()
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(contentsOf: (0..<400).map { _ in .screenView(String(repeating: "x", count: 2_000)) })
    func pages() async throws -> (all: Int64, free: Int64) {
      try await analytics.store.deliver { table throws(StoreError) in
        (
          try table.connection.integer("PRAGMA page_count") ?? 0,
          try table.connection.integer("PRAGMA freelist_count") ?? 0
        )
      }
    }
    let full = try await pages()
    #expect(full.all > 200)
    _ = await analytics.drain()
    #expect(try await pages().free > 100)
    // An hour later a look at the lanes looks after the file.
    fixture.clock.advance(by: .seconds(3_601))
    analytics.dispatch()
    await analytics.whenIdle()
    let after = try await pages()
    #expect(after.free == 0)
    #expect(after.all < full.all / 2)
  }

  @Test("HQ-350: at most three damaged stores are kept aside, the oldest goes")
  func aside() async throws {
    var kept: [[String]] = []
    for round in 0..<5 {
      try await use()
      let path = fixture.directory + "/hits.sqlite3"
      try Data(repeating: UInt8(round + 1), count: 8_192).write(to: URL(fileURLWithPath: path))
      try await use()
      kept.append(try FileManager.default.contentsOfDirectory(atPath: fixture.directory + "/damaged").sorted())
    }
    #expect(kept.map(\.count) == [1, 2, 3, 3, 3])
    #expect(kept[4].first == kept[2].last)
  }

  @Test("HQ-350: what is kept aside is at most 128 MiB")
  func asideBytes() throws {
    let place = try TemporaryDirectory()
    let damaged = DamagedFiles(store: place.path)
    var kept: [[String]] = []
    for round in 0..<3 {
      let path = place.file("hits.sqlite3")
      _ = FileManager.default.createFile(atPath: path, contents: Data("x".utf8))
      // Sparse: it takes no room on the disk.
      #expect(truncate(path, 60 << 20) == 0)
      _ = try damaged.setAside(path, at: Int64(round))
      kept.append(try FileManager.default.contentsOfDirectory(atPath: place.path + "/damaged").sorted())
    }
    #expect(kept == [["0"], ["0", "1"], ["1", "2"]])
  }

  /// Sends a hit, and returns when nobody has the store open any more: its last connection takes the log with it.
  private func use() async throws {
    try await send()
    await fixture.waitUntilClosed()
  }

  private func send() async throws {
    let analytics = try fixture.open()
    _ = analytics.send(.screenView("1"), tracker: "UA-1-1")
    await analytics.close()
  }
}
