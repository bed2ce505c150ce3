import Authoring
import Foundation
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Editors") struct EditorTests {
  /// What the form says of an entity, and what the entity is after the form was sent as it was.
  private func unchanged(
    _ fields: [String: Value], _ collection: EntityCollection, _ names: WorkspaceNames
  ) -> (editor: any EntityEditor, result: [String: Value], problems: [String: String]) {
    let editor = EditorChoice(collection: collection, names: names).editor(of: fields, asText: false)
    var typed = TypedFields()
    editor.write(fields, into: &typed)
    // What a browser makes of it.
    let page = element("form") { editor.html(FormParts(typed: typed)) }.markup
    var sent = TypedFields()
    for (name, value) in FormReader(page).values { sent[name] = value }
    var problems: [String: String] = [:]
    return (editor, editor.entity(sent, former: fields, problems: &problems), problems)
  }

  @Test(
    "A row's number is one of a form's rows, or it is none",
    arguments: [("0", 1), ("499", 1), ("500", 0), ("9223372036854775807", 0), ("-1", 0), ("-9223372036854775808", 0)])
  func rowNumbers(number: String, count: Int) {
    let typed = TypedFields(["firing.\(number).name": "x"])
    #expect(typed.rows("firing", ["name"]) == Array(repeating: ["x"], count: count))
  }

  @Test("CO-201, CO-800: the form of every entity of every export, sent unchanged, changes nothing")
  func lossless() throws {
    guard let corpus = Corpus.find(for: "Editors") else { return }
    var forms = (own: 0, text: 0)
    for folder in ["containers/export_mobile", "containers/export_other"] {
      for file in try corpus.files(in: folder) {
        let reading = WorkspaceReading(export: Array(try corpus.data("\(folder)/\(file)")))
        let workspace = try #require(reading.workspace)
        let names = WorkspaceNames(workspace)
        for collection in EntityCollection.allCases where collection != .builtInVariables {
          for fields in collection.fields(in: workspace) {
            let (editor, result, problems) = unchanged(fields, collection, names)
            #expect(result == fields, "\(file) \(collection) \(fields["name"]?.string ?? "")")
            #expect(problems.isEmpty, "\(file) \(fields["name"]?.string ?? ""): \(problems)")
            if editor is TextEditor { forms.text += 1 } else { forms.own += 1 }
          }
        }
      }
    }
    #expect(forms.own > 70)
    #expect(forms.text > 0)
  }

  private let names = WorkspaceNames(
    Workspace(
      tags: [Tag(fields: ["tagId": "1", "name": "Other"])],
      triggers: [Trigger(fields: ["triggerId": "7", "name": "Home", "type": "ALWAYS"])],
      folders: [Folder(fields: ["folderId": "3", "name": "Shop"])]))

  private func made(_ collection: EntityCollection, _ type: String, _ typed: [String: String]) throws -> [String: Value]
  {
    let editor = try #require(EditorChoice(collection: collection, names: names).editor(ofNew: type))
    var fields = TypedFields()
    editor.write([:], into: &fields)
    for (name, value) in typed { fields[name] = value }
    var problems: [String: String] = [:]
    let result = editor.entity(fields, former: [:], problems: &problems)
    #expect(problems.isEmpty, "\(problems)")
    return result
  }

  @Test("CO-205: a value collection for a trigger, its numbers and truth values kept as such")
  func collection() throws {
    let fields = try made(
      .variables, "vc",
      [
        "name": " Spanish ", "p-collection.0.key": "greeting", "p-collection.0.value": "Hola",
        "p-collection.2.key": "free", "p-collection.2.value": "40", "p-collection.3.key": "sale",
        "p-collection.3.value": "true", "enabling.0.name": "home",
      ])
    func row(_ key: String, _ type: String, _ value: String) -> Value {
      [
        "type": "MAP",
        "map": [
          ["type": "TEMPLATE", "key": "key", "value": .string(key)],
          ["type": .string(type), "key": "value", "value": .string(value)],
        ],
      ]
    }
    #expect(
      fields == [
        "name": "Spanish", "type": "vc", "enablingTriggerId": ["7"],
        "parameter": [
          [
            "type": "LIST", "key": "collection",
            "list": [
              row("greeting", "TEMPLATE", "Hola"), row("free", "INTEGER", "40"), row("sale", "BOOLEAN", "true"),
            ],
          ]
        ],
      ])
  }

  @Test("CO-204: a trigger on an event with conditions, turned round and without regard to case")
  func trigger() throws {
    let fields = try made(
      .triggers, "",
      [
        "name": "Confirmation", "event-name": "openScreen", "conditions.0.left": "{{screen name}}",
        "conditions.0.operator": "EQUALS", "conditions.0.right": "ConfirmationScreen",
        "conditions.1.left": "{{language}}", "conditions.1.operator": "!MATCH_REGEX/i", "conditions.1.right": "^de",
        "conditions.2.operator": "EQUALS", "sample": "12.5",
      ])
    let trigger = Trigger(fields: fields)
    #expect(trigger.type == "CUSTOM_EVENT")
    #expect(trigger.eventConditions.map(ConditionForm.row) == [["{{_event}}", "EQUALS", "openScreen"]])
    #expect(
      trigger.conditions.map(ConditionForm.row) == [
        ["{{screen name}}", "EQUALS", "ConfirmationScreen"], ["{{language}}", "!MATCH_REGEX/i", "^de"],
      ])
    #expect(trigger.conditions[1].isNegated && trigger.conditions[1].ignoresCase)
    #expect(trigger.samplePercent == "12.5")
  }

  @Test("CO-203: a tag with all that its form has")
  func tag() throws {
    let fields = try made(
      .tags, "awct",
      [
        "name": "Pixel", "p-conversionId": "123", "p-customParams.0.key": "a", "p-customParams.0.value": "{{b}}",
        "firing.0.name": "Home", "firing.1.name": "Any Event", "blocking.0.name": "Always", "priority": "5",
        "option": "ONCE_PER_LOAD", "paused": "on", "start": "2027-01-15T08:00", "setupTag.0.name": "Other",
        "setupTag.0.stop": "yes", "consent.0.type": "ad_storage", "folder": "3", "notes": "one\r\ntwo",
      ])
    let tag = Tag(fields: fields)
    #expect(tag.firingTriggerIDs == ["7", "2147479556"])
    #expect(tag.blockingTriggerIDs == ["2147479555"])
    #expect(tag.priority == 5)
    #expect(tag.isPaused && tag.isOncePerLoad)
    #expect(tag.scheduleStart == 1_800_000_000_000)
    #expect(tag.setupTags.map(\.name) == ["Other"] && tag.setupTags[0].stopsOnFailure)
    #expect(tag.consentTypes == ["ad_storage"])
    #expect(tag.folderID == "3")
    #expect(tag.notes == "one\ntwo")
    #expect(tag.parameters.map(\.key) == ["conversionId", "customParams"])
  }

  @Test(
    "CO-802: what cannot be saved is told at its input",
    arguments: [
      (EntityCollection.tags, "img", ["p-url": "https://a.b"], "name"), (.tags, "img", ["name": "x"], "p-url"),
      (.tags, "img", ["name": "x", "p-url": "u", "firing.0.name": "Nothing"], "firing"),
      (.tags, "img", ["name": "x", "p-url": "u", "priority": "high"], "priority"),
      (.tags, "img", ["name": "x", "p-url": "u", "start": "soon"], "start"),
      (.triggers, "", ["name": "x"], "event-name"),
      (.triggers, "", ["name": "x", "event-name": "e", "conditions.0.right": "r"], "conditions.0.left"),
      (.variables, "v", ["name": "{{x}}", "p-name": "a"], "name"), (.folders, "", ["name": " "], "name"),
    ] as [(EntityCollection, String, [String: String], String)])
  func problems(collection: EntityCollection, type: String, typed: [String: String], input: String) throws {
    let editor = try #require(EditorChoice(collection: collection, names: names).editor(ofNew: type))
    var fields = TypedFields()
    editor.write([:], into: &fields)
    for (name, value) in typed { fields[name] = value }
    var problems: [String: String] = [:]
    _ = editor.entity(fields, former: [:], problems: &problems)
    #expect(Array(problems.keys) == [input])
    let parts = FormParts(typed: fields, problems: problems)
    #expect(editor.html(parts).markup.contains("f-\(input.replacing(".", with: "-"))-problem"))
    #expect(parts.summary?.markup.contains("role=\"alert\"") == true)
  }

  @Test("CO-203: what a form does not show stays, and one change changes one parameter")
  func kept() throws {
    let fields: [String: Value] = [
      "tagId": "1", "name": "x", "type": "img", "fingerprint": "99", "unknown": ["a": 1],
      "parameter": [
        ["type": "TEMPLATE", "key": "url", "value": "https://a.b"],
        ["type": "TEMPLATE", "key": "odd", "value": "kept"],
        ["type": "BOOLEAN", "key": "useCacheBuster", "value": "true"],
      ],
    ]
    let editor = EditorChoice(collection: .tags, names: names).editor(of: fields, asText: false)
    var typed = TypedFields()
    editor.write(fields, into: &typed)
    typed["p-url"] = "https://c.d"
    var problems: [String: String] = [:]
    var expected = fields
    expected["parameter"] = [
      ["type": "TEMPLATE", "key": "url", "value": "https://c.d"], ["type": "TEMPLATE", "key": "odd", "value": "kept"],
      ["type": "BOOLEAN", "key": "useCacheBuster", "value": "true"],
    ]
    #expect(editor.entity(typed, former: fields, problems: &problems) == expected)
  }
}
