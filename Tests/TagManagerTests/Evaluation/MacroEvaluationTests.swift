import Hits
import Synchronization
import Testing

@testable import TagManager

@Suite("Evaluating macros")
struct MacroEvaluationTests {
  /// Macros that refer to one another by name: `a` to the names of `references["a"]`, joined.
  private func sketch(_ references: [(String, [String])]) -> ContainerSketch {
    var sketch = ContainerSketch()
    for (name, others) in references {
      let pieces = others.map { sketch.reference($0) }
      let text = sketch.constant(.string(name))
      let value = pieces.reduce(text) { sketch.template($0, $1) }
      sketch.macro(name, .constant, ["value": value])
    }
    return sketch
  }

  @Test(
    "TM-613: every macro on a cycle fails by it, and so does who asks from outside", arguments: ["a", "b", "c", "out"])
  func cycle(first: String) {
    let bench = PassBench(sketch([("out", ["a"]), ("a", ["b"]), ("b", ["c"]), ("c", ["a"]), ("fine", [])]))
    var pass = bench.pass()
    for name in [first, "out", "a", "b", "c"] {
      #expect(pass.result(ofName: bench.plan.index(ofName: name) ?? -1).evaluated == .failed(.cycle))
    }
    #expect(pass.result(ofName: bench.plan.index(ofName: "fine") ?? -1).evaluated == .value("fine"))
  }

  @Test("TM-613: a macro that a cycle's member asks besides is not on the cycle", arguments: ["a", "b", "side"])
  func besideCycle(first: String) {
    // a is chosen by a rule that asks a itself, then a rule that asks side.
    var sketch = ContainerSketch()
    sketch.macro("side", "s")
    let candidate = sketch.macro("a", "candidate", isNotDefault: true)
    sketch.macro("a", "default")
    let own = sketch.reference("a")
    let side = sketch.reference("side")
    sketch.macro("b", .constant, ["value": own])
    let text = sketch.constant("s")
    let asksItself = sketch.predicate(.equals, own, text)
    let asksSide = sketch.predicate(.equals, side, text)
    sketch.rule(if: [asksItself], addMacros: [candidate])
    sketch.rule(if: [asksSide], addMacros: [candidate])
    let bench = PassBench(sketch)
    var pass = bench.pass()
    _ = pass.result(ofName: bench.plan.index(ofName: first) ?? -1)
    #expect(pass.result(ofName: bench.plan.index(ofName: "a") ?? -1).evaluated == .failed(.cycle))
    #expect(pass.result(ofName: bench.plan.index(ofName: "b") ?? -1).evaluated == .failed(.cycle))
    #expect(pass.result(ofName: bench.plan.index(ofName: "side") ?? -1).evaluated == .value("s"))
  }

  @Test("TM-613: macros nest 64 deep and no deeper")
  func depth() {
    func chain(_ count: Int) -> ContainerSketch {
      var sketch = ContainerSketch()
      sketch.dataLayer("m0")
      for level in 1..<count {
        let below = sketch.reference("m\(level - 1)")
        sketch.macro("m\(level)", .constant, ["value": below])
      }
      return sketch
    }
    #expect(PassBench(chain(64)).evaluated("m63", ["m0": 1]) == .value(1))
    #expect(PassBench(chain(65)).evaluated("m64", ["m0": 1]) == .failed(.limit))
  }

  @Test("E9, TM-615: one pass gives a macro one value, another pass another")
  func memo() {
    var sketch = ContainerSketch()
    sketch.macro("random", .random)
    let bench = PassBench(sketch)
    var pass = bench.pass()
    let first = pass.result(ofName: 0).evaluated
    #expect(pass.result(ofName: 0).evaluated == first)
    var other = bench.pass()
    #expect(other.result(ofName: 0).evaluated != first)
  }

  @Test(
    "TM-645: results are replaced by what the macro's format says, after its default",
    arguments: [
      (nil, "U"), (.null, "N"), (true, "T"), (false, "F"), ("aBcÉß", "ABCÉSS"), (5, 5), ([1], [1]),
    ] as [(Value?, Value)])
  func formats(value: Value?, expected: Value) {
    var sketch = ContainerSketch()
    let parameters: [String: Value] = [
      "name": "x", "convert_case_to": 2, "convert_null_to": "N", "convert_undefined_to": "U", "convert_true_to": "T",
      "convert_false_to": "F",
    ]
    var indexes: [String: ValueIndex] = [:]
    for (key, value) in parameters { indexes[key] = sketch.constant(value) }
    sketch.macro("formatted", .dataLayer, indexes)
    #expect(PassBench(sketch).evaluated("formatted", value.map { ["x": $0] } ?? [:]) == .value(expected))
  }

  @Test("TM-645: case 1 is lower case, and other case codes change nothing", arguments: [(1, "abc"), (3, "aBc")])
  func cases(code: Int64, expected: String) {
    var sketch = ContainerSketch()
    let name = sketch.constant("x")
    let code = sketch.constant(.int(code))
    sketch.macro("formatted", .dataLayer, ["name": name, "convert_case_to": code])
    #expect(PassBench(sketch).evaluated("formatted", ["x": "aBc"]) == .value(.string(expected)))
  }

  @Test("TM-650: a macro's maps are pushed once per pass, after it gave its value")
  func pushAfterEvaluate() {
    var sketch = ContainerSketch()
    let key = sketch.constant("pushed")
    let value = sketch.constant(1)
    let map = sketch.map((key, value))
    let list = sketch.list(map, map)
    let name = sketch.constant("x")
    sketch.macro("one", .dataLayer, ["name": name]) { $0.pushAfterEvaluate = map }
    sketch.macro("two", .dataLayer, ["name": name]) { $0.pushAfterEvaluate = list }
    let bench = PassBench(sketch)
    var pass = bench.pass(["x": 1])
    _ = pass.result(ofName: 0)
    _ = pass.result(ofName: 0)
    #expect(pass.takePushes() == [["pushed": 1]])
    _ = pass.result(ofName: 1)
    #expect(pass.takePushes() == [["pushed": 1], ["pushed": 1]])
    #expect(pass.takePushes().isEmpty)
    var without = bench.pass()
    _ = without.result(ofName: 0)
    #expect(without.takePushes().isEmpty, "a macro without a value pushes nothing")
  }

  @Test("TM-617: a static macro is evaluated once per generation; the trace tells, and its pushes go on")
  func staticCache() {
    var sketch = ContainerSketch()
    let text = sketch.constant("Ab")
    let key = sketch.constant("k")
    let push = sketch.map((key, text))
    sketch.macro("lower", .lowercase, ["arg0": text]) { $0.pushAfterEvaluate = push }
    let lower = sketch.reference("lower")
    sketch.macro("upper", .uppercase, ["arg0": lower])
    sketch.dataLayer("x")
    let x = sketch.reference("x")
    sketch.macro("dynamic", .lowercase, ["arg0": x])
    let bench = PassBench(sketch)
    for expected in [false, true] {
      var pass = bench.pass(["x": "Q"], cached: true)
      for name in ["upper", "lower", "dynamic"] { _ = pass.result(ofName: bench.plan.index(ofName: name) ?? -1) }
      let outcomes = pass.answers.macroOutcomes()
      #expect(outcomes.first { $0.name == "upper" }?.value == "AB")
      #expect(outcomes.first { $0.name == "upper" }?.cached == expected)
      #expect(outcomes.first { $0.name == "lower" }?.cached == expected)
      #expect(outcomes.first { $0.name == "dynamic" }?.cached == false)
      #expect(pass.takePushes() == [["k": "Ab"]])
    }
  }

  @Test("TM-617: a rule that looks at data keeps a name from being cached")
  func dynamicRule() {
    var sketch = ContainerSketch()
    sketch.dataLayer("x")
    let x = sketch.reference("x")
    let one = sketch.constant(1)
    let text = sketch.constant("a")
    let candidate = sketch.macro("n", .uppercase, ["arg0": text]) { $0.isNotDefault = true }
    sketch.macro("n", "default")
    let predicate = sketch.predicate(.equals, x, one)
    sketch.rule(if: [predicate], addMacros: [candidate])
    let bench = PassBench(sketch)
    let name = bench.plan.index(ofName: "n") ?? -1
    for (update, expected): ([String: Value], Value) in [(["x": 1], "A"), (["x": 2], "default"), (["x": 1], "A")] {
      var pass = bench.pass(update, cached: true)
      #expect(pass.result(ofName: name).evaluated == .value(expected))
    }
  }

  @Test("TM-617: the budget lets go of what was used least recently")
  func cacheBudget() {
    let cache = StaticCache(budget: 3 * 1_096)
    func result(_ letter: String) -> NameResult {
      let value = Value.string(String(repeating: letter, count: 1_000))
      return NameResult(evaluated: .value(value), size: value.size)
    }
    for (name, letter) in ["a", "b", "c"].enumerated() { cache.keep(result(letter), ofName: name, height: 1) }
    _ = cache.result(ofName: 0, atDepth: 0)
    cache.keep(result("d"), ofName: 3, height: 1)
    #expect((0..<4).map { cache.result(ofName: $0, atDepth: 0) != nil } == [true, false, true, true])
  }

  @Test("TM-613, TM-617: a cached macro is too deep where evaluating it would be")
  func cacheDepth() {
    let cache = StaticCache()
    cache.keep(NameResult(evaluated: .value(1)), ofName: 0, height: 10)
    #expect(cache.result(ofName: 0, atDepth: 54) != nil)
    #expect(cache.result(ofName: 0, atDepth: 55) == nil)
  }
}
