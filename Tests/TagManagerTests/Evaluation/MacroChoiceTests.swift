import Hits
import Testing

@testable import TagManager

@Suite("Choosing the macro of a name")
struct MacroChoiceTests {
  /// Three macros named `n`: the first two value collections, the third the default.
  private func sketch(_ rules: (inout ContainerSketch, [Int]) -> Void) -> ContainerSketch {
    var sketch = ContainerSketch(.legacy)
    sketch.macro("event", .event)
    sketch.dataLayer("language")
    let macros = [
      sketch.macro("n", "first", isNotDefault: true), sketch.macro("n", "second", isNotDefault: true),
      sketch.macro("n", "default"),
    ]
    rules(&sketch, macros)
    return sketch
  }

  private func result(_ sketch: ContainerSketch, _ update: [String: Value] = [:]) -> (NameResult, EvaluationPass) {
    let bench = PassBench(sketch)
    var pass = bench.pass(update)
    let result = pass.result(ofName: bench.plan.index(ofName: "n") ?? -1)
    return (result, pass)
  }

  @Test("TM-641: without a candidate the default answers")
  func noCandidate() {
    let (result, _) = result(sketch { _, _ in })
    #expect(result.evaluated == .value("default"))
    #expect(result.isDefault)
    #expect(result.reason == .default)
    #expect(result.chosen == 4)
  }

  @Test("TM-640, TM-643: one candidate, added by a rule without predicates, answers")
  func oneCandidate() {
    let (result, _) = result(sketch { sketch, macros in sketch.rule(addMacros: [macros[0]]) })
    #expect(result.evaluated == .value("first"))
    #expect(!result.isDefault)
    #expect(result.reason == .value)
    #expect(!result.isAmbiguous)
  }

  @Test("TM-640: a candidate that a passing rule removes is none")
  func removed() {
    let (result, _) = result(
      sketch { sketch, macros in
        sketch.rule(addMacros: [macros[0], macros[1]])
        sketch.rule(removeMacros: [macros[1]])
      })
    #expect(result.evaluated == .value("first"))
  }

  @Test("TM-642: a removed default is still the default")
  func removedDefault() {
    let (result, _) = result(sketch { sketch, macros in sketch.rule(removeMacros: [macros[2]]) })
    #expect(result.evaluated == .value("default"))
  }

  @Test("E4, TM-641: of several candidates the last in the file answers, and that is remarked")
  func ambiguous() {
    var (result, pass) = result(
      sketch { sketch, macros in
        sketch.rule(addMacros: [macros[1]])
        sketch.rule(addMacros: [macros[0]])
      })
    #expect(result.evaluated == .value("second"))
    #expect(result.isAmbiguous)
    #expect(pass.takeRemarks() == [.ambiguous("n")])
    #expect(pass.answers.macroOutcomes().map(\.ambiguous) == [true])
  }

  @Test("S6, TM-640: rules choose by a predicate", arguments: [("es", "first"), ("en", "default")])
  func byPredicate(language: String, expected: String) {
    let (result, _) = result(
      sketch { sketch, macros in
        let language = sketch.reference("language")
        let spanish = sketch.constant("es")
        let predicate = sketch.predicate(.equals, language, spanish)
        sketch.rule(if: [predicate], addMacros: [macros[0]])
      }, ["language": .string(language)])
    #expect(result.evaluated == .value(.string(expected)))
  }

  @Test("TM-641: neither candidate nor default is missing, and says so")
  func nothing() {
    var sketch = ContainerSketch()
    sketch.macro("n", "collection", isNotDefault: true)
    let (result, _) = result(sketch)
    #expect(result.evaluated == .missing(.noCandidate))
    #expect(result.reason == .noCandidate)
    #expect(result.chosen == nil)
  }

  @Test("TM-641: of several defaults of one name the last in the file answers")
  func duplicateDefault() {
    var sketch = ContainerSketch()
    sketch.macro("n", "one")
    sketch.macro("n", "two")
    #expect(PassBench(sketch).evaluated("n") == .value("two"))
  }

  @Test("TM-640, TM-721: only the rules of a name are evaluated for it")
  func onlyItsRules() {
    let (_, pass) = result(
      sketch { sketch, macros in
        let other = sketch.macro("other", "x", isNotDefault: true)
        let tag = sketch.tag("t")
        sketch.rule(addMacros: [other])
        sketch.rule(add: [tag])
        sketch.rule(addMacros: [macros[0]])
      })
    #expect(pass.answers.ruleOutcomes().map(\.index) == [2])
  }

  @Test("E5: of three macros for runtime versions, the one for new runtimes answers")
  func runtimeVersions() {
    var sketch = ContainerSketch(.legacy)
    sketch.macro("runtime", .runtimeVersion)
    let macros = ["old", "middle", "new"].map { sketch.macro("n", .string($0), isNotDefault: true) }
    let runtime = sketch.reference("runtime")
    for (index, (low, high)) in [("0", "30200000"), ("30200000", "50000000"), ("50000000", "999999999")].enumerated() {
      let lowIndex = sketch.constant(.string(low))
      let highIndex = sketch.constant(.string(high))
      let above = sketch.predicate(.greaterOrEqual, runtime, lowIndex)
      let below = sketch.predicate(.less, runtime, highIndex)
      sketch.rule(if: [above, below], addMacros: [macros[index]])
    }
    #expect(PassBench(sketch).evaluated("n") == .value("new"))
  }
}
