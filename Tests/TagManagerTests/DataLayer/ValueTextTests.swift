import Hits
import Testing

@testable import TagManager

@Suite("Text forms")
struct ValueTextTests {
  // ECMAScript's String(x) of the same numbers.
  @Test(
    "TM-502: a double is printed as ECMAScript prints it",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.0, "-1"), (1.5, "1.5"), (0.1, "0.1"), (1e-6, "0.000001"),
      (1.5e-6, "0.0000015"), (9.99e-7, "9.99e-7"), (1e-7, "1e-7"), (-1e-7, "-1e-7"), (1.25e-9, "1.25e-9"),
      (123_456_789_012_345_683_968, "123456789012345680000"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
      (1.5e21, "1.5e+21"), (-1.5e300, "-1.5e+300"), (9_007_199_254_740_992, "9007199254740992"),
      (1e15, "1000000000000000"), (999_999_999_999_999.9, "999999999999999.9"), (0.1 + 0.2, "0.30000000000000004"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"), (100.25, "100.25"),
      (.nan, "NaN"), (-.infinity, "-Infinity"),
    ])
  func double(number: Double, text: String) {
    #expect(Value.double(number).text(.standard) == text)
    #expect(Value.double(number).text(.legacy) == text)
  }

  @Test("TM-502: the printed double reads back as the same number")
  func roundTrip() {
    let random = SeededRandomSource(seed: 7)
    var count = 0
    while count < 10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      count += 1
      #expect(Double(NumberText.text(number)) == number)
    }
  }

  @Test(
    "TM-502: the text form of each type",
    arguments: [
      ("text", "text", "text"), (42, "42", "42"), (-7, "-7", "-7"), (true, "true", "true"), (false, "false", "false"),
      (.null, "", ""), (.absent, "", ""), ([], "[]", ""), (["a", "b"], "[a, b]", "a,b"),
      ([1, [2, [3]], nil, 4], "[1, [2, [3]], , 4]", "1,2,3,,4"), ([.absent, "x"], "[x]", ",x"),
      ([:], "{}", "{}"), (["b": 2, "a": "x", "A": nil], "{A=, a=x, b=2}", "{A=, a=x, b=2}"),
      (["a": .absent, "b": 1], "{b=1}", "{b=1}"), ([["k": [1, 2]]], "[{k=[1, 2]}]", "{k=1,2}"),
      (["é": 1, "z": 2], "{z=2, é=1}", "{z=2, é=1}"),
    ] as [(Value, String, String)])
  func text(value: Value, legacy: String, standard: String) {
    #expect(value.text(.legacy) == legacy)
    #expect(value.text(.standard) == standard)
  }

  @Test("TM-160: a value nested deeper than any bound has a text all the same")
  func deep() {
    let value = (0..<1_000).reduce(Value.int(1)) { value, _ in .list([value]) }
    #expect(value.text(.standard) == "")
  }
}
