import Foundation
import Hits
import TestSupport
import Testing
import WebTags

@testable import Tagworks

@Suite("Folders of web tags") struct WebTagsFoldersTests {
  private let directory: TemporaryDirectory
  private var folder: URL { URL(fileURLWithPath: directory.path + "/main", isDirectory: true) }

  init() throws { directory = try TemporaryDirectory() }

  private func event(_ number: Int) -> QueuedEvent {
    QueuedEvent(
      id: UUID(), type: number % 2 == 0 ? "view" : "link", title: "e\(number) ü'\"", time: Int64(number) * 1000,
      data: ["n": .int(Int64(number)), "nested": ["a": [1, nil, "\u{2028}"]]], tagIDs: number == 3 ? ["1", "7"] : nil,
      bytes: 100 + number)
  }

  @Test("WT-420, WT-421: events are kept in order over a restart, and leave with their outcome")
  func order() async throws {
    let storage = WebTagsFolders()
    let (store, _) = try storage.open(folder)
    let events = (1...30).map(event)
    try await store.append(Array(events.prefix(10)))
    try await store.append(Array(events.dropFirst(10)))
    try await store.settle([events[0].id, events[4].id, UUID()])
    try await store.setDeaths([events[1].id: 1])
    await storage.close(folder)
    let (again, _) = try storage.open(folder)
    var expected = events
    expected[1].deaths = 1
    expected.remove(at: 4)
    expected.remove(at: 0)
    #expect(try await again.waiting() == expected.map(\.summary))
    #expect(try await again.events([expected[3].id, events[0].id, expected[0].id]) == [expected[3], expected[0]])
    try await again.eraseAll()
    #expect(try await again.waiting().isEmpty)
    await storage.close(folder)
  }

  @Test("WT-421: an event given twice is kept once")
  func once() async throws {
    let storage = WebTagsFolders()
    let (store, _) = try storage.open(folder)
    let event = event(1)
    try await store.append([event])
    try await store.append([event])
    #expect(try await store.waiting() == [event.summary])
    await storage.close(folder)
  }

  @Test("WT-117: values are there at once, over a restart, and gone when they are removed")
  func values() async throws {
    let storage = WebTagsFolders()
    let (_, values) = try storage.open(folder)
    let page = [UInt8](repeating: 7, count: 2 << 20)
    try await values.set(["a": [1], "b": [2], "page": page])
    try await values.set(["a": nil, "b": [3]])
    #expect(values.value(of: "a") == nil && values.value(of: "b") == [3])
    await storage.close(folder)
    let (_, again) = try storage.open(folder)
    #expect(again.value(of: "a") == nil && again.value(of: "b") == [3] && again.value(of: "page") == page)
    await storage.close(folder)
  }

  @Test("WT-115: a folder has one holder, also between storages; closed, it is free (peer bug 28)")
  func lock() async throws {
    let (first, second) = (WebTagsFolders(), WebTagsFolders())
    _ = try first.open(folder)
    for storage in [first, second] {
      #expect { try storage.open(folder) } throws: { ($0 as? WebTagsError)?.code == .storageInUse }
    }
    await first.close(folder)
    _ = try second.open(folder)
    await second.close(folder)
  }

  @Test("WT-114: an erased folder is gone, and can be made again")
  func erase() async throws {
    let storage = WebTagsFolders()
    let (store, values) = try storage.open(folder)
    try await store.append([event(1)])
    try await values.set(["a": [1]])
    await storage.close(folder)
    try await storage.erase(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    let (again, none) = try storage.open(folder)
    #expect(try await again.waiting().isEmpty && none.value(of: "a") == nil)
    await storage.close(folder)
  }

  @Test("A damaged file is set aside, and the folder begins anew; a place that is no folder fails by name")
  func damage() async throws {
    let storage = WebTagsFolders()
    _ = try storage.open(folder)
    await storage.close(folder)
    try Data(repeating: 0x41, count: 8192).write(to: folder.appendingPathComponent("tags.sqlite"))
    let (store, _) = try storage.open(folder)
    #expect(try await store.waiting().isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/damaged"))
    await storage.close(folder)
    let file = URL(fileURLWithPath: directory.path + "/file")
    try Data().write(to: file)
    #expect { try storage.open(file) } throws: { ($0 as? WebTagsError)?.code == .storageFailed }
  }

  @Test("WT-1003: 10,000 events are stored, listed and settled in bounded time", .timeLimit(.minutes(1)))
  func many() async throws {
    let storage = WebTagsFolders()
    let (store, _) = try storage.open(folder)
    let events = (1...10_000).map(event)
    for start in stride(from: 0, to: 10_000, by: 100) { try await store.append(Array(events[start..<start + 100])) }
    #expect(try await store.waiting().count == 10_000)
    try await store.settle(events.map(\.id))
    #expect(try await store.waiting().isEmpty)
    await storage.close(folder)
  }
}
