import Hits
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test(
    "Values are written compactly, keys in byte order, absent left out",
    arguments: [
      (.null, "null"), (.absent, "null"), (.double(.nan), "null"), (.double(-.infinity), "null"), (.bool(true), "true"),
      (.int(.min), "-9223372036854775808"), (.double(1e21), "1e+21"), (.double(2), "2"),
      (.list([1, .absent, nil, []]), "[1,null,[]]"),
      (.map(["b": 1, "a": .absent, "B": 2, "é": [:]]), #"{"B":2,"b":1,"é":{}}"#),
      (["[", ["{"], ["{": "["]], #"["[",["{"],{"{":"["}]"#),
      (.string("a\"\\/\n\r\t\u{8}\u{C}\u{1}\u{1F}\u{7F}é"), "\"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0001\\u001f\u{7F}é\""),
    ] as [(Value, String)])
  func writes(value: Value, expected: String) {
    #expect(value.jsonText == expected)
  }

  @Test("A value nested a thousand deep is written without recursion")
  func writesDeepValues() {
    let value = (0..<1_000).reduce(Value.int(1)) { inner, _ in .list([inner]) }
    #expect(value.jsonText == String(repeating: "[", count: 1_000) + "1" + String(repeating: "]", count: 1_000))
  }
}

@Suite("Number text")
struct NumberTextTests {
  @Test(
    "TM-502: a double is printed as ECMAScript prints it",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e-6, "0.000001"), (1.5e-6, "0.0000015"),
      (1e-7, "1e-7"), (-1.25e-7, "-1.25e-7"), (123456789.125, "123456789.125"), (1e20, "100000000000000000000"),
      (123_456_789_012_345_683_968, "123456789012345680000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"),
      (9007199254740992, "9007199254740992"), (9007199254740994, "9007199254740994"),
      (-9223372036854775808, "-9223372036854776000"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (0.3 - 0.1, "0.19999999999999998"),
      (1e16, "10000000000000000"), (12_345_678_901_234_568, "12345678901234568"), (0.00001, "0.00001"),
      (1e100, "1e+100"),
      (.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
    ] as [(Double, String)])
  func prints(number: Double, expected: String) {
    #expect(NumberText.text(number) == expected)
  }

  @Test("The text reads back as the same number", arguments: 0..<2_000)
  func readsBack(seed: Int) {
    let number = Double(bitPattern: SeededRandomSource(seed: UInt64(seed)).next())
    guard number.isFinite else { return }
    #expect(Double(NumberText.text(number)) == number)
  }
}
