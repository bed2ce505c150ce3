import Hits
import Testing

@testable import TagManager

@Suite("What an event fires")
struct FiringDecisionTests {
  private func sketch(priorities: [Int64], _ rules: (inout ContainerSketch) -> Void) -> PassBench {
    var sketch = ContainerSketch()
    sketch.macro("event", .event)
    for (index, priority) in priorities.enumerated() { sketch.tag("t\(index)") { $0.priority = priority } }
    rules(&sketch)
    return PassBench(sketch)
  }

  @Test("F2, TM-801: priority descending, then file order")
  func order() {
    #expect(sketch(priorities: [0, 10, 0]) { $0.rule(add: [2, 0, 1]) }.fires(["event": "e"]) == [1, 0, 2])
    #expect(sketch(priorities: [-5, 3, 0, 3]) { $0.rule(add: [0, 1, 2, 3]) }.fires(["event": "e"]) == [1, 3, 2, 0])
  }

  @Test("F1, TM-800: a block wins over a firing rule, whatever the order", arguments: [true, false])
  func block(first: Bool) {
    let bench = sketch(priorities: [0, 0]) { sketch in
      if first { sketch.rule(block: [0]) }
      sketch.rule(add: [0, 1])
      sketch.rule(add: [0])
      if !first { sketch.rule(block: [0]) }
    }
    var pass = bench.pass(["event": "e"])
    let decision = pass.decide(event: "e")
    #expect(decision.fires.map(\.tag) == [1])
    #expect(decision.blocked.map(\.addition.tag) == [0])
    #expect(decision.blocked.map(\.by) == [first ? 0 : 2])
    #expect(decision.blocked.map(\.addition.rules) == [first ? [1, 2] : [0, 1]])
  }

  @Test("TM-802: a tag added by many rules, and twice by one, fires once and names each rule once")
  func once() {
    let bench = sketch(priorities: [0]) { sketch in
      sketch.rule(add: [0, 0])
      sketch.rule(add: [0])
    }
    var pass = bench.pass(["event": "e"])
    #expect(pass.decide(event: "e").fires == [.init(tag: 0, rules: [0, 1])])
  }

  @Test("TM-845: a measurement tag that blocks comes before all others, for what it blocks must not have fired")
  func blockers() {
    var sketch = ContainerSketch()
    let block = sketch.constant("block")
    let filter = sketch.constant("filter")
    let tags = [
      sketch.tag("filter", .measurementEvent, ["action": filter]) { $0.priority = 5 },
      sketch.tag("block", .measurementEvent, ["action": block]),
    ]
    sketch.rule(add: tags)
    #expect(PassBench(sketch).fires(["event": "e"]) == [1, 0])
  }

  @Test("TM-720: rules on an event's name are met by that event alone")
  func index() {
    let bench = sketch(priorities: [0, 0, 0]) { sketch in
      let isA = sketch.isEvent("a")
      let isB = sketch.isEvent("b")
      sketch.rule(if: [isA], add: [0])
      sketch.rule(if: [isB], add: [1])
      sketch.rule(add: [2])
    }
    #expect(bench.fires(["event": "a"]) == [0, 2])
    #expect(bench.fires(["event": "b"]) == [1, 2])
    var pass = bench.pass(["event": "a"])
    _ = pass.decide(event: "a")
    #expect(pass.answers.ruleOutcomes().map(\.index) == [0, 2])
    #expect(bench.plan.tagRules.skipped(besides: bench.plan.tagRules.rules(for: "a")) == 1)
  }

  @Test("TM-720: the constant may stand on either side")
  func constantFirst() {
    let bench = sketch(priorities: [0]) { sketch in
      let event = sketch.reference("event")
      let text = sketch.constant("a")
      let predicate = sketch.predicate(.equals, text, event)
      sketch.rule(if: [predicate], add: [0])
    }
    #expect(bench.fires(["event": "a"]) == [0])
    #expect(bench.plan.tagRules.skipped(besides: bench.plan.tagRules.rules(for: "b")) == 1)
  }

  @Test(
    "TM-720: what is not plainly an event's name is filed under any event",
    arguments: ["ignoreCase", "negative", "twoMacros", "format", "dynamic", "push"])
  func notIndexed(kind: String) {
    var sketch = ContainerSketch()
    let map = sketch.constant(["a": 1])
    let case2 = sketch.constant(2)
    sketch.macro("event", .event, kind == "format" ? ["convert_case_to": case2] : [:]) { call in
      if kind == "push" { call.pushAfterEvaluate = map }
    }
    if kind == "twoMacros" { sketch.macro("event", "fixed", isNotDefault: true) }
    sketch.dataLayer("x")
    let event = sketch.reference("event")
    let text = kind == "dynamic" ? sketch.reference("x") : sketch.constant("a")
    let flag = sketch.constant(true)
    let predicate = sketch.predicate(.equals, event, text, ignoreCase: kind == "ignoreCase" ? flag : nil)
    let tag = sketch.tag("t")
    sketch.rule(if: kind == "negative" ? [] : [predicate], unless: kind == "negative" ? [predicate] : [], add: [tag])
    let plan = PassBench(sketch).plan
    #expect(Array(plan.tagRules.rules(for: "zzz")) == [0])
  }

  @Test("G6, TM-720: 10,000 rules of other events are skipped, counted and not looked at")
  func manyRules() {
    let bench = sketch(priorities: [0]) { sketch in
      for index in 0..<10_000 {
        let predicate = sketch.isEvent("e\(index)")
        sketch.rule(if: [predicate], add: [0])
      }
    }
    var pass = bench.pass(["event": "nothing"])
    #expect(pass.decide(event: "nothing").fires.isEmpty)
    #expect(pass.answers.ruleOutcomes().isEmpty)
    #expect(bench.plan.tagRules.skipped(besides: bench.plan.tagRules.rules(for: "nothing")) == 10_000)
    #expect(bench.fires(["event": "e77"]) == [0])
  }

  @Test("TM-721: rules that only choose macros are not met by events")
  func macroRules() {
    let bench = sketch(priorities: [0]) { sketch in
      let macro = sketch.macro("n", "x", isNotDefault: true)
      sketch.rule(addMacros: [macro])
    }
    #expect(bench.plan.tagRules.isEmpty)
  }

  @Test("TM-804: a setup cycle is reported at load")
  func setupCycle() {
    var sketch = ContainerSketch()
    sketch.tag("a") { $0.setupTags = [.init(tag: 1)] }
    sketch.tag("b") { $0.teardownTags = [.init(tag: 0)] }
    sketch.tag("c") { $0.setupTags = [.init(tag: 0)] }
    let diagnostics = PassBench(sketch).plan.diagnostics
    #expect(diagnostics.map(\.code) == [.setupCycle])
    #expect(diagnostics.map(\.location) == ["tags[1]"])
  }

  @Test("TM-705: an ill-formed constant pattern is reported at load, once")
  func regexInvalid() {
    let bench = sketch(priorities: [0]) { sketch in
      let event = sketch.reference("event")
      let pattern = sketch.constant("(")
      _ = sketch.predicate(.matchesRegex, event, pattern)
      _ = sketch.predicate(.matchesRegex, event, pattern)
    }
    #expect(bench.plan.diagnostics.map(\.code) == [.regexInvalid])
    #expect(bench.plan.diagnostics.map(\.location) == ["predicates[0].arg1"])
  }
}
