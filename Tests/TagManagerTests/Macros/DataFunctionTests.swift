import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Macros of container, data layer and event")
struct DataFunctionTests {
  @Test("§600.3: every function of the table has its implementation, and nothing else has one")
  func complete() throws {
    let ids = [
      "_c", "_v", "__md", "_e", "_func", "__fup", "__smm", "__remm", "__gas", "_l", "_p", "_ov", "_sv", "_dn", "_rs",
      "_an", "_ai", "_av", "_avn", "_ctv", "__cid", "_gtmv", "_rv", "_r", "_t", "_aid", "_ate", "_did", "_awid",
      "_awcr", "_ir", "_enc", "_hsh", "_jn", "_reg", "_ls", "_us", "_bucket", "_consent",
    ]
    for id in ids {
      let name = try #require(FunctionKind.macro.table.name(ofID: id))
      #expect(MacroFunctions[name]?.name == name, "\(id)")
    }
    #expect(MacroFunctions[FunctionName(rawValue: "__jsm")] == nil)
  }

  @Test("§600.3: functions marked C are cacheable, no other is")
  func cacheable() throws {
    let cacheable = [
      "_c", "_p", "_ov", "_sv", "_dn", "_an", "_ai", "_av", "_avn", "_ctv", "__cid", "_gtmv", "_rv", "_enc", "_hsh",
      "_jn", "_reg", "_ls", "_us", "_bucket",
    ]
    let others = [
      "_v", "__md", "_e", "_func", "__fup", "__smm", "__remm", "__gas", "_l", "_rs", "_r", "_t", "_aid", "_ate",
      "_did", "_awid", "_awcr", "_ir", "_consent",
    ]
    for id in cacheable + others {
      let name = try #require(FunctionKind.macro.table.name(ofID: id))
      #expect(MacroFunctions[name]?.isCacheable == cacheable.contains(id), "\(id)")
    }
  }

  @Test("TM-600: a function names the parameters that must be given")
  func required() {
    #expect(MacroFunctions[.dataLayer]?.requiredParameters == ["name"])
    #expect(MacroFunctions[.regexGroup]?.requiredParameters == ["arg0", "arg1"])
    #expect(MacroFunctions[.random]?.requiredParameters == [])
  }

  @Test("§600.3: a constant is its value, of any type; a missing one is missing")
  func constant() {
    #expect(evaluate("_c", ["value": ["a", 1]]) == .value(["a", 1]))
    #expect(evaluate("_c", ["value": nil]) == .value(.null))
    #expect(evaluate("_c", ["value": .absent]) == .missing(.noValue))
  }

  @Test(
    "§600.3: a data-layer macro gives the value at its path, else its default, else nothing",
    arguments: [
      (["name": "a.b"], .value(1)), (["name": "a.n"], .value(.null)), (["name": "l.1"], .value("y")),
      (["name": "a.x"], .missing(.noValue)), (["name": "a.x", "defaultValue": "d"], .value("d")),
      (["name": "a.x", "default_value": 5], .value(5)), (["name": "a.b", "defaultValue": "d"], .value(1)),
      (["name": "a.x", "defaultValue": "d", "setDefaultValue": false], .missing(.noValue)),
      (["name": "a.x", "defaultValue": "d", "setDefaultValue": true], .value("d")),
      (["name": "a.n", "defaultValue": "d"], .value(.null)), ([:], .missing(.noValue)),
    ] as [([String: Value], Evaluated)])
  func dataLayer(arguments: [String: Value], result: Evaluated) {
    let context = MacroContext.test { $0.dataLayer = DataLayerModel(["a": ["b": 1, "n": nil], "l": ["x", "y"]]) }
    #expect(evaluate("_v", arguments, in: context) == result)
    #expect(evaluate("__v", arguments, in: context) == result)
  }

  @Test("§600.3: a user property is a value below `user`")
  func userProperty() {
    let context = MacroContext.test { $0.dataLayer = DataLayerModel(["user": ["plan": "pro"], "plan": "no"]) }
    #expect(evaluate("__fup", ["key": "plan"], in: context) == .value("pro"))
    #expect(evaluate("__fup", ["key": "x", "setDefaultValue": true, "defaultValue": 0], in: context) == .value(0))
    #expect(evaluate("__fup", ["key": "x", "setDefaultValue": false], in: context) == .missing(.noValue))
  }

  @Test("§600.3: the event's name, missing outside an event")
  func event() {
    #expect(evaluate("_e") == .missing(.noValue))
    #expect(evaluate("__e", in: .test { $0.event = "openScreen" }) == .value("openScreen"))
  }

  @Test(
    "§600.3: an event parameter comes from the current update only",
    arguments: [
      (["key": "price"], .value(9)), (["key": "items.0.id"], .value("i")), (["key": "a.b"], .value(1)),
      (["key": "older"], .missing(.noValue)),
      (["key": "older", "setDefaultValue": true, "defaultValue": 2], .value(2)),
      (["key": "gone"], .missing(.noValue)),
      (["suggestedEvent": "purchase", "firebaseCampaignParam": "price"], .value(9)),
      (["suggestedEvent": "refund", "firebaseCampaignParam": "price"], .missing(.noValue)),
      (["suggestedEvent": "refund", "allEventParam": "price", "defaultValue": "d"], .value("d")),
      (["suggestedEvent": "All Events", "allEventParam": "price"], .value(9)), ([:], .missing(.noValue)),
    ] as [([String: Value], Evaluated)])
  func eventParameter(arguments: [String: Value], result: Evaluated) {
    let context = MacroContext.test {
      $0.event = "purchase"
      $0.update = ["event": "purchase", "price": 9, "items": [["id": "i"]], "a.b": 1, "gone": .absent]
      $0.dataLayer = DataLayerModel(["older": 1, "gone": 1])
    }
    #expect(evaluate("__md", arguments, in: context) == result)
  }
}

@Suite("Lookup tables")
struct TableFunctionTests {
  private func table(_ entries: [(Value, Value)]) -> Value { .list(entries.map { ["key": $0, "value": $1] }) }

  @Test("§600.3: the last entry whose key text equals the input text")
  func lookup() {
    let map = table([("a", 1), ("b", 2), ("a", 3), (10, "ten"), (true, "yes"), (.absent, "none"), ("m", .absent)])
    func value(_ input: Value, _ more: [String: Value] = [:]) -> Evaluated? {
      evaluate("__smm", more.merging(["input": input, "map": map]) { $1 })
    }
    #expect(value("a") == .value(3))
    #expect(value("A") == .missing(.noValue))
    #expect(value("10") == .value("ten"))
    #expect(value(10.0) == .value("ten"))
    #expect(value(true) == .value("yes"))
    #expect(value("") == .missing(.noValue))
    #expect(value("x", ["setDefaultValue": true, "defaultValue": "d"]) == .value("d"))
    #expect(value(.absent, ["defaultValue": "d"]) == .value("none"))
    #expect(evaluate("__smm", ["map": table([("", 1)]), "input": .absent, "defaultValue": "d"]) == .value("d"))
    // A chosen entry without a value is no reason for the default.
    #expect(value("m", ["defaultValue": "d"]) == .missing(.noValue))
    #expect(evaluate("__smm", ["input": "a", "map": "no list", "defaultValue": 0]) == .value(0))
  }

  @Test("§600.3: keys are compared by scalars")
  func lookupByScalars() {
    let map = table([("é", 1), ("e\u{301}", 2)])
    #expect(evaluate("__smm", ["input": "é", "map": map]) == .value(1))
  }

  private func found(_ entries: [(Value, Value)], _ input: Value, _ more: [String: Value] = [:]) -> Evaluated? {
    evaluate("__remm", more.merging(["input": input, "map": table(entries)]) { $1 })
  }

  @Test("§600.3: the first entry whose pattern is found in the input")
  func regexTable() {
    let entries: [(Value, Value)] = [("^\\d+$", "digits"), ("sho?p", "shop"), ("p", "p")]
    #expect(found(entries, "12") == .value("digits"))
    #expect(found(entries, 12) == .value("digits"))
    #expect(found(entries, "my shp") == .value("shop"))
    #expect(found(entries, "map") == .value("p"))
    #expect(found(entries, "MAP") == .missing(.noValue))
    #expect(found(entries, "MAP", ["ignoreCase": true]) == .value("p"))
    #expect(found(entries, "x", ["defaultValue": "d"]) == .value("d"))
    #expect(found(entries, .absent, ["defaultValue": "d"]) == .value("d"))
  }

  @Test("§600.3: fullMatch asks for the whole text")
  func fullMatch() {
    let full: [String: Value] = ["fullMatch": true]
    #expect(found([("sho?p", 1)], "shop", full) == .value(1))
    #expect(found([("sho?p", 1)], "my shop", full) == .missing(.noValue))
    #expect(found([("shop", 1)], "shops", full) == .missing(.noValue))
    #expect(found([("shop", 1)], "shop\n", full) == .missing(.noValue))
    #expect(found([(".*", 1)], "", full) == .value(1))
  }

  @Test(
    "TM-707: fullMatch anchors the pattern's text as the web engine does, first branch at the start, last at the end")
  func fullMatchOfBranches() {
    #expect(found([("a|b", 1)], "aB", ["fullMatch": true]) == .value(1))
    #expect(found([("a|b", 1)], "xa", ["fullMatch": true]) == .missing(.noValue))
  }

  // The expectations are the web engine's, in the corpus, or ECMAScript's rules of replacing.
  @Test(
    "TM-707: replaceAfterMatch replaces every match in the input as ECMAScript does",
    arguments: [
      ("[0-9]+", "", "e4", "e"), ("^e", "r1", "ev 5", "r1v 5"), (".*", "r2", "e3", "r2r2"),
      (".*", "<$1>", "e2", "<$1><$1>"), ("^e", "<$1>", "e2", "<$1>2"), ("(e)(\\d)", "$2$1", "e2", "2e"),
      ("(e)", "$10", "e", "e0"), ("e", "$$&$&", "e", "$&e"), ("b", "[$`|$']", "abc", "a[a|c]c"),
      ("(x)?e", "<$1>", "e", "<>"),
      ("e", "$", "e", "$"), ("é", "e", "éé", "ee"),
    ])
  func replaceAfterMatch(pattern: String, template: String, input: String, result: String) {
    let replaced = found([(.string(pattern), .string(template))], .string(input), ["replaceAfterMatch": true])
    #expect(replaced == .value(.string(result)))
  }

  @Test("TM-614: a replacement that grows beyond all bounds fails by the limit")
  func replacementLimit() {
    let input = Value.string(String(repeating: "x", count: 60_000))
    let entries: [(Value, Value)] = [("x", .string(String(repeating: "$`", count: 1_000)))]
    #expect(found(entries, input, ["replaceAfterMatch": true]) == .failed(.limit))
  }

  @Test("TM-705: an ill-formed pattern is passed over in standard semantics, fails in legacy, and is told in both")
  func illFormed() {
    let told = Locked<[Diagnostic]>([])
    let context = MacroContext.test { $0.report = { diagnostic in told.withLock { $0.append(diagnostic) } } }
    let arguments: [String: Value] = ["input": "a", "map": table([("(", 1), ("a", 2)])]
    #expect(evaluate("__remm", arguments, in: context) == .value(2))
    #expect(evaluate("__remm", arguments, semantics: .legacy, in: context) == .failed(.regex))
    #expect(told.withLock { $0.map(\.code.rawValue) } == ["regexInvalid", "regexInvalid"])
  }

  @Test("TM-704: a pattern that takes too long fails the macro, and is told")
  func timeout() {
    let told = Locked<[Diagnostic]>([])
    let context = MacroContext.test {
      $0.regexes = RegexCache(clock: SystemHitClock())
      $0.report = { diagnostic in told.withLock { $0.append(diagnostic) } }
    }
    let input = Value.string(String(repeating: "a", count: 34) + "b")
    #expect(evaluate("__remm", ["input": input, "map": table([("(a+)+$", 1)])], in: context) == .failed(.regex))
    #expect(told.withLock { $0.map(\.code.rawValue) } == ["regexTimeout"])
  }
}
