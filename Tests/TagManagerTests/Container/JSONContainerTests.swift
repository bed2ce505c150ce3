import Foundation
import Hits
import TagManager
import Testing

@Suite("Compiled JSON")
struct JSONContainerTests {
  static func decode(_ resource: String) -> DecodeResult {
    ContainerDecoder.decode(Data("{\"resource\":{\(resource)}}".utf8), id: nil)
  }

  /// The value of a constant macro in the notation of `decoded`, between a macro "m" at 0, and a tag at 0.
  static func value(_ json: String) throws -> Value? {
    let result = decode(
      #""macros":[{"function":"__e","instance_name":"m"},{"function":"__c","vtp_value":\#(json)}],"tags":[{"function":"__img"}]"#
    )
    let container = try #require(result.container, "\(String(describing: result.error))")
    return Notation(container: container).call(container.macros[1], .macro).map?["value"]
  }

  @Test(
    "TM-134, TM-135: every form of value is read",
    arguments: [
      (#""1""#, "1"), ("1", 1), ("1.0", 1), ("1.5", 1.5), ("true", true), ("null", .absent), ("1e3", 1000),
      (#"["list"]"#, ["$list": []]), (#"["list",1,["list","x"]]"#, ["$list": [1, ["$list": ["x"]]]]),
      (#"["map","a",1,"b",["macro",0]]"#, ["$map": [["a", 1], ["b", ["$macro": "m"]]]]), (#"["map"]"#, ["$map": []]),
      (#"["macro",0]"#, ["$macro": "m"]), (#"["macro-name","n"]"#, ["$macro": "n"]),
      (#"["template","x",["macro",0]]"#, ["$template": ["x", ["$macro": "m"]]]),
      (#"["escape",["macro",0],12,15]"#, ["$escape": [["$macro": "m"], 12, 15]]), (#"["escape","x"]"#, "x"),
      (#"["escape",["escape","x",7],12]"#, ["$escape": ["x", 7, 12]]),
      (#"["tag",0]"#, ["$tag": [0, 0]]), (#"["tag",0,2]"#, ["$tag": [0, 2]]),
      (#"{"b":1,"a":{"c":null}}"#, ["$map": [["b", 1], ["a", ["$map": [["c", .absent]]]]]]), ("{}", ["$map": []]),
    ] as [(String, Value)])
  func values(json: String, expected: Value) throws {
    #expect(try Self.value(json) == expected)
  }

  @Test(
    "TM-134: what is no form of a value rejects the file",
    arguments: [
      ("[]", .unknownValueForm), ("[1,2]", .unknownValueForm), (#"["nope",1]"#, .unknownValueForm),
      (#"[["list"]]"#, .unknownValueForm), (#"["macro"]"#, .unknownValueForm), (#"["macro","0"]"#, .unknownValueForm),
      (#"["macro",0.5]"#, .unknownValueForm), (#"["macro-name",1]"#, .unknownValueForm),
      (#"["escape"]"#, .unknownValueForm),
      (#"["escape","x","y"]"#, .unknownValueForm), (#"["tag"]"#, .unknownValueForm),
      (#"["tag",0,"x"]"#, .unknownValueForm),
      (#"["macro",2]"#, .indexOutOfRange), (#"["macro",-1]"#, .indexOutOfRange), (#"["tag",1]"#, .indexOutOfRange),
      (#"["map","a"]"#, .unevenMap), (#"["list",["map","a",1,"b"]]"#, .unevenMap),
    ] as [(String, Diagnostic.Code)])
  func refusesValues(json: String, code: Diagnostic.Code) {
    let result = Self.decode(
      #""macros":[{"function":"__e"},{"function":"__c","vtp_value":\#(json)}],"tags":[{"function":"__img"}]"#)
    #expect(result.error?.code == code)
  }

  @Test("TM-133: the top level is taken over")
  func topLevel() throws {
    let text = #"""
      {"format":"tagworks/1","fingerprint":"NQ$0","container":{"id":"GTM-A","environment":"test","sequence":7,
       "publishedAt":1700000000000},"resource":{"version":5,"usageContext":["ios"],"macros":[]},"runtime":[[50,"x"]]}
      """#
    let result = ContainerDecoder.decode(Data(text.utf8), id: "GTM-A")
    var expected = CompiledContainer(version: "5", semantics: .standard)
    expected.id = "GTM-A"
    expected.fingerprint = "NQ$0"
    expected.environment = "test"
    expected.sequence = 7
    expected.publishedAt = 1_700_000_000_000
    expected.usageContext = ["ios"]
    #expect(result.container == expected)
    #expect(result.diagnostics.map(\.code) == [.runtimeIgnored])
    #expect(result.diagnostics.map(\.severity) == [.info])
  }

  @Test("TM-150: structural keys are set apart from parameters, which lose vtp_")
  func structuralKeys() throws {
    let container = try #require(
      Self.decode(
        #"""
        "macros":[{"function":"__c","instance_name":"a","instance_label":"L","not_default_macro":true,
          "push_after_evaluate":["map","k",1],"vendor_template_version":2,"vtp_value":"v","priority":3}],
        "tags":[{"function":"__ua","tag_id":12,"priority":-4,"once_per_event":true,"once_per_load":true,
          "live_only":"TRUE","setup_tags":["list",["tag",1,1]],"teardown_tags":["list",["tag",1,2],["tag",1]],
          "schedule_start_ms":10,"schedule_end_ms":"20","consent_required":["list","ad_storage"],"vtp_priority":9,
          "data_layer_version":2,"vtp_trackType":"x","plain":1},{"function":"__img","tag_id":"t","live_only":1}]
        """#
      ).container)
    let notation = Notation(container: container)
    let macro = container.macros[0]
    #expect(
      notation.call(macro, .macro) == [
        "function": "const", "instance_name": "a", "instance_label": "L", "not_default_macro": true,
        "push_after_evaluate": ["$map": [["k", 1]]], "value": "v", "priority": 3,
      ])
    let tag = container.tags[0]
    #expect(tag.tagID == "12")
    #expect(tag.priority == -4)
    #expect(tag.isOncePerLoad && tag.isLiveOnly)
    #expect(tag.setupTags == [TagReference(tag: 1, flag: 1)])
    #expect(tag.teardownTags == [TagReference(tag: 1, flag: 2), TagReference(tag: 1)])
    #expect(tag.scheduleStart == 10 && tag.scheduleEnd == 20)
    #expect(tag.consentRequired == ["ad_storage"])
    #expect(tag.parameters.keys == ["plain", "priority", "trackType"])
    #expect(container.tags[1].tagID == "t" && !container.tags[1].isLiveOnly)
  }

  @Test("TM-134: of a parameter given twice, with or without vtp_, the last counts")
  func repeatedKeys() throws {
    let container = try #require(
      Self.decode(#""macros":[{"function":"__c","value":1,"vtp_value":2,"value":3,"vtp_x":4,"x":5}]"#).container)
    #expect(
      Notation(container: container).call(container.macros[0], .macro) == [
        "function": "const", "instance_name": "_0", "value": 3, "x": 5,
      ])
  }

  @Test("TM-134: a macro without a name gets one that no other has and no getter lists")
  func namelessMacros() throws {
    let container = try #require(
      Self.decode(
        #""macros":[{"function":"__e"},{"function":"__c","instance_name":"_0"},{"function":"__c","vtp_value":["macro",0]}]"#
      ).container)
    #expect(container.macros.map(\.name) == ["__0", "_0", "_2"])
    #expect(container.pool.nodes == [.macro(name: "__0")])
  }

  @Test("TM-136, TM-151: a rule is its clauses")
  func rules() throws {
    let result = Self.decode(
      #"""
      "macros":[{"function":"__e"}],"tags":[{"function":"__ua"},{"function":"__ua"}],
      "predicates":[{"function":"_eq"},{"function":"_cn"}],
      "rules":[[["if",0,1],["unless",0],["add",1,0],["block",0],["add-macro",0],["remove-macro",0],
        ["name",""],["name","N"],["name","M"],["id","I"]],[["if"],["add",0],["add",1]],[]]
      """#)
    let rules = try #require(result.container, "\(String(describing: result.error))").rules
    var first = Rule(id: "I")
    first.name = "N"
    first.positive = [0, 1]
    first.negative = [0]
    first.addedTags = [1, 0]
    first.removedTags = [0]
    first.addedMacros = [0]
    first.removedMacros = [0]
    var second = Rule(id: "r1")
    second.addedTags = [0, 1]
    #expect(rules == [first, second, Rule(id: "r2")])
  }

  @Test(
    "A9, TM-136: a clause that does not exist rejects the file",
    arguments: [
      (#"[["if",0],["jump",1]]"#, .unknownClause), (#"[[]]"#, .unknownClause), (#"[["if","0"]]"#, .unknownClause),
      (#"[1]"#, .unknownClause), ("1", .unknownClause), (#"[["name",1]]"#, .unknownClause),
      (#"[["if",1]]"#, .indexOutOfRange),
      (#"[["unless",-1]]"#, .indexOutOfRange), (#"[["add",0]]"#, .indexOutOfRange),
      (#"[["add-macro",0]]"#, .indexOutOfRange),
    ] as [(String, Diagnostic.Code)])
  func refusesRules(rule: String, code: Diagnostic.Code) {
    #expect(Self.decode(#""predicates":[{"function":"_eq"}],"rules":[\#(rule)]"#).error?.code == code)
  }

  @Test(
    "TM-134: a call needs a function",
    arguments: ["{}", "1", #"{"function":1}"#, #"{"function":""}"#, #"{"vtp_function":"__c"}"#])
  func missingFunction(call: String) {
    let error = Self.decode(#""tags":[{"function":"__ua"},\#(call)]"#).error
    #expect(error?.code == .missingFunction)
    #expect(error?.location == "tags[1]")
  }

  @Test("TM-641: several defaults of one name are a note")
  func duplicateDefaults() {
    let macro = #"{"function":"__c","instance_name":"a"}"#
    let other = #"{"function":"__c","instance_name":"a","not_default_macro":true}"#
    #expect(Self.decode("\"macros\":[\(macro),\(other)]").diagnostics.isEmpty)
    #expect(Self.decode("\"macros\":[\(macro),\(macro)]").diagnostics.map(\.code) == [.duplicateMacroDefault])
  }

  @Test("TM-152: equal values are one node, in the order of first use")
  func sharing() throws {
    let container = try #require(
      Self.decode(
        #""macros":[{"function":"__c","vtp_b":["list","x","y"],"vtp_a":"x"},{"function":"__c","vtp_value":["list","x","y"]}]"#
      )
      .container)
    #expect(
      container.pool.nodes == [
        .constant("x"), .constant("y"), .list([ValueIndex(0), ValueIndex(1)]),
      ])
  }

  @Test("TM-701: texts that are canonically equivalent but differ in bytes stay two values")
  func normalForms() throws {
    let container = try #require(
      Self.decode("\"macros\":[{\"function\":\"__c\",\"vtp_a\":\"é\",\"vtp_b\":\"e\u{301}\"}]").container)
    #expect(container.pool.nodes.count == 2)
  }
}
