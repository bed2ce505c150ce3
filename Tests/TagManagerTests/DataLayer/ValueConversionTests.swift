import Hits
import Testing

@testable import TagManager

@Suite("Conversions")
struct ValueConversionTests {
  @Test(
    "TM-503: to a whole number: exact, else the double cut toward zero, else none",
    arguments: [
      ("42", 42), ("+42", 42), ("-42", -42), ("007", 7), ("1.9", 1), ("-1.9", -1), ("1e3", 1_000), (".5", 0),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1e400", nil),
      ("", nil), ("x", nil), (" 1", nil), ("0x10", nil), (true, nil), (false, nil), (.null, nil), (1.9, 1),
      (-1.9, -1), (1e19, nil), (7, 7), (["a": 1], nil), ([10], 10),
    ] as [(Value, Int64?)])
  func int64(value: Value, number: Int64?) {
    #expect(value.int64(.standard) == number)
  }

  @Test(
    "TM-503: to a double",
    arguments: [
      ("1.5", 1.5), ("5.", 5), (".5", 0.5), ("1e400", nil), ("1e-400", 0), ("abc", nil), ("", nil), (3, 3), (2.5, 2.5),
      (true, nil), (.null, nil), (.double(.nan), nil),
    ] as [(Value, Double?)])
  func double(value: Value, number: Double?) {
    #expect(value.double(.standard) == number)
  }

  @Test(
    "TM-503: to a boolean: true and false in any case, nothing else",
    arguments: [
      (true, true), (false, false), ("true", true), ("TRUE", true), ("False", false), ("1", nil), (1, nil), (0, nil),
      ("yes", nil), ("", nil), (.null, nil),
    ] as [(Value, Bool?)])
  func bool(value: Value, flag: Bool?) {
    #expect(value.bool(.standard) == flag)
  }

  @Test("TM-502, TM-503: a legacy list is no number, for its text has brackets")
  func legacyList() {
    let list: Value = [10]
    #expect(list.int64(.legacy) == nil)
  }
}

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test(
    "TM-504: what the grammar takes",
    arguments: [
      ("0", .whole(0)), ("-0", .whole(0)), ("+12", .whole(12)), ("1.0", .real(1)), ("5.", .real(5)), (".5", .real(0.5)),
      ("-.5e1", .real(-5)), ("1E3", .real(1_000)), ("1e+3", .real(1_000)), ("1e-3", .real(0.001)),
      ("9223372036854775808", .real(0x1p63)), ("1e400", .real(.infinity)),
    ] as [(String, DecimalNumber)])
  func numbers(text: String, number: DecimalNumber) {
    #expect(DecimalNumber(text) == number)
  }

  @Test(
    "TM-504: what the grammar refuses",
    arguments: [
      "", " ", "+", "-", ".", "+.", "e5", "1e", "1e+", "1.2.3", " 1", "1 ", "0x10", "inf", "Infinity", "nan", "NaN",
      "1_000", "1,000", "--1", "+-1", "10abc", "\u{663}", "1\u{0}", "1.5f",
    ])
  func refused(text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test(
    "TM-701: comparing never rounds",
    arguments: [
      (.whole(9_007_199_254_740_993), .whole(9_007_199_254_740_992)),
      (.whole(9_007_199_254_740_993), .real(9_007_199_254_740_992)),
      (.real(0x1p63), .whole(.max)), (.whole(.min), .real(-0x1.8p63)), (.real(1.5), .whole(1)), (.whole(2), .real(1.5)),
      (.whole(-1), .real(-1.5)), (.real(-1.5), .whole(-2)), (.real(.infinity), .whole(.max)),
      (.whole(.min), .real(-.infinity)),
    ] as [(DecimalNumber, DecimalNumber)])
  func order(greater: DecimalNumber, less: DecimalNumber) {
    #expect(less < greater)
    #expect(!(greater < less))
    #expect(greater != less)
  }

  @Test("TM-701: a whole number equals the double of the same value, and hashes alike")
  func equality() {
    #expect(DecimalNumber.whole(1) == .real(1))
    #expect(DecimalNumber.whole(.min) == .real(-0x1p63))
    #expect(Set([DecimalNumber.whole(1), .real(1)]).count == 1)
  }
}
