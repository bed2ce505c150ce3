import Foundation
import Hits
import TestSupport
import Testing

@testable import Authoring
@testable import TagManager

@Suite struct CompileTests {
  /// A workspace of one function-call tag that fires with a trigger.
  private func triggered(_ trigger: Trigger, variables: [Variable] = []) -> Workspace {
    .sketch(
      tags: [Tag("call", [Parameter("function_call_macro_name", "showBanner")])], triggers: [trigger],
      variables: variables)
  }

  private func fires(_ workspace: Workspace, _ update: [String: Value]) async throws -> Bool {
    let container = try ObservedContainer(workspace.compiledContainer(), id: "GTM-TEST", reading: [])
    return await container.push(update).tags == ["1: fired"]
  }

  @Test(
    "CO-204: a condition compares as its type says, and its negation holds otherwise",
    arguments: [
      ("EQUALS", "Home", "Home", "home"), ("CONTAINS", "om", "Home", "HOME"), ("STARTS_WITH", "Ho", "Home", "AHome"),
      ("ENDS_WITH", "me", "Home", "Homely"), ("MATCH_REGEX", "^H.*e$", "Home", "home"),
      ("LESS", "5", "4.5", "5"), ("LESS_OR_EQUALS", "5", "5", "6"), ("GREATER", "5", "5.1", "5"),
      ("GREATER_OR_EQUALS", "5", "5", "4"),
    ])
  func conditions(type: String, argument: String, yes: String, no: String) async throws {
    let variable = Variable("screen", [Parameter("name", "screen")])
    for isNegated in [false, true] {
      let trigger = Trigger("t", [Condition(type, "{{screen}}", argument, isNegated: isNegated)])
      let workspace = triggered(trigger, variables: [variable])
      #expect(try await fires(workspace, ["event": "e", "screen": .string(yes)]) != isNegated)
      #expect(try await fires(workspace, ["event": "e", "screen": .string(no)]) == isNegated)
    }
  }

  @Test("CO-204: ignore_case makes a pattern ignore case")
  func ignoreCase() async throws {
    var condition = Condition("MATCH_REGEX", "{{Event Name}}", "^home$")
    condition.fields["parameter"] = .list(
      (condition.parameters + [Parameter("ignore_case", true)]).map { .map($0.fields) })
    #expect(try await fires(triggered(Trigger("t", [condition])), ["event": "HOME"]))
  }

  @Test(
    "CO-204: a trigger's type says which events it is about",
    arguments: [
      (Trigger("t"), "anything", true),
      (Trigger("t", type: "CUSTOM_EVENT", event: [Condition("EQUALS", "{{_event}}", "buy")]), "buy", true),
      (Trigger("t", type: "CUSTOM_EVENT", event: [Condition("EQUALS", "{{_event}}", "buy")]), "bought", false),
      (Trigger("t", type: "CUSTOM_EVENT", event: [Condition("MATCH_REGEX", "{{_event}}", "^b")]), "bought", true),
      (Trigger("t", type: "FIREBASE_FIRST_OPEN"), "first_open", true),
      (Trigger("t", type: "FIREBASE_FIRST_OPEN"), "open", false),
    ])
  func events(trigger: Trigger, event: String, fires: Bool) async throws {
    #expect(try await self.fires(triggered(trigger), ["event": .string(event)]) == fires)
  }

  @Test("TM-720: the condition on the event's name stands first, so that the rule can be found by it")
  func eventFirst() throws {
    let trigger = Trigger(
      "t", type: "CUSTOM_EVENT", event: [Condition("EQUALS", "{{_event}}", "buy")],
      [Condition("CONTAINS", "{{Event Name}}", "b")])
    let container = try triggered(trigger).compiledContainer()
    let first = try #require(container.rules[0].positive.first)
    #expect(container.predicates[first].function == .equals)
    #expect(container.macros.filter { $0.name == "_event" }.map(\.function) == [.event])
  }

  @Test("CO-204: a sampled trigger fires for its share of installs, always for the same ones")
  func sampled() async throws {
    let trigger = Trigger("t", [], [Parameter("samplePercent", "12.5")])
    let container = try triggered(trigger).compiledContainer()
    var fired = 0
    for install in 0..<400 {
      let observed = try ObservedContainer(
        container, id: "GTM-TEST", reading: [], installID: "install \(install)")
      let isInShare = Bucket.number(salt: "GTM-TEST:1", id: "install \(install)") < 1_250
      #expect(await observed.push(["event": "e"]).tags == (isInShare ? ["1: fired"] : []))
      if isInShare { fired += 1 }
    }
    #expect((25...75).contains(fired))
    for (percent, isValid) in [
      ("0", true), ("100", true), ("100.01", false), ("-1", false), ("1.234", false), ("", false), ("x", false),
    ] {
      let codes = triggered(Trigger("t", [], [Parameter("samplePercent", percent)])).codes
      #expect(codes.contains("sampleInvalid") != isValid, "\(percent)")
    }
  }

  @Test("CO-203: a tag's fields become its structural keys")
  func tagFields() throws {
    let more: [String: Value] = [
      "priority": ["type": "INTEGER", "value": "7"], "tagFiringOption": "ONCE_PER_LOAD", "liveOnly": true,
      "scheduleStartMs": "1000", "scheduleEndMs": 2_000,
      "consentSettings": [
        "consentStatus": "NEEDED",
        "consentType": ["type": "LIST", "list": [["type": "TEMPLATE", "value": "ad_storage"]]],
      ],
      "setupTag": [["tagName": "before", "stopOnSetupFailure": true], ["tagName": "asleep"]],
      "teardownTag": [["tagName": "after", "stopTeardownOnFailure": true]],
    ]
    let name = [Parameter("function_call_macro_name", "f")]
    let workspace = Workspace.sketch(
      tags: [
        Tag("asleep", id: "9", name, more: ["paused": true]), Tag("before", id: "2", firing: [], name),
        Tag("main", id: "3", name, more: more), Tag("after", id: "4", firing: [], name),
      ], triggers: [Trigger("t")])
    #expect(workspace.codes == ["pausedCompanion"])
    let container = try workspace.compiledContainer()
    #expect(container.tags.map(\.name) == ["before", "main", "after"])
    let keys = container.tags[1].structuralKeys
    #expect(keys.tagID == "3" && keys.priority == 7 && keys.isOncePerLoad && keys.isLiveOnly)
    #expect(keys.scheduleStart == 1_000 && keys.scheduleEnd == 2_000)
    #expect(keys.consentRequired == ["ad_storage"])
    #expect(keys.setupTags == [TagReference(tag: 0, flag: 1)])
    #expect(keys.teardownTags == [TagReference(tag: 2, flag: 2)])
  }

  @Test("CO-203: a blocking trigger wins over a firing one")
  func blocking() async throws {
    let tag = Tag("call", blocking: ["2"], [Parameter("function_call_macro_name", "showBanner")])
    let workspace = Workspace.sketch(
      tags: [tag],
      triggers: [Trigger("all"), Trigger("home", id: "2", [Condition("EQUALS", "{{Event Name}}", "Home")])])
    let container = try ObservedContainer(workspace.compiledContainer(), id: "GTM-TEST", reading: [])
    #expect(await container.push(["event": "Other"]).tags == ["1: fired"])
    #expect(await container.push(["event": "Home"]).tags == ["1: blocked(77_2)"])
  }

  @Test("CO-203: every type of app tags is compiled to its function, a type of the app's own as it is")
  func tagTypes() throws {
    let types = [
      "ua": "analytics", "fm": "measurementEvent", "func": "functionCall", "funct": "functionCall", "img": "image",
      "http": "http", "awct": "conversion", "sp": "conversion", "webtag": "webTag", "dlw": "dataLayerWrite",
      "__own": "__own",
    ]
    for (type, function) in types {
      let container = try Workspace.sketch(tags: [Tag("t", type: type)], triggers: [Trigger("t")]).compiledContainer()
      #expect(container.tags.map(\.function.rawValue) == [function])
    }
    #expect(Workspace.sketch(tags: [Tag("t", type: "html")], triggers: [Trigger("t")]).codes == ["unknownType"])
  }

  @Test("CO-205: every type of variables is compiled to its function")
  func variableTypes() throws {
    let types = [
      "c": "const", "v": "dataLayer", "md": "eventParameter", "fup": "userProperty", "func": "functionCall",
      "smm": "lookupTable", "remm": "regexTable", "r": "random", "e": "event", "l": "language", "p": "platform",
      "dn": "deviceName", "ov": "osVersion", "ai": "appID", "an": "appName", "av": "appVersion", "rs": "resolution",
      "sv": "sdkVersion", "cid": "containerID", "ctv": "containerVersion", "aid": "advertiserID", "ate": "adTracking",
      "t": "time", "enc": "encode", "hsh": "hash", "jn": "join", "reg": "regexGroup", "gas": "analyticsSettings",
    ]
    for (type, function) in types {
      let container = try Workspace.sketch(variables: [Variable("x", type: type)], builtIns: []).compiledContainer()
      #expect(container.macros.map(\.function.rawValue) == [function], "\(type)")
    }
    #expect(Workspace.sketch(variables: [Variable("x", type: "jsm")]).codes == ["unknownType"])
  }

  @Test("CO-205: a parameter's type is kept; a reference alone keeps the variable's, among text it is a piece")
  func parameters() throws {
    let constant = Variable("x", type: "c", [Parameter("value", "1")])
    let rows = Parameter(
      "list",
      list: [Parameter(map: [Parameter("k", "v"), Parameter("flag", true)]), Parameter("", "{{x}}")])
    let integer = Parameter(fields: ["type": "INTEGER", "key": "n", "value": "42"])
    let tag = Tag("t", [rows, integer, Parameter("text", "a {{x}} b"), Parameter("empty", "")])
    let container = try Workspace.sketch(tags: [tag], triggers: [Trigger("t")], variables: [constant])
      .compiledContainer()
    func node(_ key: String) throws -> ValueNode { container.pool[try #require(container.tags[0].parameters[key])] }
    #expect(try node("n") == .constant(42))
    #expect(try node("empty") == .constant(""))
    guard case .template(let pieces) = try node("text") else { return #expect(Bool(false)) }
    #expect(pieces.map { container.pool[$0] } == [.constant("a "), .macro(name: "x"), .constant(" b")])
    guard case .list(let items) = try node("list"), case .map(let entries) = container.pool[items[0]] else {
      return #expect(Bool(false))
    }
    #expect(container.pool[items[1]] == .macro(name: "x"))
    #expect(entries.map { container.pool[$0.value] } == [.constant("v"), .constant(true)])
  }

  @Test("TM-645, CO-205: formats of a variable become the macro's")
  func formats() throws {
    let format: Value = [
      "caseConversionType": "LOWERCASE", "convertNullToValue": ["type": "TEMPLATE", "value": "none"],
      "convertUndefinedToValue": ["type": "TEMPLATE", "value": "{{y}}"],
    ]
    let workspace = Workspace.sketch(
      variables: [
        Variable("x", [Parameter("name", "x")], more: ["formatValue": format]),
        Variable("y", type: "c", id: "2", [Parameter("value", "1")]),
      ])
    let container = try workspace.compiledContainer()
    func node(_ key: String) throws -> ValueNode { container.pool[try #require(container.macros[0].parameters[key])] }
    #expect(try node("convert_case_to") == .constant(1))
    #expect(try node("convert_null_to") == .constant("none"))
    #expect(try node("convert_undefined_to") == .macro(name: "y"))
  }

  @Test("TM-643, CO-205: a value collection's names hold with its enabling trigger and not with its disabling one")
  func collections() async throws {
    let text = Variable(
      "spanish", type: "vc", [Parameter("collection", "{'greeting': 'Hola {{who}}', 'n': 4}")],
      more: ["enablingTriggerId": ["1"], "disablingTriggerId": ["2"]])
    let table = Variable(
      "english", type: "vc", id: "2",
      [Parameter("collection", list: [Parameter(map: [Parameter("key", "n"), Parameter("value", "5")])])],
      more: ["enablingTriggerId": ["2147479555"]])
    let workspace = Workspace.sketch(
      triggers: [
        Trigger("es", [Condition("EQUALS", "{{who}}", "Ana")]),
        Trigger("off", id: "2", [Condition("EQUALS", "{{Event Name}}", "off")]),
      ],
      variables: [table, text, Variable("who", id: "3", [Parameter("name", "who")])])
    #expect(workspace.codes == [])
    let container = try ObservedContainer(
      workspace.compiledContainer(), id: "GTM-TEST", reading: ["greeting", "n"])
    #expect(await container.push(["event": "e", "who": "Bob"]).values == ["n": "5"])
    #expect(await container.push(["event": "e", "who": "Ana"]).values == ["greeting": "Hola Ana", "n": 4])
    #expect(await container.push(["event": "off"]).values == ["n": "5"])
  }

  @Test("CO-205: built-in variables of format 1.3 are switched on by type, under their usual names")
  func olderBuiltIns() throws {
    var workspace = Workspace.sketch(builtIns: [])
    workspace.header["exportFormatVersion"] = 1.3
    workspace.container["enabledBuiltInVariable"] = ["EVENT", "APP_ID", "RESOLUTION"]
    let container = try workspace.compiledContainer()
    #expect(container.macros.map(\.name) == ["Event", "App ID", "Screen Resolution"])
    #expect(container.macros.map(\.function) == [.event, .appID, .resolution])
  }

  @Test("CO-300: a container carries id, version and a fingerprint that any change of content changes")
  func facts() throws {
    let workspace = Workspace.sketch(variables: [Variable("x", type: "c", [Parameter("value", "1")])])
    var settings = CompileSettings { $0.count }
    settings.version = "12"
    settings.sequence = 4
    let container = try #require(workspace.compiled(settings).container)
    #expect(container.id == "GTM-TEST" && container.version == "12" && container.sequence == 4)
    #expect(container.usageContext == ["ios"])
    let other = try #require(
      Workspace.sketch(variables: [Variable("x", type: "c", [Parameter("value", "2")])]).compiled(settings).container)
    #expect(container.fingerprint?.count == 32)
    #expect(container.fingerprint != other.fingerprint)
    #expect(container.fingerprint == workspace.compiled(settings).container?.fingerprint)
  }

  @Test("CO-202: containers for the web, servers and AMP are not compiled, and the reason is said plainly")
  func otherKinds() throws {
    for path in ExportCorpus.paths where path.contains("export_other") {
      let workspace = try #require(WorkspaceReading(export: ExportCorpus.bytes(path)).workspace)
      let compilation = workspace.compiled(CompileSettings { $0.count })
      #expect(compilation.container == nil)
      let message = try #require(compilation.diagnostics.first { $0.code == .webContainer }?.message)
      #expect(message.contains(workspace.publicID) && message.contains("not for apps"))
    }
  }

  @Test("CO-301: the same workspace gives the same bytes, whatever the order of keys in the import")
  func deterministic() throws {
    for path in ExportCorpus.paths where path.contains("export_mobile") {
      let bytes = try ExportCorpus.bytes(path)
      let forms = try [0, 1, 2, 3].map { seed in
        let shuffled = seed == 0 ? bytes : try Value(json: bytes).shuffledBytes(SeededRandomSource(seed: UInt64(seed)))
        let workspace = try #require(WorkspaceReading(export: shuffled).workspace)
        let compilation = workspace.compiled(CompileSettings { $0.count })
        guard let container = compilation.container else { return ["\(compilation.diagnostics)"] }
        return try ContainerOutput.allCases.map { String(decoding: try $0.bytes(of: container), as: UTF8.self) }
      }
      #expect(Set(forms).count == 1, "\(path)")
    }
  }
}

extension Value {
  /// The value as JSON whose objects have their keys in an order of chance.
  fileprivate func shuffledBytes(_ random: SeededRandomSource) -> [UInt8] { Array(shuffledText(random).utf8) }

  private func shuffledText(_ random: SeededRandomSource) -> String {
    switch self {
    case .list(let items): "[\(items.map { $0.shuffledText(random) }.joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { (random.next(), $0) }.sorted { $0.0 < $1.0 }.map { "\(Value.string($0.1.key).jsonText) : \($0.1.value.shuffledText(random))" }.joined(separator: ","))}"
    default: jsonText
    }
  }
}
