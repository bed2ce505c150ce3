import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Live view") struct LiveViewTests {
  private static let token = PreviewToken(
    id: "p", digest: SecretDigest(of: "p"), container: "GTM-SHOP", version: nil, created: Authorship(.server, at: 1),
    expires: .max)

  /// A line as an app sends it.
  private static func line(
    _ sequence: Int64, _ update: [String: Value]?, snapshot: [String: Value]? = nil, more: [String: Value] = [:]
  ) -> [UInt8] {
    var fields: [String: Value] = ["sequence": .int(sequence), "disposition": "merged"]
    fields["event"] = update?["event"]
    fields["update"] = update.map(Value.map)
    fields["snapshot"] = snapshot.map(Value.map)
    return Value.map(fields.merging(more) { $1 }).jsonBytes
  }

  private func sessions(_ lines: [[UInt8]], _ limits: TraceSessions.Limits = .init()) -> TraceSessions {
    let sessions = TraceSessions(limits: limits)
    for line in lines { #expect(sessions.add([line], to: "s1", of: Self.token, at: 5)) }
    return sessions
  }

  @Test("CO-502: at each event stands what the data layer held, what was nested in it not yet, whatever came first")
  func states() {
    // The second push was made while the first was looked at, and so its outcome was final before.
    let traces = sessions([
      Self.line(2, ["last": "A-1"]), Self.line(1, ["event": "buy", "order.id": "A-1"], snapshot: ["screen": "Home"]),
      Self.line(3, ["order": ["total": 7]]),
    ])
    let layers = traces.dataLayers(of: "s1", at: [1, 2, 3])
    let first: [String: Value] = ["screen": "Home", "event": "buy", "order": ["id": "A-1"]]
    #expect(layers[2] == .init(content: first, isWhole: true))
    #expect(layers[1] == .init(content: first.merging(["last": "A-1"]) { $1 }, isWhole: true))
    #expect(layers[3]?.content["order"] == ["id": "A-1", "total": 7])
    #expect(traces.dataLayers(of: "s1", at: [3]).keys.sorted() == [3])
    #expect(traces.dataLayers(of: "none", at: [1]).isEmpty)
  }

  @Test("CO-502: lines that a session has forgotten are in the data layer all the same")
  func forgotten() {
    var limits = TraceSessions.Limits()
    limits.lines = 2
    let lines = (1...6).map { Self.line($0, ["k\($0)": .int($0)], snapshot: $0 == 1 ? [:] : nil) }
    let layer = sessions(lines, limits).dataLayers(of: "s1", at: [6])[6]
    #expect(layer?.content == ["k1": 1, "k2": 2, "k3": 3, "k4": 4, "k5": 5, "k6": 6])
    #expect(layer?.isWhole == true)
  }

  @Test("CO-502: a data layer of which something is missing says so: a lost line, one cut short, no beginning")
  func missing() {
    let begin = Self.line(1, ["a": 1], snapshot: [:])
    let lost = sessions([begin, Self.line(3, ["b": 2])]).dataLayers(of: "s1", at: [1, 2])
    #expect(lost[1] == .init(content: ["a": 1], isWhole: true))
    #expect(lost[2] == .init(content: ["a": 1, "b": 2], isWhole: false))
    let cut = sessions([begin, Self.line(2, nil, more: ["cut": true]), Self.line(3, ["b": 2])])
    #expect(cut.dataLayers(of: "s1", at: [3])[3]?.isWhole == false)
    let torn = sessions([Self.line(7, ["b": 2])]).dataLayers(of: "s1", at: [1])
    #expect(torn[1] == .init(content: ["b": 2], isWhole: false))
  }

  @Test("CO-502: a layer that grows beyond its bound is not followed any more, and one beyond 64 KiB is not sent")
  func large() async throws {
    let text = Value.string(String(repeating: "x", count: 100 << 10))
    let lines = (1...11).map { Self.line($0, ["k\($0)": text], snapshot: $0 == 1 ? [:] : nil) }
    let layers = sessions(lines).dataLayers(of: "s1", at: [1, 11])
    #expect(layers[1]?.content.count == 1)
    #expect(layers[11] == .init(content: [:], isWhole: false))
    let fixture = SiteFixture()
    let page = try await page(fixture, [lines[0]])
    #expect(page.contains("It is larger than 64 KiB, and not shown."))
  }

  private func page(_ fixture: SiteFixture, _ lines: [[UInt8]]) async throws -> String {
    try await fixture.prepare()
    try await fixture.person("Ada", AccessRights(everywhere: .read))
    let browser = try await fixture.browser("Ada")
    #expect(fixture.context.traces.add(lines, to: "s1", of: Self.token, at: 5))
    return await browser.get("/containers/GTM-SHOP/live?session=gone").text
  }

  @Test("CO-502: the page folds the data layer by dotted names, marks what the push brought, and folds long values")
  func shown() async throws {
    let long = String(repeating: "long ", count: 60)
    let text = try await page(
      SiteFixture(),
      [
        Self.line(1, ["user.name": .string(long)], snapshot: ["screen": "Home"]),
        Self.line(2, ["event": "buy", "user": ["age": 7]]),
      ])
    #expect(text.contains("Data layer at this point (4 values)"))
    let row = #"<th scope="row">user.age<span class="badge accepted">pushed now</span></th>"#
    #expect(text.contains(row + #"<td class="mono" data-label="Value">7</td>"#))
    #expect(text.contains(#"<th scope="row">user.name</th>"#))
    #expect(text.contains(#"<summary>&quot;long long"#))
    #expect(!text.contains("Not every push"))
    // Values without an event say that they make no tag fire.
    #expect(text.contains("Values without an event") && text.contains("Only events make tags fire."))
  }

  @Test("CO-502: a condition is told with its comparison as it stands in the trigger, and what came of that")
  func conditions() {
    func text(_ fields: [String: Value]) -> String {
      let rule: Value = ["index": 0, "name": "R", "passed": false, "predicates": [.map(fields)]]
      let tags: Value = [
        ["name": "T", "status": "failed(noHandler)"], ["name": "U", "status": "notFired(consent)"],
        ["name": "V", "status": "blocked(7)"],
      ]
      return OutcomeView(line: [
        "outcome": ["event": "e", "containers": [["rules": [rule], "tags": tags, "rulesSkippedByEvent": 1]]]
      ]).html.markup
    }
    let arguments: Value = ["arg0": "en", "arg1": "es"]
    let plain = text(["function": "equals", "arguments": arguments, "result": false, "reason": "compared"])
    #expect(plain.contains("&quot;en&quot; equals &quot;es&quot;: no"))
    #expect(plain.contains("1 trigger waits for other events."))
    for words in ["failed: the app has no such function", "not fired: no consent", "blocked by a trigger"] {
      #expect(plain.contains(words))
    }
    let negated = text([
      "function": "equals", "arguments": arguments, "result": false, "negated": true, "reason": "compared",
    ])
    #expect(negated.contains("&quot;en&quot; does not equal &quot;es&quot;: yes"))
    let missing = text(["function": "less", "arguments": ["arg0": 1], "result": false, "reason": "missing(arg1)"])
    #expect(missing.contains("1 is less than (missing): no (missing: arg1)"))
  }
}
