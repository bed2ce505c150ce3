import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Values of an open container")
struct ContainerValueTests {
  private func bench(
    _ semantics: CompiledContainer.Semantics = .standard, _ make: (inout ContainerSketch) -> Void
  ) throws -> RuntimeBench {
    var sketch = ContainerSketch(semantics)
    make(&sketch)
    return try RuntimeBench(sketch)
  }

  @Test("S2, TM-901, TM-902: values of a key, type defaults and a reason for a key that is not there")
  func seedValues() throws {
    let container = try bench { $0.macro("title_string", "Cute Animals") }.container
    #expect(container.string(for: "title_string") == "Cute Animals")
    #expect(container.string(for: "Non-existent-key") == "")
    #expect(container.int(for: "Non-existent-key") == 0)
    #expect(container.double(for: "Non-existent-key") == 0)
    #expect(container.bool(for: "Non-existent-key") == false)
    #expect(container.value(for: "Non-existent-key").reason == .unknownKey)
    #expect(container.value(for: "title_string").reason == .default)
    #expect(container.value(for: "title_string").value == "Cute Animals")
    #expect(container.value(for: "title_string").version == "1")
    #expect(container.value(for: "title_string").origin == .default)
  }

  @Test(
    "TM-503: getters convert",
    arguments: [
      ("7.9", 7, 7.9, false, "7.9"), ("TRUE", 0, 0, true, "TRUE"), ("text", 0, 0, false, "text"),
      (true, 0, 0, true, "true"), (5, 5, 5, false, "5"), (2.5, 2, 2.5, false, "2.5"), ([1, 2], 0, 0, false, "1,2"),
    ] as [(Value, Int64, Double, Bool, String)])
  func conversions(value: Value, int: Int64, double: Double, bool: Bool, text: String) throws {
    let container = try bench { $0.macro("n", value) }.container
    #expect(container.int(for: "n") == int)
    #expect(container.double(for: "n") == double)
    #expect(container.bool(for: "n") == bool)
    #expect(container.string(for: "n") == text)
  }

  @Test(
    "TM-503, TM-902: a lookup by type tells a failed conversion from a value",
    arguments: [
      ("7.9", "7.9", 7, 7.9, nil), ("TRUE", "TRUE", nil, nil, true), (true, "true", nil, nil, true),
      (5, "5", 5, 5.0, nil), ("1e999", "1e999", nil, nil, nil),
    ] as [(Value, Value?, Value?, Value?, Value?)])
  func typedLookups(value: Value, text: Value?, int: Value?, double: Value?, bool: Value?) throws {
    let container = try bench { $0.macro("n", value) }.container
    for (type, expected) in [(ValueType.string, text), (.int, int), (.double, double), (.bool, bool)] {
      let lookup = container.value(for: "n", as: type)
      #expect(lookup.value == expected, "\(type)")
      #expect(lookup.reason == (expected == nil ? .conversionFailed : .default), "\(type)")
      #expect(lookup.macro == 0)
    }
    #expect(container.value(for: "none", as: .int).reason == .unknownKey)
    container.close()
    #expect(container.value(for: "n", as: .int).reason == .closed)
  }

  @Test(
    "S6: a value collection for Spanish devices, another otherwise", arguments: [("es-ES", "Hola"), ("en-US", "Hello")])
  func language(device: String, expected: String) throws {
    var sketch = ContainerSketch(.legacy)
    sketch.macro("language", .language)
    let collection = sketch.macro("greeting", "Hola", isNotDefault: true)
    sketch.macro("greeting", "Hello")
    let language = sketch.reference("language")
    let spanish = sketch.constant("es")
    let predicate = sketch.predicate(.equals, language, spanish)
    sketch.rule(if: [predicate], addMacros: [collection], name: "Spanish")
    let bench = try RuntimeBench(sketch) { $0.device = FixedDevice(language: device) }
    #expect(bench.container.string(for: "greeting") == expected)
    #expect(bench.container.value(for: "greeting").rule == (expected == "Hola" ? "Spanish" : nil))
  }

  @Test("S7, TM-660: a function-call macro's handler gives the value, on the caller's thread")
  func functionCall() throws {
    let bench = try bench { sketch in
      let name = sketch.constant("myConfiguredFunctionName")
      sketch.macro("price", .functionCall, ["function_call_macro_name": name])
    }
    #expect(bench.container.value(for: "price").reason == .noHandler)
    bench.container.handlers.onMacro("myConfiguredFunctionName") { _ in .string("42 EUR") }
    #expect(bench.container.string(for: "price") == "42 EUR")
    bench.container.handlers.onMacro("myConfiguredFunctionName") { _ in nil }
    #expect(bench.container.value(for: "price").reason == .handlerReturnedNothing)
  }

  @Test("TM-660: one warning per function and reason")
  func handlerWarnings() throws {
    struct Wrong: Error {}
    let bench = try bench { sketch in
      let name = sketch.constant("f")
      sketch.macro("price", .functionCall, ["function_call_macro_name": name])
    }
    for _ in 0..<3 { _ = bench.container.string(for: "price") }
    bench.container.handlers.onMacro("f") { _ in throw Wrong() }
    for _ in 0..<3 { _ = bench.container.string(for: "price") }
    #expect(bench.logger.texts(.warning).count == 2)
  }

  @Test("TM-821: the manager's macro handler answers where the container has none")
  func managerHandler() throws {
    let bench = try bench { sketch in
      let name = sketch.constant("f")
      sketch.macro("price", .functionCall, ["function_call_macro_name": name])
    }
    bench.manager.handlers.onMacro("f") { _ in 1 }
    #expect(bench.container.int(for: "price") == 1)
    bench.container.handlers.onMacro("f") { _ in 2 }
    #expect(bench.container.int(for: "price") == 2)
  }

  @Test("TM-521: getters use the latest state of the data layer")
  func latest() throws {
    let bench = try bench { $0.dataLayer("x") }
    #expect(bench.container.value(for: "x").reason == .missing)
    bench.dataLayer.push(["x": 1])
    #expect(bench.container.int(for: "x") == 1)
  }

  @Test("TM-600: the event macro is missing outside an event")
  func noEvent() throws {
    let bench = try bench { $0.macro("event", .event) }
    bench.dataLayer.push(["event": "e"])
    #expect(bench.container.value(for: "event").reason == .missing)
  }

  @Test("TM-902: a failure is a reason too")
  func failed() throws {
    let bench = try bench { sketch in
      let own = sketch.reference("loop")
      sketch.macro("loop", .constant, ["value": own])
    }
    #expect(bench.container.value(for: "loop").reason == .failed(.cycle))
    #expect(bench.container.string(for: "loop") == "")
  }

  @Test("TM-903: an unknown key is warned about once, with the nearest name")
  func unknownKey() throws {
    let bench = try bench { sketch in
      sketch.macro("title_string", "x")
      sketch.macro("other", "y")
    }
    for _ in 0..<3 { _ = bench.container.string(for: "titel_string") }
    _ = bench.container.string(for: "nothing like it")
    #expect(
      bench.logger.texts(.warning) == [
        "GTM-TEST has no value 'titel_string'. Did you mean 'title_string'?",
        "GTM-TEST has no value 'nothing like it'.",
      ])
  }

  @Test(
    "TM-903: the nearest name within two edits",
    arguments: [
      ("titel", "title"), ("tite", "title"), ("titles", "title"), ("Titl", "title"), ("Tiles", nil), ("xyz", nil),
      ("", nil),
      ("pric", "price"),
    ] as [(String, String?)])
  func nearest(text: String, expected: String?) {
    #expect(EditDistance.nearest(to: text, among: ["title", "price"], within: 2) == expected)
  }

  @Test("TM-904: keys are the names that a getter can answer")
  func keys() throws {
    let container = try bench { sketch in
      for name in ["b", "_event", "a", "b", "_0"] { sketch.macro(name, "x") }
    }.container
    #expect(container.keys == ["a", "b"])
  }

  @Test("TM-904: several values come from one pass")
  func several() throws {
    let bench = try bench { sketch in
      sketch.macro("random", .random)
      let random = sketch.reference("random")
      sketch.macro("alias", .constant, ["value": random])
    }
    let values = bench.container.values(for: ["random", "alias", "nobody"])
    #expect(values["random"]?.value == values["alias"]?.value)
    #expect(values["nobody"]?.reason == .unknownKey)
    #expect(bench.container.int(for: "random") != bench.container.int(for: "random"))
  }

  @Test("TM-650: a getter pushes what its macro wants pushed")
  func pushAfterEvaluate() throws {
    let bench = try bench { sketch in
      let key = sketch.constant("seen")
      let yes = sketch.constant(true)
      let map = sketch.map((key, yes))
      let value = sketch.constant("v")
      sketch.macro("n", .constant, ["value": value]) { $0.pushAfterEvaluate = map }
    }
    #expect(bench.container.string(for: "n") == "v")
    #expect(bench.dataLayer.get("seen") == true)
  }

  @Test("TM-333: a closed container answers with type defaults, reason closed, one error")
  func closed() throws {
    let bench = try bench { $0.macro("n", "v") }
    bench.container.close()
    bench.container.close()
    #expect(bench.container.string(for: "n") == "")
    #expect(bench.container.value(for: "n").reason == .closed)
    #expect(bench.container.values(for: ["n"])["n"]?.value == nil)
    #expect(bench.logger.texts(.error).count == 1)
    #expect(bench.manager.container("GTM-TEST") == nil)
  }

  @Test("TM-902: a lookup as JSON names value, reason, macro, rule, origin and version")
  func json() throws {
    let lookup = Lookup(value: 5, reason: .value, macro: 2, rule: "Always", origin: .default, version: "7")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(lookup), as: UTF8.self)
        == #"{"macro":2,"origin":"default","reason":"value","rule":"Always","value":5,"version":"7"}"#)
  }
}
