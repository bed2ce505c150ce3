import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Explaining a tag")
struct ExplanationTests {
  private var sketch: ContainerSketch {
    var sketch = ContainerSketch()
    sketch.macro("event", .event)
    sketch.dataLayer("screenName")
    let screen = sketch.reference("screenName")
    let confirmation = sketch.constant("ConfirmationScreen")
    let debug = sketch.constant("Debug")
    let isConfirmation = sketch.predicate(.equals, screen, confirmation)
    let isDebug = sketch.predicate(.equals, screen, debug)
    let isOpen = sketch.isEvent("openScreen")
    let tag = sketch.tag("Conversion")
    sketch.rule(if: [isOpen, isConfirmation], add: [tag], name: "Confirmation")
    sketch.rule(if: [isDebug], block: [tag], name: "No debugging")
    sketch.rule(if: [isOpen], add: [sketch.tag("Other")], name: "Unrelated")
    return sketch
  }

  @Test("G5, TM-1112: for a tag that does not fire, the rule and the deciding predicate with its arguments")
  func notFired() throws {
    let bench = try RuntimeBench(sketch)
    bench.dataLayer.push(["screenName": "Home"])
    let explanation = bench.container.explain(tag: "Conversion", event: ["event": "openScreen"])
    #expect(explanation.isKnown)
    #expect(!explanation.fires)
    #expect(explanation.rules.map(\.rule.name) == ["Confirmation", "No debugging"])
    #expect(explanation.rules.map(\.effect) == [.adds, .removes])
    #expect(explanation.rules[0].rule.predicates.map(\.result) == [true, false])
    #expect(explanation.rules[0].decidedBy?.arguments == ["arg0": "Home", "arg1": "ConfirmationScreen"])
  }

  @Test("TM-1112: the update counts, rules of other events are looked at too, and nothing is done")
  func pure() throws {
    let bench = try RuntimeBench(sketch)
    #expect(
      bench.container.explain(tag: "Conversion", event: ["event": "openScreen", "screenName": "ConfirmationScreen"])
        .fires)
    let other = bench.container.explain(tag: "Conversion", event: ["event": "other"])
    #expect(other.rules[0].decidedBy?.arguments == ["arg0": "other", "arg1": "openScreen"])
    #expect(bench.dataLayer.snapshot.isEmpty)
    #expect(bench.recorder.calls.isEmpty)
  }

  @Test("TM-1112: a block that passes keeps the tag from firing")
  func blocked() throws {
    var sketch = sketch
    sketch.rule(add: [0], name: "Always")
    let bench = try RuntimeBench(sketch)
    let explanation = bench.container.explain(tag: "Conversion", event: ["event": "e", "screenName": "Debug"])
    #expect(!explanation.fires)
    #expect(explanation.rules.map(\.rule.passed) == [false, true, true])
    #expect(explanation.rules[1].decidedBy == nil)
  }

  @Test("TM-1112: an update without event fires nothing; an unknown tag is said to be unknown")
  func edges() throws {
    let bench = try RuntimeBench(sketch)
    #expect(!bench.container.explain(tag: "Other", event: ["x": 1]).fires)
    #expect(bench.container.explain(tag: "Nobody", event: ["event": "e"]).isKnown == false)
  }
}
