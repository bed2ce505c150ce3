import Hits
import Testing

@testable import TagManager

@Suite("Values kept by lifetime")
struct PersistedRowsTests {
  private let now: Int64 = 1_800_000_000_000

  private func rows(_ updates: [String: Value]...) -> PersistedRows {
    var rows = PersistedRows()
    for update in updates { _ = rows.record(update, now: now) }
    return rows
  }

  @Test(
    "TM-540, D6: lifetimes",
    arguments: [
      ("2s", .milliseconds(2_000)), ("2 s", .milliseconds(2_000)), ("5m", .milliseconds(300_000)),
      ("3h", .milliseconds(10_800_000)), ("547d", .milliseconds(47_260_800_000)), ("1500", .milliseconds(1_500)),
      (250, .milliseconds(250)), ("3650d", .milliseconds(315_360_000_000)), ("0", .invalid), ("abc", .invalid),
      ("3651d", .invalid), ("-1s", .invalid), ("1.5s", .invalid), ("2w", .invalid), ("", .invalid), ("2ss", .invalid),
      ("99999999999999999999", .invalid), ("9223372036854775807d", .invalid), (.null, .invalid), (.absent, .none),
      ("٣s", .invalid),
    ] as [(Value, Lifetime)])
  func lifetime(value: Value, lifetime: Lifetime) {
    #expect(Lifetime(of: ["gtm": ["lifetime": value]]) == lifetime)
    #expect(Lifetime(of: ["gtm.lifetime": value]) == lifetime)
  }

  @Test("TM-540: an update without a lifetime, or with an invalid one, keeps nothing")
  func notKept() {
    var rows = PersistedRows()
    let without = rows.record(["a": 1], now: now)
    let invalid = rows.record(["a": 1, "gtm.lifetime": "0"], now: now)
    #expect(without == .none)
    #expect(invalid == .invalid)
    #expect(rows.rows.isEmpty)
  }

  @Test("TM-541: leaves become rows by dotted path, lists whole, the gtm subtree left out")
  func flatten() {
    let rows = rows([
      "a.b": 1, "c": ["d": ["e": "x", "f": [1, ["g": nil]]]], "gtm": ["lifetime": "1s", "other": 1], "event": "e",
    ])
    #expect(
      rows.rows == [
        PersistedRow(path: "a.b", value: 1, expiry: now + 1_000),
        PersistedRow(path: "c.d.e", value: "x", expiry: now + 1_000),
        PersistedRow(path: "c.d.f", value: [1, ["g": nil]], expiry: now + 1_000),
        PersistedRow(path: "event", value: "e", expiry: now + 1_000),
      ])
  }

  @Test(
    "TM-541, TM-542: what is kept comes back as it was",
    arguments: [
      ["a.b": 1, "c": ["d": [1, ["x": true]]], "n": nil], ["m": ["x.y": 1, "z": 2]], ["m": [:]], ["a..b": ["c": 1]],
      [".a": 1, "l": [.absent, 2]], ["m": ["": ["k": 1]]],
    ] as [[String: Value]])
  func roundTrip(update: [String: Value]) {
    let rows = rows(update.merging(["gtm.lifetime": "1d"]) { _, last in last })
    let loaded = PersistedRows(rows.rows, now: now)
    #expect(loaded.model.root == DataLayerModel(update).root)
  }

  @Test("TM-541: a row written again is replaced and moves behind the others, so that order gives the last word")
  func rewrite() {
    let rows = rows(
      ["a": 1, "b": 1, "gtm.lifetime": "1d"], ["a": ["x": 2], "gtm.lifetime": "1d"], ["a": 3, "gtm.lifetime": "1d"])
    #expect(rows.rows.map(\.path) == ["b", "a.x", "a"])
    #expect(rows.model.root == ["a": 3, "b": 1])
  }

  @Test("TM-541: expired rows are dropped at load and before a write")
  func expiry() {
    var rows = rows(["a": 1, "gtm.lifetime": "2s"], ["b": 1, "gtm.lifetime": "10s"])
    #expect(PersistedRows(rows.rows, now: now + 1_999).rows.map(\.path) == ["a", "b"])
    #expect(PersistedRows(rows.rows, now: now + 2_000).rows.map(\.path) == ["b"])
    _ = rows.record(["c": 1, "gtm.lifetime": "1s"], now: now + 2_000)
    #expect(rows.rows.map(\.path) == ["b", "c"])
  }

  @Test("TM-541: beyond 2,000 rows the oldest go")
  func rowLimit() {
    var rows = PersistedRows()
    for index in 0..<2_005 { _ = rows.record(["k\(index)": 1, "gtm.lifetime": "1d"], now: now) }
    #expect(rows.rows.count == 2_000)
    #expect(rows.rows.first?.path == "k5")
  }

  @Test("TM-541: beyond 1 MiB the oldest go")
  func byteLimit() {
    var rows = PersistedRows()
    let text = Value.string(String(repeating: "x", count: 500_000))
    for key in ["a", "b", "c"] { _ = rows.record([key: text, "gtm.lifetime": "1d"], now: now) }
    #expect(rows.rows.map(\.path) == ["b", "c"])
  }

  @Test("TM-542: rows that come late are laid under what was pushed")
  func under() throws {
    var pushed = DataLayerModel()
    try pushed.push(["a": ["x": 2], "l": [9], "a.b": 5])
    let rows = rows(["a": ["x": 1, "y": 1], "l": [1, 2], "c": 3, "gtm.lifetime": "1d"])
    #expect(rows.model(under: pushed).root == ["a": ["x": 2, "y": 1, "b": 5], "l": [9, 2], "c": 3])
    #expect(rows.model(under: pushed).textBytes == DataLayerModel(rows.model(under: pushed).root).textBytes)
  }

  @Test("TM-545: clearing a prefix deletes its row and those below, no other")
  func clear() {
    var rows = rows(["p": ["a": 1, "b": ["c": 2]], "pq": 3, "gtm.lifetime": "1d"], ["p": 4, "gtm.lifetime": "1d"])
    rows.remove(prefix: "p")
    #expect(rows.rows.map(\.path) == ["pq"])
  }

  @Test("TM-543: the in-memory storage keeps, replaces and removes")
  func storage() {
    let storage = InMemoryDataLayerStorage()
    #expect(storage.load().isEmpty)
    let rows = ["a", "a.b", "ab"].map { PersistedRow(path: $0, value: 1, expiry: 1) }
    storage.store(rows)
    storage.remove(prefix: "a")
    #expect(storage.load() == [rows[2]])
  }
}

@Suite("Click strings")
struct ClickStringsTests {
  @Test("TM-546: a pushed gtm.url with conv keeps its query under that id")
  func record() {
    var clicks = ClickStrings()
    _ = clicks.record(["gtm.url": "app://open?conv=123&gclid=a%20b#f"])
    _ = clicks.record(["gtm": ["url": "https://x.y/p?a=1&conv=4+5"]])
    #expect(clicks["123"] == "conv=123&gclid=a%20b")
    #expect(clicks["4 5"] == "a=1&conv=4+5")
    #expect(clicks["9"] == nil)
  }

  @Test(
    "TM-546: anything else keeps nothing",
    arguments: [
      ["gtm.url": "app://open?gclid=1"], ["gtm.url": "app://open"], ["gtm.url": "app://open?conv="], ["gtm.url": 5],
      ["url": "app://open?conv=1"], ["gtm.url": "app://open#?conv=1"], [:],
    ] as [[String: Value]])
  func ignored(update: [String: Value]) {
    var clicks = ClickStrings()
    let isKept = clicks.record(update)
    #expect(!isKept)
    #expect(clicks == ClickStrings())
  }

  @Test("TM-546: at most 100 ids, the one not seen for longest goes first")
  func limit() {
    var clicks = ClickStrings()
    for id in 0..<100 { _ = clicks.record(["gtm.url": "a:b?conv=\(id)"]) }
    _ = clicks.record(["gtm.url": "a:b?conv=0&again"])
    _ = clicks.record(["gtm.url": "a:b?conv=100"])
    #expect(clicks["0"] == "conv=0&again")
    #expect(clicks["1"] == nil)
    #expect(clicks["2"] != nil)
  }

  @Test("TM-546: the strings come back from a store")
  func persistence() throws {
    var clicks = ClickStrings()
    _ = clicks.record(["gtm.url": "a:b?conv=1&q=\"é\""])
    let store = InMemoryDeviceStore()
    store.set(try clicks.text, for: ClickStrings.storeKey)
    #expect(store.text(for: ClickStrings.storeKey).flatMap(ClickStrings.init) == clicks)
    #expect(ClickStrings(text: "damaged") == nil)
  }
}
