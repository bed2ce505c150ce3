import Hits
import Testing

@Suite struct AmountTests {
  @Test(
    "HQ-133: an amount is the shortest plain decimal, at most six decimals, half to even",
    arguments: [
      ("15.470", "15.47"), ("3", "3"), ("-0", "0"), ("-0.0000001", "0"), ("0.0000005", "0"), ("0.0000015", "0.000002"),
      ("0.0000025", "0.000002"), ("0.00000251", "0.000003"), ("0.9999995", "1"), ("9.9999999", "10"), ("-1.5", "-1.5"),
      (".5", "0.5"), ("5.", "5"), ("007", "7"), ("+2", "2"), ("1e3", "1000"), ("1E-2", "0.01"),
      ("9223372036854.775807", "9223372036854.775807"), ("-9223372036854.775808", "-9223372036854.775808"),
    ])
  func text(text: String, wire: String) {
    #expect(Amount(text)?.description == wire)
  }

  @Test(
    "HQ-130: what is no amount of 64 bits in millionths is refused",
    arguments: [
      "", " ", "1,5", "abc", "1.2.3", "--1", "1e", "e1", ".", "NaN", "inf", "0x10", " 1", "1 ", "9223372036854.775808",
      "1e99999999999999999999", "1e400", String(repeating: "9", count: 2_000),
    ])
  func refused(text: String) {
    #expect(Amount(text) == nil)
  }

  @Test("HQ-803: literals out of range saturate")
  func saturation() {
    #expect(Amount(floatLiteral: .nan).micros == 0)
    #expect(Amount(floatLiteral: .infinity).micros == .max)
    #expect(Amount(floatLiteral: -1e300).micros == .min)
    #expect(Amount(integerLiteral: .max).micros == .max)
    #expect(Amount(integerLiteral: .min).micros == .min)
    #expect(Amount(floatLiteral: 15.47).description == "15.47")
  }
}
