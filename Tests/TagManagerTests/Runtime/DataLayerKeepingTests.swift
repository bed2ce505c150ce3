import Dispatch
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Values that a data layer keeps")
struct DataLayerKeepingTests {
  private func manager(
    _ storage: any DataLayerStorage, store: any DeviceStore = InMemoryDeviceStore(), clock: ManualClock = ManualClock()
  ) -> (TagManager, RecordingLogger) {
    let logger = RecordingLogger()
    let manager = TagManager(
      ports: TagManager.Ports(sink: RecordingSink(), clock: clock, dataLayerStorage: storage, deviceStore: store),
      logger: logger)
    return (manager, logger)
  }

  @Test("D6, TM-540, TM-542: an update with a lifetime is there in the next run, until its time is over")
  func nextRun() {
    let clock = ManualClock()
    let storage = InMemoryDataLayerStorage()
    let (first, _) = manager(storage, clock: clock)
    first.dataLayer.push(["gtm.lifetime": "2s", "user": ["name": "Ann"], "n": 1])
    first.dataLayer.push(["other": 2])
    first.dataLayer.flush()
    clock.advance(by: .milliseconds(1_999))
    #expect(manager(storage, clock: clock).0.dataLayer.snapshot == ["user": ["name": "Ann"], "n": 1])
    clock.advance(by: .milliseconds(1))
    #expect(manager(storage, clock: clock).0.dataLayer.snapshot.isEmpty)
  }

  @Test(
    "D6, TM-540: a lifetime that is none keeps nothing and is warned about", arguments: ["0", "abc", "11y", "3651d"])
  func invalidLifetime(text: String) {
    let storage = InMemoryDataLayerStorage()
    let (manager, logger) = manager(storage)
    manager.dataLayer.push(["gtm.lifetime": .string(text), "a": 1])
    manager.dataLayer.flush()
    #expect(storage.load().isEmpty)
    #expect(manager.dataLayer.get("a") == 1)
    #expect(logger.texts(.warning).count == 1)
  }

  @Test("TM-542: kept rows are no events and come under the first push")
  func underFirstPush() {
    let storage = InMemoryDataLayerStorage([
      PersistedRow(path: "a.b", value: 1, expiry: .max), PersistedRow(path: "event", value: "e", expiry: .max),
    ])
    let (manager, _) = manager(storage)
    let receipt = manager.dataLayer.push(["a": ["c": 2]])
    #expect(receipt.sequence == 1)
    #expect(manager.dataLayer.snapshot == ["a": ["b": 1, "c": 2], "event": "e"])
  }

  @Test("TM-542: rows that come after 250 ms are laid under what was pushed, with a warning")
  func late() {
    let storage = SlowStorage(rows: [
      PersistedRow(path: "a", value: 1, expiry: .max), PersistedRow(path: "b", value: 1, expiry: .max),
    ])
    let (manager, logger) = manager(storage)
    manager.dataLayer.push(["a": 2])
    #expect(manager.dataLayer.snapshot == ["a": 2])
    storage.release()
    manager.dataLayer.flush()
    #expect(manager.dataLayer.snapshot == ["a": 2, "b": 1])
    #expect(logger.texts(.warning).count == 1)
  }

  @Test("TM-543: what cannot be read or written is warned about, and the data layer works")
  func brokenStorage() {
    let (manager, logger) = manager(BrokenStorage())
    manager.dataLayer.push(["gtm.lifetime": "1d", "a": 1])
    manager.dataLayer.flush()
    #expect(manager.dataLayer.get("a") == 1)
    #expect(logger.texts(.warning).count == 2)
  }

  @Test("TM-545: clearing a prefix sets it to null and forgets what was kept of it")
  func clear() {
    let storage = InMemoryDataLayerStorage()
    let (manager, _) = manager(storage)
    manager.dataLayer.push(["gtm.lifetime": "1d", "a": ["b": 1], "ab": 2])
    manager.dataLayer.clear(prefix: "a")
    manager.dataLayer.flush()
    #expect(storage.load().map(\.path) == ["ab"])
    #expect(manager.dataLayer.get("a") == .null)
  }

  @Test("TM-546: a pushed URL's query is the click string of its conversion, also in the next run")
  func clickString() throws {
    var sketch = ContainerSketch(.legacy)
    let id = sketch.constant("77")
    sketch.macro("click", .clickReferrer, ["conversion_id": id])
    let store = InMemoryDeviceStore()
    let bench = try RuntimeBench(sketch) { $0.deviceStore = store }
    #expect(bench.container.value(for: "click").reason == .missing)
    bench.dataLayer.push(["gtm.url": "myapp://open?conv=77&gclid=abc"])
    #expect(bench.container.string(for: "click") == "conv=77&gclid=abc")
    bench.dataLayer.flush()
    let next = try RuntimeBench(sketch) { $0.deviceStore = store }
    #expect(next.container.string(for: "click") == "conv=77&gclid=abc")
  }

  @Test("TM-1202: a push does not wait for the device store, and the last click string is the one that is kept")
  func slowDeviceStore() throws {
    let store = SlowDeviceStore()
    let (manager, _) = manager(InMemoryDataLayerStorage(), store: store)
    for number in 1...3 { manager.dataLayer.push(["gtm.url": .string("myapp://open?conv=77&n=\(number)")]) }
    store.release()
    manager.dataLayer.flush()
    #expect(store.wasReleased)
    let kept = try #require(store.text(for: ClickStrings.storeKey).flatMap(ClickStrings.init(text:)))
    #expect(kept["77"] == "conv=77&n=3")
  }
}

/// A store whose first write takes until a test lets it go on.
private final class SlowDeviceStore: DeviceStore {
  private let store = InMemoryDeviceStore()
  private let gate = DispatchSemaphore(value: 0)
  private let isReleased = Locked<Bool?>(nil)

  /// Whether the first write was let go, and did not give up.
  var wasReleased: Bool { isReleased.withLock { $0 == true } }

  func release() { gate.signal() }

  func text(for key: String) -> String? { store.text(for: key) }

  func set(_ text: String?, for key: String) {
    if isReleased.withLock({ $0 == nil }) {
      let isInTime = gate.wait(timeout: .now() + 10) == .success
      isReleased.withLock { $0 = isInTime }
    }
    store.set(text, for: key)
  }
}

/// A storage whose rows come when a test lets them.
private final class SlowStorage: DataLayerStorage {
  private let rows: [PersistedRow]
  private let gate = DispatchSemaphore(value: 0)

  init(rows: [PersistedRow]) { self.rows = rows }

  func release() { gate.signal() }

  func load() -> [PersistedRow] {
    gate.wait()
    return rows
  }

  func store(_ rows: [PersistedRow]) {}
  func remove(prefix: String) {}
}

private struct BrokenStorage: DataLayerStorage {
  struct Broken: Error {}

  func load() throws -> [PersistedRow] { throw Broken() }
  func store(_ rows: [PersistedRow]) throws { throw Broken() }
  func remove(prefix: String) throws { throw Broken() }
}
