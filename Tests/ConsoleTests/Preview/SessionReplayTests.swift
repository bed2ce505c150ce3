import Authoring
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Session replay") struct SessionReplayTests {
  /// A tag for Spanish devices on a screen that the app's function allows, and one for every event.
  private static let workspace = Workspace(
    fields: ["container": ["publicId": "GTM-SHOP", "usageContext": ["IOS"]]],
    tags: [
      Tag(fields: [
        "tagId": "1", "name": "every", "type": "img", "firingTriggerId": ["2147479556"],
        "parameter": [["type": "TEMPLATE", "key": "url", "value": "https://example.com/"]],
      ]),
      Tag(fields: [
        "tagId": "2", "name": "spanish", "type": "func", "firingTriggerId": ["7"],
        "parameter": [["type": "TEMPLATE", "key": "function_call_macro_name", "value": "show"]],
      ]),
    ],
    triggers: [
      Trigger(fields: [
        "triggerId": "7", "name": "Spanish", "type": "CUSTOM_EVENT",
        "customEventFilter": [.map(Condition("EQUALS", "{{_event}}", "openScreen").fields)],
        "filter": [
          .map(Condition("EQUALS", "{{language}}", "es").fields),
          .map(Condition("EQUALS", "{{member}}", "gold").fields),
          .map(Condition("EQUALS", "{{screen}}", "Home").fields),
        ],
      ])
    ],
    variables: [
      Variable(fields: ["variableId": "1", "name": "language", "type": "l"]),
      Variable(fields: [
        "variableId": "2", "name": "member", "type": "func",
        "parameter": [["type": "TEMPLATE", "key": "function_call_macro_name", "value": "memberLevel"]],
      ]),
      Variable(fields: [
        "variableId": "3", "name": "screen", "type": "v",
        "parameter": [["type": "TEMPLATE", "key": "name", "value": "screen"]],
      ]),
    ])

  private static func line(_ event: String, member: String, ran: [String], more: [String: Value] = [:]) -> [UInt8] {
    let tags = ran.map { Value.map(["name": .string($0), "status": "fired"]) }
    let macros: Value = [["name": "language", "value": "es"], ["name": "member", "value": .string(member)]]
    let outcome: [String: Value] = [
      "event": .string(event), "update": ["event": .string(event)],
      "containers": [["tags": .list(tags), "macros": macros]],
    ]
    return Value.map(outcome.merging(more) { $1 }).jsonBytes
  }

  @Test(
    "CO-503: a session is replayed against the draft with the device and the functions it had, and tells what changes")
  func replay() async throws {
    let fixture = SiteFixture()
    try await fixture.prepare("GTM-SHOP", Self.workspace)
    try await fixture.person("Ada", AccessRights(everywhere: .edit))
    let browser = try await fixture.browser("Ada")
    let token = PreviewToken(
      id: "p", digest: SecretDigest(of: "p"), container: "GTM-SHOP", version: nil, created: Authorship(.server, at: 1),
      expires: .max)
    let lines = [
      Self.line("openScreen", member: "gold", ran: ["every", "spanish"], more: ["snapshot": ["screen": "Home"]]),
      Self.line("openScreen", member: "none", ran: ["every"]), Self.line("other", member: "gold", ran: ["every"]),
    ]
    #expect(fixture.context.traces.add(lines, to: "s1", of: token, at: 5))
    let path = "/containers/GTM-SHOP/debug/s1/replay"
    let same = await browser.call("GET", path).fields.items("events")
    #expect(same.map { $0["now"] } == [["every", "spanish"], ["every"], ["every"]])
    #expect(same.allSatisfy { $0["then"] == $0["now"] })
    let page = await browser.get("/containers/GTM-SHOP/live/replay?session=s1")
    #expect(page.text.contains("The draft would have run the same tags."))
    let paused = await browser.call(
      "PUT", "/containers/GTM-SHOP/workspace/tags/1?revision=1",
      json: .map(Self.workspace.tags[0].fields.merging(["paused": true]) { $1 }))
    #expect(paused.status == 200)
    let changed = await browser.call("GET", path).fields.items("events")
    #expect(changed.map { $0["now"] } == [["spanish"], [], []])
    let other = await browser.get("/containers/GTM-SHOP/live/replay?session=s1")
    #expect(other.text.contains("The draft would have run other tags at 3 pushes."))
    #expect(await browser.call("GET", "/containers/GTM-SHOP/debug/none/replay").status == 404)
  }

  @Test("CO-503: two variables of one function have each the value that the function returned to it")
  func twoOfOneFunction() async throws {
    func variable(_ id: String, _ name: String) -> Variable {
      Variable(fields: [
        "variableId": .string(id), "name": .string(name), "type": "func",
        "parameter": [["type": "TEMPLATE", "key": "function_call_macro_name", "value": "price"]],
      ])
    }
    var workspace = Self.workspace
    workspace.tags = [workspace.tags[1]]
    workspace.triggers[0] = Trigger(fields: [
      "triggerId": "7", "name": "Both", "type": "CUSTOM_EVENT",
      "customEventFilter": [.map(Condition("EQUALS", "{{_event}}", "buy").fields)],
      "filter": [
        .map(Condition("EQUALS", "{{net}}", "8").fields), .map(Condition("EQUALS", "{{gross}}", "10").fields),
      ],
    ])
    workspace.variables = [variable("1", "net"), variable("2", "gross")]
    let container = try #require(workspace.compiled(PublicationCompiler.settings).container)
    let replay = try SessionReplay(container, as: "GTM-SHOP", first: [:])
    let macros: Value = [["name": "net", "value": "8"], ["name": "gross", "value": "10"]]
    let recorded: Value = [
      "event": "buy", "update": ["event": "buy"],
      "containers": [["tags": [["name": "spanish", "status": "fired"]], "macros": macros]],
    ]
    let line = TraceSessions.Line(number: 1, received: 1, json: recorded.jsonBytes)
    #expect(await replay.run([line]).map(\.now) == [["spanish"]])
  }

  @Test("CO-503: a replay has the consent that the session shows, and goes in the order of the data layer")
  func consent() async throws {
    let fixture = SiteFixture()
    var workspace = Self.workspace
    workspace.tags[0].fields["consentSettings"] = [
      "consentStatus": "NEEDED",
      "consentType": ["type": "LIST", "list": [["type": "TEMPLATE", "value": "ad_storage"]]],
    ]
    try await fixture.prepare("GTM-SHOP", workspace)
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    let token = PreviewToken(
      id: "p", digest: SecretDigest(of: "p"), container: "GTM-SHOP", version: nil, created: Authorship(.server, at: 1),
      expires: .max)
    let held: Value = [["tags": [["name": "every", "status": "notFired(consent)"]]]]
    let lines = [
      // Nested in the first push, and so come before it.
      Self.line("later", member: "none", ran: [], more: ["sequence": 2, "containers": held]),
      Self.line("first", member: "none", ran: [], more: ["sequence": 1, "containers": held, "snapshot": [:]]),
      Self.line("agreed", member: "none", ran: ["every"], more: ["sequence": 3]),
    ]
    #expect(fixture.context.traces.add(lines, to: "s1", of: token, at: 5))
    let events = await browser.call("GET", "/containers/GTM-SHOP/debug/s1/replay").fields.items("events")
    #expect(events.map { $0["event"] } == ["first", "later", "agreed"])
    #expect(events.map { $0["now"] } == [[], [], ["every"]])
  }
}
