import Authoring
import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

/// Public exports beside the containers that were compiled from them, now or at another time (CO-302).
///
/// Where an author went on between the two, the edits of the export that lead to the compiled version are listed by
/// entity; nothing else is left out of the comparison.
@Suite struct CompiledTwinTests {
  struct Twin: Sendable, CustomTestStringConvertible {
    let id: String
    let compiled: String
    /// What an author changed between the two, as `changes(to:)` must say it.
    var changed: [String] = []
    var edit: @Sendable (inout Workspace) -> Void = { _ in }
    let events: GeneratedEvents
    /// The form in which ours is run: the older SDK's containers are evaluated by its rules.
    var output = ContainerOutput.json

    var testDescription: String { compiled }
  }

  /// Flags that the vendor's templates add to settings when they are compiled; no tag of the engine reads them
  /// (`AnalyticsRequest+Compiled.swift` lists them as without effect).
  private static let templateFlags: Set<String> = [
    "enableRecaptchaOption", "enableUaRlsa", "enableUseInternalVersion", "enableFirebaseEcommerce",
  ]

  @Test("CO-302: our compilation does what the compiled twin does, on generated sequences of events", arguments: twins)
  func sameBehaviour(_ twin: Twin) async throws {
    guard var workspace = try ExportCorpus.workspace(of: twin.id), let corpus = Corpus.find(for: "Compiled twins")
    else { return }
    twin.edit(&workspace)
    let own = try reread(twin.output.bytes(of: workspace.compiledContainer()))
    let real = try reread(Array(corpus.data("containers/\(twin.compiled)")))
    let names = Set(real.macros.map(\.name)).filter { !$0.hasPrefix("_") }
    #expect(Set(own.macros.map(\.name)).filter { !$0.hasPrefix("_") } == names)
    #expect(own.version == workspace.version)

    let random = SeededRandomSource(seed: 302)
    let runs = ProcessInfo.processInfo.environment["TAGWORKS_PROPERTY_RUNS"].flatMap { Int($0) } ?? 300
    var (fired, silent) = (0, 0)
    for run in 0..<runs {
      let sides = try [own, real].map { container in
        try ObservedContainer(
          container, id: ContainerID(twin.id), reading: names.sorted(), withoutEffect: Self.templateFlags)
      }
      for update in twin.events.sequence(random) {
        let (ours, theirs) = (await sides[0].push(update), await sides[1].push(update))
        #expect(ours == theirs, "sequence \(run), \(Value.map(update).jsonText)")
        if theirs.tags.contains(where: { $0.hasSuffix("fired") }) { fired += 1 } else { silent += 1 }
        guard ours == theirs else { return }
      }
    }
    // The generator must reach both sides of every trigger to prove anything.
    #expect(fired > runs / 4)
    #expect(silent > runs / 4 || twin.id == "GTM-W74VHNBX")
  }

  @Test("CO-302: what authors changed between export and compiled twin is what the list says", arguments: twins)
  func listedChanges(_ twin: Twin) throws {
    guard let workspace = try ExportCorpus.workspace(of: twin.id) else { return }
    var edited = workspace
    twin.edit(&edited)
    let changes = workspace.changes(to: edited).map { "\($0.kind) \($0.name): \($0.difference.rawValue)" }
    #expect(changes.sorted() == twin.changed.sorted())
  }

  private func reread(_ bytes: [UInt8]) throws -> CompiledContainer {
    try #require(ContainerDecoder.decode(bytes, id: nil).container)
  }

  static let twins: [Twin] = [
    Twin(
      id: "GTM-W74VHNBX", compiled: "v5_json/GTM-W74VHNBX__keshucmarix+Android_Structure__35cc957f.json",
      events: GeneratedEvents(names: ["login", "full_text"], keys: ["full_text", "a.full_text"])),
    Twin(
      id: "GTM-5856G9X", compiled: "v5_json/GTM-5856G9X__luisnguyen+GoogleTagManager__22659377.json",
      changed: [
        "container : changed", "tag GA - Screen View: changed",
        "trigger Firebase Event - Event Name - Logged In: removed",
        "variable Firebase Parameter - Item Name: changed", "variable Firebase Parameter - Login Time: removed",
        "variable Google Analytics Settings: changed",
      ],
      edit: { workspace in
        workspace.fields["containerVersionId"] = "5"
        workspace.triggers.removeAll { $0.id == "13" }
        workspace.tags[0].firingTriggerIDs = ["8"]
        workspace.variables.removeAll { $0.name == "Firebase Parameter - Login Time" }
        workspace.editVariable("Firebase Parameter - Item Name") {
          $0 = [Parameter("setDefaultValue", false), Parameter("eventType", "CUSTOM"), Parameter("key", "item_name")]
        }
        workspace.editSettings([("screenName", "{{Firebase Parameter - Item Name}}")])
      }, events: screenEvents),
    Twin(
      id: "GTM-5856G9X", compiled: "v5_json/GTM-5856G9X__luisnguyen+GoogleTagManager__e9a32840.json",
      changed: [
        "container : changed", "tag GA - Screen View: changed", "trigger Screen of an activity: added",
        "variable Firebase Parameter - Current Activity: added", "variable Firebase Parameter - Current Method: added",
        "variable Firebase Parameter - Date Open Screen View: added", "variable Google Analytics Settings: changed",
      ],
      edit: { workspace in
        workspace.fields["containerVersionId"] = "9"
        for (name, key) in [
          ("Date Open Screen View", "DateOpenScreenView"), ("Current Activity", "CurrentActivity"),
          ("Current Method", "CurrentMethod"),
        ] {
          let parameters = [
            Parameter("setDefaultValue", false), Parameter("eventType", "CUSTOM"), Parameter("key", key),
          ]
          workspace.variables.append(Variable("Firebase Parameter - \(name)", type: "md", id: key, parameters))
        }
        workspace.triggers.append(
          Trigger("Screen of an activity", id: "14", [Condition("CONTAINS", "{{Event Name}}", "view_activity")]))
        workspace.tags[0].firingTriggerIDs.append("14")
        workspace.editSettings([
          ("screenName", "{{Firebase Parameter - Item Name}}"), ("loginTime", "{{Firebase Parameter - Login Time}}"),
          ("dateOpenScreenView", "{{Firebase Parameter - Date Open Screen View}}"),
          ("currentActivity", "{{Firebase Parameter - Current Activity}}"),
          ("currentMethod", "{{Firebase Parameter - Current Method}}"),
        ])
      }, events: screenEvents),
    Twin(
      id: "GTM-N2N5TS", compiled: "legacy_binary/gtm_default_container__marcochin+Capstone-Project__29924116.bin",
      changed: ["container : changed", "variable msg_of_the_day: changed"],
      edit: { workspace in
        workspace.fields["containerVersionId"] = "8"
        workspace.shortenMessage()
      }, events: stockEvents, output: .binary),
    Twin(
      id: "GTM-N2N5TS", compiled: "legacy_binary/gtm_default_container__marcochin+Capstone-Project__03b30a48.bin",
      changed: [
        "container : changed", "tag Screen View Bar Chart Tag: added", "trigger Screen View Bar Chart Trigger: added",
        "variable msg_of_the_day: changed", "variable screen_view_bar_chart: added",
      ],
      edit: { workspace in
        workspace.fields["containerVersionId"] = "12"
        workspace.shortenMessage()
        workspace.variables.append(
          Variable("screen_view_bar_chart", id: "6", [Parameter("name", "screen_view_bar_chart")]))
        workspace.triggers.append(
          Trigger(
            "Screen View Bar Chart Trigger", id: "3", [Condition("EQUALS", "{{Event}}", "Screen View Bar Chart")]))
        workspace.tags.append(
          Tag(
            "Screen View Bar Chart Tag", type: "ua", id: "2", firing: ["3"],
            [
              Parameter("trackType", "TRACK_SCREENVIEW"),
              Parameter("trackingId", "{{Stock Streaks Analytics Tracking ID}}"),
              Parameter(
                "fieldsToSet",
                list: [
                  Parameter(map: [Parameter("fieldName", "&cd"), Parameter("value", "{{screen_view_bar_chart}}")])
                ]),
            ]))
      }, events: stockEvents, output: .binary),
  ]

  private static let screenEvents = GeneratedEvents(
    names: ["view_item", "Logged_in", "user_Logged_in", "view_activity_main", "select_content"],
    keys: [
      "item_name", "LoginTime", "share_image", "user.user_id", "DateOpenScreenView", "CurrentActivity",
      "CurrentMethod", "accept_time",
    ])

  private static let stockEvents = GeneratedEvents(
    names: ["Symbol Add", "Screen View Bar Chart", "symbol add"],
    keys: ["event_category", "event_action", "event_label", "screen_view_bar_chart"])
}

extension Workspace {
  fileprivate mutating func editVariable(_ name: String, _ edit: (inout [Parameter]) -> Void) {
    for index in variables.indices where variables[index].name == name { edit(&variables[index].parameters) }
  }

  fileprivate mutating func editSettings(_ rows: [(name: String, value: String)]) {
    editVariable("Google Analytics Settings") { parameters in
      parameters.removeAll { $0.key == "fieldsToSet" }
      let list = rows.map { Parameter(map: [Parameter("fieldName", $0.name), Parameter("value", $0.value)]) }
      parameters.append(Parameter("fieldsToSet", list: list))
    }
  }

  fileprivate mutating func shortenMessage() {
    editVariable("msg_of_the_day") { parameters in
      parameters = parameters.map {
        Parameter($0.key, $0.text.replacingOccurrences(of: " http://www.google.com", with: ""))
      }
    }
  }
}
