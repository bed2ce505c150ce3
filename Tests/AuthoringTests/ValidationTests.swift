import Foundation
import Hits
import TestSupport
import Testing

@testable import Authoring
@testable import TagManager

@Suite struct ValidationTests {
  private static let tag = Tag("t", [Parameter("function_call_macro_name", "f")])

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let workspace: Workspace
    let codes: [String]
    var field: String?
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing wrong", workspace: .sketch(tags: [tag], triggers: [Trigger("a")]), codes: []),
    Case(
      testDescription: "unknown variable",
      workspace: .sketch(tags: [Tag("t", [Parameter("x", "a {{no}}")])], triggers: [Trigger("a")]),
      codes: ["unknownReference"], field: "parameter"),
    Case(
      testDescription: "unknown variable deep in a table",
      workspace: .sketch(
        tags: [Tag("t", [Parameter("x", list: [Parameter(map: [Parameter("k", "{{no}}")])])])],
        triggers: [Trigger("a")]), codes: ["unknownReference"], field: "parameter"),
    Case(
      testDescription: "a built-in variable that is switched off",
      workspace: .sketch(triggers: [Trigger("a", [Condition("EQUALS", "{{App ID}}", "x")])]),
      codes: ["unknownReference", "unusedEntity"], field: "filter"),
    Case(
      testDescription: "unknown trigger", workspace: .sketch(tags: [Tag("t", firing: ["4"])]),
      codes: ["unknownReference"], field: "firingTriggerId"),
    Case(
      testDescription: "unknown setup tag",
      workspace: .sketch(
        tags: [Tag("t", [Parameter("function_call_macro_name", "f")], more: ["setupTag": [["tagName": "no"]]])],
        triggers: [Trigger("a")]), codes: ["unknownReference"], field: "setupTag"),
    Case(
      testDescription: "reference cycle",
      workspace: .sketch(
        variables: [
          Variable("a", id: "1", [Parameter("name", "{{b}}")]), Variable("b", id: "2", [Parameter("name", "{{c}}")]),
          Variable("c", id: "3", [Parameter("name", "x{{a}}")]),
        ]), codes: ["referenceCycle"], field: "parameter"),
    Case(
      testDescription: "a variable that refers to itself",
      workspace: .sketch(variables: [Variable("a", [Parameter("name", "{{a}}")])]), codes: ["referenceCycle"]),
    Case(
      testDescription: "unused trigger", workspace: .sketch(triggers: [Trigger("a")]), codes: ["unusedEntity"]),
    Case(
      testDescription: "empty firing list", workspace: .sketch(tags: [Tag("t", firing: [])]),
      codes: ["noFiringTrigger"], field: "firingTriggerId"),
    Case(
      testDescription: "bad regular expression",
      workspace: .sketch(tags: [tag], triggers: [Trigger("a", [Condition("MATCH_REGEX", "{{Event Name}}", "(")])]),
      codes: ["regexInvalid"], field: "filter"),
    Case(
      testDescription: "bad regular expression of a table",
      workspace: .sketch(
        variables: [
          Variable(
            "a", type: "remm",
            [Parameter("map", list: [Parameter(map: [Parameter("key", "["), Parameter("value", "x")])])])
        ]), codes: ["regexInvalid"], field: "parameter.map"),
    Case(
      testDescription: "a name twice, case aside",
      workspace: .sketch(tags: [tag, Tag("T", id: "2")], triggers: [Trigger("a")]), codes: ["duplicateName"],
      field: "name"),
    Case(
      testDescription: "a variable with a built-in variable's name",
      workspace: .sketch(variables: [Variable("event name", type: "c")]), codes: ["duplicateName"]),
    Case(
      testDescription: "a variable with the name of the event's own",
      workspace: .sketch(variables: [Variable("_event", type: "c")]), codes: ["duplicateName"]),
    Case(
      testDescription: "an id twice",
      workspace: .sketch(variables: [Variable("a", type: "c"), Variable("b", type: "c")]), codes: ["duplicateID"],
      field: "variableId"),
    Case(
      testDescription: "a type unknown to the compiler",
      workspace: .sketch(tags: [Tag("t", type: "html")], triggers: [Trigger("a", type: "CLICK")]),
      codes: ["unknownType", "unknownType"], field: "type"),
    Case(
      testDescription: "a condition only a page can answer",
      workspace: .sketch(tags: [tag], triggers: [Trigger("a", [Condition("CSS_SELECTOR", "{{Event Name}}", "a")])]),
      codes: ["unknownType"], field: "filter"),
    Case(
      testDescription: "a value collection that is no object",
      workspace: .sketch(
        variables: [
          Variable("a", type: "vc", [Parameter("collection", "{'a'")], more: ["enablingTriggerId": ["2147479555"]])
        ]), codes: ["collectionInvalid"], field: "parameter.collection"),
    Case(
      testDescription: "a whole number that is none",
      workspace: .sketch(
        tags: [Tag("t", [Parameter(fields: ["type": "INTEGER", "key": "n", "value": "4x"])])],
        triggers: [Trigger("a")]), codes: ["wrongType"], field: "parameter.n"),
    Case(
      testDescription: "a parameter twice",
      workspace: .sketch(tags: [Tag("t", [Parameter("a", "1"), Parameter("a", "2")])], triggers: [Trigger("a")]),
      codes: ["duplicateParameter"], field: "parameter.a"),
    Case(
      testDescription: "a schedule that ends before it begins",
      workspace: .sketch(
        tags: [Tag("t", more: ["scheduleStartMs": "2", "scheduleEndMs": "1"])], triggers: [Trigger("a")]),
      codes: ["scheduleEmpty"], field: "scheduleEndMs"),
    Case(
      testDescription: "a condition without its second argument",
      workspace: .sketch(
        tags: [tag],
        triggers: [
          Trigger(
            "a",
            [
              Condition(fields: [
                "type": "EQUALS", "parameter": [["type": "TEMPLATE", "key": "arg0", "value": "{{Event Name}}"]],
              ])
            ])
        ]), codes: ["missingField"], field: "filter"),
  ]

  @Test("CO-206: what is wrong is named with its entity and field", arguments: cases)
  func named(_ test: Case) throws {
    #expect(test.workspace.codes == test.codes)
    guard let first = test.workspace.diagnostics.first(where: { $0.severity != .info }) else { return }
    #expect(first.entity != nil)
    if let field = test.field { #expect(first.field == field) }
    #expect(first.message.hasSuffix("."))
  }

  @Test(
    "CO-206: a field of the wrong type is an error that names it, and reads as if it were not there",
    arguments: [
      ("tag", "name", "1"), ("tag", "type", "[]"), ("tag", "firingTriggerId", "\"1\""),
      ("tag", "firingTriggerId", "[1]"),
      ("tag", "parameter", "{}"), ("tag", "parameter", "[1]"), ("tag", "parameter", #"[{"type":"NEW"}]"#),
      ("tag", "parameter", #"[{"type":"LIST","list":{}}]"#), ("tag", "parameter", #"[{"type":"TEMPLATE","value":[]}]"#),
      ("tag", "paused", "\"no\""), ("tag", "priority", "3"), ("tag", "setupTag", "[\"a\"]"),
      ("tag", "scheduleStartMs", "\"x\""), ("tag", "consentSettings", "[]"), ("trigger", "filter", "[{}]"),
      ("trigger", "filter", #"[{"type":"EQUALS","parameter":3}]"#), ("trigger", "customEventFilter", "null"),
      ("variable", "enablingTriggerId", "{}"), ("variable", "formatValue", "1"), ("folder", "name", "[]"),
      ("builtInVariable", "type", "4"), ("customTemplate", "templateId", "0"),
    ])
  func wrongTypes(kind: String, field: String, json: String) throws {
    let idField =
      ["tag": "tagId", "trigger": "triggerId", "variable": "variableId", "folder": "folderId"][kind] ?? "templateId"
    var fields = ["name": "\"n\"", "type": kind == "builtInVariable" ? "\"APP_ID\"" : "\"ALWAYS\"", idField: "\"1\""]
    fields[field] = json
    let entity = fields.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    let workspace = try Workspace.read(
      #"{"exportFormatVersion":2,"containerVersion":{"\#(kind)":[{\#(entity)}]}}"#)
    let found = workspace.diagnostics.filter { $0.code == .wrongType && $0.field == field }
    #expect(found.count == 1)
    #expect(found.first?.severity == .error)
    #expect(workspace.compiled(CompileSettings { $0.count }).container == nil)
  }

  @Test("CO-206: errors stop compiling, warnings do not")
  func severities() {
    let warned = Workspace.sketch(tags: [Tag("t", firing: [])])
    #expect(warned.compiled(CompileSettings { $0.count }).container != nil)
    let wrong = Workspace.sketch(tags: [Tag("t", type: "html", firing: [])])
    let compilation = wrong.compiled(CompileSettings { $0.count })
    #expect(compilation.container == nil)
    #expect(compilation.diagnostics.map(\.severity) == [.error, .warning])
  }

  @Test("CO-206: the public exports for apps have these diagnostics and no others")
  func corpus() throws {
    let expected = [
      "GTM-5856G9X": [], "GTM-5DQQ53W": [], "GTM-N2N5TS": [], "GTM-W74VHNBX": [],
      // A trigger of web pages in an app's container, and two triggers nothing uses.
      "GTM-WDF9SGJ": ["error unknownType 2024rigger"],
    ]
    for (id, diagnostics) in expected {
      guard let workspace = try ExportCorpus.workspace(of: id) else { continue }
      let found = workspace.diagnostics.filter { $0.severity != .info }
        .map { "\($0.severity.rawValue) \($0.code) \($0.entity?.name ?? "")" }
      #expect(found == diagnostics, "\(id)")
    }
  }

  @Test("CO-205: renaming a variable renames its references, everywhere and only there")
  func renaming() throws {
    var workspace = Workspace.sketch(
      tags: [Tag("x", [Parameter("a", "{{x}} {{y}}"), Parameter("b", list: [Parameter("", "{{x}}")])])],
      triggers: [Trigger("x", [Condition("EQUALS", "{{x}}", "x")])],
      variables: [
        Variable("x", type: "c"),
        Variable(
          "y", id: "2", [Parameter("name", "{{x}}")],
          more: [
            "formatValue": ["convertNullToValue": ["type": "TEMPLATE", "value": "{{x}}"]]
          ]),
      ])
    workspace.renameVariable("x", to: "z")
    #expect(workspace.variables.map(\.name) == ["z", "y"])
    #expect(workspace.tags[0].name == "x" && workspace.triggers[0].name == "x")
    let text = String(decoding: workspace.exportBytes, as: UTF8.self)
    #expect(!text.contains("{{x}}"))
    #expect(text.components(separatedBy: "{{z}}").count == 6)
    #expect(workspace.triggers[0].conditions[0].parameters[1].text == "x")
  }
}
