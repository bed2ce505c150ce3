import Hits
import Testing

@testable import TagManager

@Suite("Rules")
struct RuleVerdictTests {
  /// Predicates that are true, false or failed for every event.
  private struct Kit {
    var sketch: ContainerSketch
    let yes: Int
    let no: Int
    let failed: Int
    let tag: Int

    init(_ semantics: CompiledContainer.Semantics) {
      sketch = ContainerSketch(semantics)
      sketch.macro("event", .event)
      sketch.macro("failing", FunctionName(rawValue: "_nothing"))
      let one = sketch.constant("1")
      let two = sketch.constant("2")
      let failing = sketch.reference("failing")
      yes = sketch.predicate(.equals, one, one)
      no = sketch.predicate(.equals, one, two)
      failed = sketch.predicate(.equals, failing, one)
      tag = sketch.tag("t")
    }

    func verdict(if positive: [Int], unless negative: [Int] = []) -> (Verdict, [Int]) {
      var kit = self
      kit.sketch.rule(if: positive, unless: negative, add: [tag])
      var pass = PassBench(kit.sketch).pass(["event": "e"])
      let verdict = pass.verdict(ofRule: 0)
      return (verdict, pass.answers.ruleOutcomes().first?.predicates.map(\.index) ?? [])
    }
  }

  @Test("TM-700: a rule without predicates always passes", arguments: [CompiledContainer.Semantics.legacy, .standard])
  func empty(semantics: CompiledContainer.Semantics) {
    #expect(Kit(semantics).verdict(if: []).0 == .passes)
  }

  @Test("TM-700: legacy looks at negatives first, standard at positives, and the first that decides ends it")
  func order() {
    let legacy = Kit(.legacy)
    #expect(legacy.verdict(if: [legacy.yes], unless: [legacy.no]) == (.passes, [legacy.no, legacy.yes]))
    #expect(legacy.verdict(if: [legacy.failed], unless: [legacy.yes]) == (.fails, [legacy.yes]))
    #expect(legacy.verdict(if: [legacy.no, legacy.yes], unless: []) == (.fails, [legacy.no]))
    let standard = Kit(.standard)
    #expect(standard.verdict(if: [standard.yes], unless: [standard.no]) == (.passes, [standard.yes, standard.no]))
    #expect(standard.verdict(if: [standard.no], unless: [standard.failed]) == (.fails, [standard.no]))
    #expect(standard.verdict(if: [standard.yes], unless: [standard.yes]) == (.fails, [standard.yes, standard.yes]))
  }

  @Test("TM-703: a failed predicate counts as false in legacy, positive or negative")
  func failedLegacy() {
    let kit = Kit(.legacy)
    #expect(kit.verdict(if: [kit.failed]).0 == .fails)
    #expect(kit.verdict(if: [kit.yes], unless: [kit.failed]).0 == .passes)
  }

  @Test("TM-703: a predicate that fails in standard leaves the rule undecided, a failure not reached has no effect")
  func failedStandard() {
    let kit = Kit(.standard)
    #expect(kit.verdict(if: [kit.failed]).0 == .uncertain)
    #expect(kit.verdict(if: [kit.yes], unless: [kit.failed]).0 == .uncertain)
    #expect(kit.verdict(if: [kit.no, kit.failed]).0 == .fails)
  }

  @Test("TM-703: an undecided rule adds nothing and blocks what it blocks; in legacy it does neither")
  func blocksInDoubt() {
    for (semantics, expected): (CompiledContainer.Semantics, [Int]) in [(.standard, [1]), (.legacy, [0, 1])] {
      var kit = Kit(semantics)
      let other = kit.sketch.tag("other")
      kit.sketch.rule(add: [kit.tag, other])
      kit.sketch.rule(if: [kit.failed], add: [other], block: [kit.tag])
      #expect(PassBench(kit.sketch).fires(["event": "e"]) == expected)
    }
  }

  @Test("TM-703: a predicate that fails before the event's name is compared blocks on every event")
  func blocksInDoubtOnOtherEvents() {
    var kit = Kit(.standard)
    let isE = kit.sketch.isEvent("e")
    kit.sketch.rule(add: [kit.tag])
    kit.sketch.rule(if: [kit.failed, isE], block: [kit.tag])
    #expect(PassBench(kit.sketch).fires(["event": "other"]) == [])
  }

  @Test("TM-703, TM-701: an unknown predicate function is false and no failure, and the trace names the cause")
  func unknownFunction() {
    for semantics in [CompiledContainer.Semantics.legacy, .standard] {
      var kit = Kit(semantics)
      let one = kit.sketch.constant("1")
      let unknown = kit.sketch.predicate(FunctionName(rawValue: "_zz"), one, one)
      kit.sketch.rule(if: [unknown], block: [kit.tag])
      kit.sketch.rule(unless: [unknown], add: [kit.tag])
      let bench = PassBench(kit.sketch)
      #expect(bench.fires(["event": "e"]) == [kit.tag])
      var pass = bench.pass(["event": "e"])
      _ = pass.decide(event: "e")
      #expect(pass.answers.ruleOutcomes()[0].predicates.map(\.reason) == [.failed(.unknownFunction)])
    }
  }

  @Test("E1, TM-702: a missing argument makes every predicate false, so a negated one passes")
  func missing() {
    for (function, text, negated, expected): (FunctionName, Value, Bool, Verdict) in [
      (.equals, "", false, .fails), (.equals, "x", true, .passes), (.contains, "", false, .fails),
    ] {
      var kit = Kit(.legacy)
      kit.sketch.dataLayer("missing")
      let missing = kit.sketch.reference("missing")
      let constant = kit.sketch.constant(text)
      let predicate = kit.sketch.predicate(function, missing, constant)
      #expect((negated ? kit.verdict(if: [], unless: [predicate]) : kit.verdict(if: [predicate])).0 == expected)
    }
  }

  @Test("TM-615: a predicate is asked once per pass, however many rules name it")
  func memo() {
    var sketch = ContainerSketch()
    sketch.macro("random", .random)
    let random = sketch.reference("random")
    let half = sketch.constant(1_000_000)
    let predicate = sketch.predicate(.less, random, half)
    let tag = sketch.tag("t")
    for _ in 0..<20 { sketch.rule(if: [predicate], add: [tag]) }
    var pass = PassBench(sketch).pass(["event": "e"])
    _ = pass.decide(event: "e")
    #expect(Set(pass.answers.ruleOutcomes().map(\.passed)).count == 1)
  }

  @Test("TM-1111: detail full tells arguments, standard does not, off tells nothing")
  func detail() {
    var kit = Kit(.standard)
    kit.sketch.rule(if: [kit.yes], add: [kit.tag])
    let bench = PassBench(kit.sketch)
    func predicates(_ detail: TraceDetail) -> [PredicateOutcome] {
      var pass = bench.pass(["event": "e"], detail: detail)
      _ = pass.decide(event: "e")
      return pass.answers.ruleOutcomes().flatMap(\.predicates)
    }
    #expect(predicates(.full).map(\.arguments) == [["arg0": "1", "arg1": "1"]])
    #expect(predicates(.standard).map(\.arguments) == [nil])
    #expect(predicates(.off).isEmpty)
  }
}

private func == (left: (Verdict, [Int]), right: (Verdict, [Int])) -> Bool { left.0 == right.0 && left.1 == right.1 }
