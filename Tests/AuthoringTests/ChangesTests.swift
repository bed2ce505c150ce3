import Authoring
import Hits
import Testing

@testable import TagManager

@Suite struct ChangesTests {
  private let workspace = Workspace.sketch(
    tags: [Tag("a", id: "1", [Parameter("url", "1"), Parameter("flag", true)]), Tag("b", id: "2")],
    triggers: [Trigger("t")], variables: [Variable("x", type: "c", [Parameter("value", "1")])])

  private func lines(_ changes: [EntityChange]) -> [String] {
    changes.map { change in
      let fields = change.fields.map { "\($0.name): \($0.from?.jsonText ?? "–") → \($0.to?.jsonText ?? "–")" }
      return ([change.difference.rawValue, change.kind, change.name] + fields).joined(separator: " ")
    }
  }

  @Test("CO-207: equal workspaces do not differ, whatever a server counts for itself")
  func equal() {
    var other = workspace
    other.tags[0].fields["fingerprint"] = "123"
    other.tags[0].fields["accountId"] = "9"
    #expect(workspace.changes(to: other) == [])
  }

  @Test("CO-207: entities are added, removed, changed and renamed, each with its fields")
  func workspaces() {
    var other = workspace
    other.tags[0].parameters = [Parameter("url", "2"), Parameter("flag", true), Parameter("new", "n")]
    other.tags[1].name = "c"
    other.triggers = []
    other.variables.append(Variable("y", id: "2"))
    #expect(
      lines(workspace.changes(to: other)) == [
        #"changed tag a parameter.new: – → "n" parameter.url: "1" → "2""#, #"changed tag c name: "b" → "c""#,
        "removed trigger t", "added variable y",
      ])
    #expect(
      Set(other.changes(to: workspace).map(\.difference)) == [.changed, .added, .removed])
  }

  @Test("CO-207: containers are compared by names, predicates and values, not by positions")
  func containers() throws {
    let container = try workspace.compiledContainer()
    var moved = workspace
    moved.tags.reverse()
    #expect(container.changes(to: try moved.compiledContainer()) == [])
    var other = workspace
    other.tags[0].parameters = [Parameter("url", "{{x}}/2"), Parameter("flag", true)]
    other.triggers[0].conditions = [Condition("EQUALS", "{{Event Name}}", "e")]
    other.variables[0].parameters = [Parameter("value", "2")]
    #expect(
      lines(container.changes(to: try other.compiledContainer())).map { $0.replacing("\"", with: "") } == [
        "changed tag a parameter.url: 1 → {{x}}/2",
        "changed rule t if: [{arg0:{{_event}},arg1:.*,function:matchesRegex}] → [{arg0:{{Event Name}},arg1:e,function:equals}]",
        "changed macro x parameter.value: 1 → 2", "removed macro _event",
      ])
  }

  @Test("CO-207: a pool that refers to itself many times is shown within bounds")
  func hostilePool() {
    var container = CompiledContainer()
    container.pool.nodes = [.constant("x")]
    for index in 0..<40 { container.pool.nodes.append(.list([ValueIndex(index), ValueIndex(index)])) }
    var macro = Call(.constant)
    macro.name = "m"
    macro.parameters["value"] = ValueIndex(40)
    container.macros = [macro]
    #expect(container.changes(to: .empty).map(\.difference) == [.removed])
    #expect(ContainerValues(container).omitted == ["m"])
  }
}
