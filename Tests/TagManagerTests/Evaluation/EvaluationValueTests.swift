import Hits
import Testing

@testable import TagManager

@Suite("Evaluating values")
struct EvaluationValueTests {
  /// A container whose macro `result` is the value that `make` builds; `missing` and `failing` are macros to build on.
  private func evaluate(
    _ semantics: CompiledContainer.Semantics = .standard, _ update: [String: Value] = [:],
    _ make: (inout ContainerSketch) -> ValueIndex
  ) -> Evaluated {
    var sketch = ContainerSketch(semantics)
    sketch.dataLayer("missing")
    sketch.dataLayer("x")
    sketch.macro("failing", FunctionName(rawValue: "_nothing"))
    let value = make(&sketch)
    sketch.macro("result", .constant, ["value": value])
    return PassBench(sketch).evaluated("result", update)
  }

  @Test("E3, TM-612: a missing piece makes a legacy template missing, a standard one shorter")
  func template() {
    func make(_ sketch: inout ContainerSketch) -> ValueIndex {
      let text = sketch.constant("X ")
      let missing = sketch.reference("missing")
      return sketch.template(text, missing)
    }
    #expect(evaluate(.legacy, [:], make) == .missing(.noValue))
    #expect(evaluate(.standard, [:], make) == .value("X "))
  }

  @Test("TM-502, TM-612: a template joins the text forms of its pieces")
  func templateTexts() {
    func make(_ sketch: inout ContainerSketch) -> ValueIndex {
      let number = sketch.constant(1.5)
      let x = sketch.reference("x")
      let flag = sketch.constant(true)
      return sketch.template(number, x, flag)
    }
    #expect(evaluate(.standard, ["x": [1, 2]], make) == .value("1.51,2true"))
    #expect(evaluate(.legacy, ["x": [1, 2]], make) == .value("1.5[1, 2]true"))
  }

  @Test("TM-611: a missing list item or map value is kept as absent")
  func absent() {
    let list = evaluate { sketch in
      let one = sketch.constant(1)
      let missing = sketch.reference("missing")
      return sketch.list(missing, one)
    }
    #expect(list == .value([.absent, 1]))
    let map = evaluate { sketch in
      let key = sketch.constant("k")
      let missing = sketch.reference("missing")
      return sketch.map((key, missing))
    }
    #expect(map == .value(["k": .absent]))
  }

  @Test("TM-610: a failed part fails the whole", arguments: ["list", "map", "template", "escape"])
  func failedPart(form: String) {
    let evaluated = evaluate { sketch in
      let failing = sketch.reference("failing")
      let key = sketch.constant("k")
      return switch form {
      case "list": sketch.list(key, failing)
      case "map": sketch.map((key, failing))
      case "template": sketch.template(key, failing)
      default: sketch.escape(failing, 12)
      }
    }
    #expect(evaluated == .failed(.unknownFunction))
  }

  @Test("TM-641: a name that no macro has fails")
  func unknownMacro() {
    #expect(evaluate { $0.reference("nobody") } == .failed(.unknownMacro))
  }

  @Test("TM-616: code 12 percent-encodes, 15 and 17 change nothing, others neither")
  func escaping() {
    for (codes, expected): ([Int], String) in [
      ([12], "a%20b%2F%7E%C3%A9-_.*"), ([15], "a b/~é-_.*"),
      ([17], "a b/~é-_.*"), ([7], "a b/~é-_.*"), ([12, 12], "a%2520b%252F%257E%25C3%25A9-_.*"),
    ] {
      let evaluated = evaluate(.standard, ["x": "a b/~é-_.*"]) { sketch in
        let x = sketch.reference("x")
        return codes.count == 2 ? sketch.escape(x, codes[0], codes[1]) : sketch.escape(x, codes[0])
      }
      #expect(evaluated == .value(.string(expected)), "\(codes)")
    }
  }

  @Test("TM-616: an unknown code is remarked")
  func unknownEscaping() {
    var sketch = ContainerSketch()
    sketch.dataLayer("x")
    let x = sketch.reference("x")
    let escaped = sketch.escape(x, 7)
    sketch.macro("result", .constant, ["value": escaped])
    let bench = PassBench(sketch)
    var pass = bench.pass(["x": "a"])
    _ = pass.result(ofName: bench.plan.index(ofName: "result") ?? -1)
    #expect(pass.takeRemarks() == [.escaping(7)])
  }

  @Test("TM-614: more than 1 MiB of text fails")
  func textLimit() {
    func make(_ sketch: inout ContainerSketch) -> ValueIndex {
      let x = sketch.reference("x")
      return sketch.template(x, x)
    }
    let half = String(repeating: "a", count: 1 << 19)
    #expect(evaluate(.standard, ["x": .string(half)], make) == .value(.string(half + half)))
    #expect(evaluate(.standard, ["x": .string(half + "a")], make) == .failed(.limit))
  }

  @Test("TM-614: more than 100,000 nodes fail, and a list that names itself twice at each step costs nothing")
  func nodeLimit() {
    let doubled = evaluate(.standard, ["x": 1]) { sketch in
      var value = sketch.reference("x")
      for _ in 0..<40 { value = sketch.list(value, value) }
      return value
    }
    #expect(doubled == .failed(.limit))
    let folded = evaluate { sketch in
      var value = sketch.constant(1)
      for _ in 0..<40 { value = sketch.list(value, value) }
      return value
    }
    #expect(folded == .failed(.limit))
  }

  @Test("TM-613: values nested more than 64 deep fail")
  func depth() {
    func make(_ levels: Int) -> (inout ContainerSketch) -> ValueIndex {
      { sketch in
        var value = sketch.reference("x")
        for _ in 0..<levels { value = sketch.list(value) }
        return value
      }
    }
    #expect(evaluate(.standard, ["x": 1], make(64)) != .failed(.limit))
    #expect(evaluate(.standard, ["x": 1], make(65)) == .failed(.limit))
  }

  @Test("TM-152: a pool whose nodes name themselves is no trap")
  func selfReference() {
    var sketch = ContainerSketch()
    let own = ValueIndex(0)
    let value = sketch.list(own)
    sketch.macro("result", .constant, ["value": value])
    #expect(PassBench(sketch).evaluated("result") == .failed(.limit))
  }
}
