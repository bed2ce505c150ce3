import Hits
import Testing

@testable import TagManager

@Suite("Data layer model")
struct DataLayerModelTests {
  private func model(_ updates: [String: Value]...) throws -> DataLayerModel {
    var model = DataLayerModel()
    for update in updates { try model.push(update) }
    return model
  }

  @Test("TM-512, D1: keys pushed earlier stay beside later ones")
  func mergeMaps() throws {
    let model = try model(["a.b": 1], ["a": ["c": 2]])
    #expect(model.value(at: "a.b") == 1)
    #expect(model.value(at: "a.c") == 2)
    #expect(model.root == ["a": ["b": 1, "c": 2]])
  }

  @Test("TM-512, D2: a list merges over a list index by index, absent leaves its slot")
  func mergeLists() throws {
    #expect(try model(["l": [1, 2, 3]], ["l": [.absent, 9]]).root == ["l": [1, 9, 3]])
  }

  @Test(
    "TM-512: new over old",
    arguments: [
      ([1], [.absent, .absent, 3], [1, nil, 3]),
      ([["a": 1], 2], [["b": 3]], [["a": 1, "b": 3], 2]),
      ([1], ["a": 1], ["a": 1]),
      (["a": 1], [1], [1]),
      (["a": 1], nil, nil),
      (["a": 1], .absent, ["a": 1]),
      (["a": ["b": 1]], ["a": ["b": .absent, "c": 2]], ["a": ["b": 1, "c": 2]]),
      (1, [.absent, ["x": .absent]], [nil, [:]]),
      (nil, "x", "x"),
    ] as [(Value, Value, Value)])
  func merge(old: Value, new: Value, merged: Value) throws {
    #expect(try model(["k": old], ["k": new]).root == ["k": merged])
  }

  @Test("TM-512: absent under a key that is not there makes no entry")
  func absentMakesNothing() throws {
    #expect(try model(["a": .absent, "b.c": .absent]).root == [:])
  }

  @Test(
    "TM-511: dots of top-level keys expand, nested keys are literal, a key with an empty segment is one key",
    arguments: [
      (["a.b.c": 1], ["a": ["b": ["c": 1]]]),
      (["a": ["b.c": 1]], ["a": ["b.c": 1]]),
      (["": 1], ["": 1]),
      ([".a": 1], [".a": 1]),
      (["a.": 1], ["a.": 1]),
      (["a..b": 1], ["a..b": 1]),
    ] as [([String: Value], [String: Value])])
  func expand(update: [String: Value], root: [String: Value]) throws {
    #expect(try model(update).root == root)
  }

  @Test("TM-511: keys apply in byte order, whatever the order of hashing")
  func byteOrder() throws {
    for _ in 0..<20 {
      #expect(try model(["a.b": 2, "a": 1]).root == ["a": ["b": 2]])
      #expect(try model(["a.b.c": 3, "a.b": 1, "a": ["b": 0]]).root == ["a": ["b": ["c": 3]]])
      // "-" sorts before ".", so `a-b` does not come between.
      #expect(try model(["a": ["x": 1], "a-b": 0, "a.x": 2]).root == ["a": ["x": 2], "a-b": 0])
    }
  }

  @Test("TM-511: a literal key for an empty segment is told, the first in byte order")
  func literalKeyIsTold() throws {
    var model = DataLayerModel()
    #expect(try model.push(["a..b": 1, ".a": 1]).literalKey == ".a")
    #expect(try model.push(["a.b": 1]).literalKey == nil)
  }

  @Test(
    "TM-513: reading walks the path; digits index a list; null is a value",
    arguments: [
      ("a.0.x", 1), ("a.1", nil), ("a.2", nil), ("a.x", nil), ("a.-1", nil), ("n", .null), ("n.x", nil), ("s.0", nil),
      ("b.c", nil), ("m.b", nil), ("..", 5), ("m.0", 6), ("", nil), ("m", ["b.c": 4, "0": 6]),
      ("a.99999999999999999999", nil),
    ] as [(String, Value?)])
  func read(path: String, value: Value?) throws {
    let model = try model(["a": [["x": 1]], "n": nil, "s": "text", "m": ["b.c": 4, "0": 6], "..": 5])
    #expect(model.value(at: path) == value)
  }

  @Test(
    "TM-514, D3: only a top-level event of the update makes an event",
    arguments: [
      (["event": "e"], "e"), (["event": 5], "5"), (["event": true], "true"), (["event": 1.5], "1.5"),
      (["event": nil], nil), (["event": .absent], nil), (["event": ""], nil), (["event": false], nil),
      (["event": 0], nil), (["event": 0.0], nil), (["event": -0.0], nil), (["event": ["a", "b"]], "a,b"),
      (["x": ["event": "e"]], nil), (["x.event": "e"], nil), ([:], nil),
    ] as [([String: Value], String?)])
  func eventName(update: [String: Value], name: String?) {
    #expect(DataLayerModel.eventName(of: update) == name)
  }

  @Test("TM-514: the event key is stored like any other, and stays without making another event")
  func eventIsStored() throws {
    #expect(try model(["event": "e"], ["x": 1]).root == ["event": "e", "x": 1])
  }

  @Test(
    "TM-515: removing deletes a key and what is below",
    arguments: [
      ("a", ["l": [1, ["x": 2]], "z..z": 3]),
      ("a.b", ["a": ["d": 1], "l": [1, ["x": 2]], "z..z": 3]),
      ("a.b.c", ["a": ["b": [:], "d": 1], "l": [1, ["x": 2]], "z..z": 3]),
      ("l.1.x", ["a": ["b": ["c": 1], "d": 1], "l": [1, [:]], "z..z": 3]),
      ("l.0", ["a": ["b": ["c": 1], "d": 1], "l": [nil, ["x": 2]], "z..z": 3]),
      ("z..z", ["a": ["b": ["c": 1], "d": 1], "l": [1, ["x": 2]]]),
      ("q.r", ["a": ["b": ["c": 1], "d": 1], "l": [1, ["x": 2]], "z..z": 3]),
      ("a.d.e", ["a": ["b": ["c": 1], "d": 1], "l": [1, ["x": 2]], "z..z": 3]),
    ] as [(String, [String: Value])])
  func remove(key: String, left: [String: Value]) throws {
    var model = try model(["a": ["b": ["c": 1], "d": 1], "l": [1, ["x": 2]], "z..z": 3])
    model.remove(key)
    #expect(model.root == left)
    #expect(model.textBytes == DataLayerModel(left).textBytes)
  }

  @Test("TM-545: clearing a prefix sets it to null")
  func clear() throws {
    var model = try model(["a": ["b": ["c": 1], "d": 2]])
    model.clear(prefix: "a.b")
    #expect(model.root == ["a": ["b": nil, "d": 2]])
  }

  @Test("TM-501: numbers that are not finite become null, and that is told")
  func nonFinite() throws {
    var model = DataLayerModel()
    let check = try model.push(["a": .double(.nan), "b": [.double(.infinity), 1.5]])
    #expect(check.hasNonFiniteNumbers)
    #expect(model.root == ["a": nil, "b": [nil, 1.5]])
    #expect(try !model.push(["a": 1.5]).hasNonFiniteNumbers)
  }

  @Test("TM-521: a copy is a snapshot")
  func snapshot() throws {
    var model = try model(["a": ["b": 1]])
    let before = model
    try model.push(["a.b": 2])
    #expect(before.value(at: "a.b") == 1)
    #expect(model.value(at: "a.b") == 2)
  }

  @Test("TM-516: the running count of text equals a count from scratch")
  func textBytes() throws {
    var model = DataLayerModel()
    let updates: [[String: Value]] = [
      ["a": "xyz", "b.c": [1, "two", nil]], ["b": ["c": [.absent, "longer", ["k": true]]]], ["a": ["now": "a map"]],
      ["b.c": "text"], ["event": "e", "n": .double(.nan)], ["a": nil],
    ]
    for update in updates {
      try model.push(update)
      #expect(model.textBytes == DataLayerModel(model.root).textBytes)
    }
    // a=null, b={c=text}, event=e, n=null
    #expect(model.textBytes == (1 + 1) + (1 + 1 + 4) + (5 + 1) + (1 + 1))
  }
}
