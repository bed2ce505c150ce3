import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Predicate functions")
struct PredicateFunctionTests {
  private static let ids = ["_eq", "_cn", "_sw", "_ew", "_re", "_lt", "_le", "_gt", "_ge"]
  private let regexes = RegexCache(clock: ManualClock())

  private func result(
    _ id: String, _ arg0: Evaluated, _ arg1: Evaluated, ignoresCase: Bool = false, isConstant: Bool = true,
    _ semantics: CompiledContainer.Semantics = .standard
  ) throws -> PredicateResult {
    let name = try #require(FunctionKind.predicate.table.name(ofID: id))
    return try #require(PredicateFunction(name)).result(
      arg0, arg1, ignoresCase: ignoresCase, isConstant: isConstant, semantics: semantics, regexes: regexes)
  }

  private func isTrue(_ id: String, _ arg0: Value, _ arg1: Value, ignoresCase: Bool = false) throws -> Bool {
    try result(id, .value(arg0), .value(arg1), ignoresCase: ignoresCase).verdict == .isTrue
  }

  @Test(
    "TM-702: the truth table",
    arguments: [
      ("", "", ["_eq", "_cn", "_sw", "_ew", "_re"]),
      ("", "a", []),
      ("a", "", ["_cn", "_sw", "_ew", "_re"]),
      ("10", "9", ["_gt", "_ge"]),
      ("abc", "9", []),
      ("1.0", "1", ["_cn", "_sw", "_re", "_le", "_ge"]),
    ])
  func truthTable(left: String, right: String, trueIDs: [String]) throws {
    for id in Self.ids {
      #expect(try isTrue(id, .string(left), .string(right)) == trueIDs.contains(id), "\(id)")
    }
  }

  @Test("TM-702, E1: nothing is true of a missing argument, and the trace names it", arguments: ids)
  func missing(id: String) throws {
    let missing = Evaluated.missing(.noCandidate)
    for value in ["", "x", "1"] as [Value] {
      #expect(try result(id, missing, .value(value)) == .missing("arg0"))
      #expect(try result(id, .value(value), missing) == .missing("arg1"))
      #expect(try result(id, .value(.absent), .value(value)) == .missing("arg0"))
    }
    #expect(try result(id, missing, missing).verdict == .isFalse)
  }

  @Test("TM-703: a failed argument fails the predicate, whatever the other is", arguments: ids)
  func failed(id: String) throws {
    for other in [.value("x"), .missing(.noValue)] as [Evaluated] {
      #expect(try result(id, .failed(.cycle), other) == .failed(.cycle))
      #expect(try result(id, other, .failed(.handler)) == .failed(.handler))
    }
  }

  @Test(
    "TM-706: in standard semantics null is the text `null` and the number 0",
    arguments: [
      ("_eq", "null", true), ("_eq", "", false), ("_cn", "ul", true), ("_re", "^n", true), ("_lt", "1", true),
      ("_ge", "0", true), ("_gt", "0", false),
    ] as [(String, Value, Bool)])
  func null(id: String, right: Value, isTrue: Bool) throws {
    #expect(try self.isTrue(id, nil, right) == isTrue)
  }

  @Test("TM-502: in legacy semantics null is the empty text and no number")
  func legacyNull() throws {
    #expect(try result("_eq", .value(.null), .value(""), .legacy) == .compared(true))
    #expect(try result("_ge", .value(.null), .value(0), .legacy) == .compared(false))
  }

  @Test("TM-706: missing equals the constant `undefined`, in standard semantics and nowhere else")
  func undefined() throws {
    let missing = Evaluated.missing(.noValue)
    #expect(try result("_eq", missing, .value("undefined")) == .compared(true))
    #expect(try result("_eq", missing, .value("undefined"), isConstant: false) == .missing("arg0"))
    #expect(try result("_eq", missing, .value("undefined"), .legacy) == .missing("arg0"))
    #expect(try result("_cn", missing, .value("undefined")) == .missing("arg0"))
    #expect(try result("_eq", .value("undefined"), .value("undefined")) == .compared(true))
  }

  @Test(
    "TM-701: text is compared by scalars",
    arguments: [
      ("_eq", "é", "e\u{301}", false), ("_cn", "caf\u{65}\u{301}", "cafe", true), ("_sw", "e\u{301}", "e", true),
      ("_ew", "e\u{301}", "\u{301}", true), ("_eq", "a", "A", false), ("_cn", "🇩🇪🇫🇷", "🇪🇫", true),
      ("_ew", "abc", "abcd", false), ("_sw", "abc", "abcd", false), ("_eq", "ab", "abc", false),
    ] as [(String, Value, Value, Bool)])
  func scalars(id: String, left: Value, right: Value, isTrue: Bool) throws {
    #expect(try self.isTrue(id, left, right) == isTrue)
  }

  @Test(
    "TM-701: ignore_case maps each scalar to lower case, in every text predicate",
    arguments: [
      ("_eq", "AbC", "aBc", true), ("_eq", "É", "é", true), ("_cn", "xÀBy", "àb", true), ("_sw", "ΑΒ", "αβ", true),
      ("_ew", "xYZ", "yz", true), ("_re", "ABC", "^a.c$", true), ("_eq", "ß", "SS", false),
      ("_eq", "İ", "i\u{307}", true),
      ("_re", "ABC", "b", true),
    ] as [(String, Value, Value, Bool)])
  func ignoresCase(id: String, left: Value, right: Value, isTrue: Bool) throws {
    #expect(try self.isTrue(id, left, right, ignoresCase: true) == isTrue)
    if isTrue { #expect(try !self.isTrue(id, left, right)) }
  }

  @Test(
    "TM-701: numbers compare as numbers, whole ones exactly, mixed ones without loss",
    arguments: [
      ("_gt", "9007199254740993", "9007199254740992", true),
      ("_gt", 9_007_199_254_740_993, 9_007_199_254_740_992.0, true),
      ("_lt", "-1", "-0.5", true), ("_le", "1e3", 1_000, true), ("_ge", "1e3", 1_000, true), ("_lt", " 1", "2", false),
      ("_lt", "1", "0x10", false), ("_lt", true, "2", false), ("_ge", [10], "10", true), ("_lt", "1e400", "1", false),
      ("_gt", "1e400", "9223372036854775807", true), ("_gt", "10", "9", true),
    ] as [(String, Value, Value, Bool)])
  func numbers(id: String, left: Value, right: Value, isTrue: Bool) throws {
    #expect(try self.isTrue(id, left, right) == isTrue)
  }

  @Test("TM-701: ids that are known but not implemented have no function", arguments: ["_css", "_um", "_nope"])
  func notImplemented(id: String) {
    let name = FunctionKind.predicate.table.name(ofID: id) ?? FunctionName(rawValue: id)
    #expect(PredicateFunction(name) == nil)
    #expect(PredicateResult.unknownFunction.verdict == .isFalse)
    #expect(PredicateResult.unknownFunction.reason == .failed(.unknownFunction))
  }

  @Test("TM-705: an ill-formed pattern is false in standard semantics, failed in legacy, and told in both")
  func illFormedPattern() throws {
    let standard = try result("_re", .value("a"), .value("("))
    #expect(standard.verdict == .isFalse)
    #expect(standard.reason == .failed(.regex))
    #expect(standard.diagnostic?.rawValue == "regexInvalid")
    let legacy = try result("_re", .value("a"), .value("("), .legacy)
    #expect(legacy.verdict == .failed)
    #expect(legacy.diagnostic?.rawValue == "regexInvalid")
  }

  @Test("TM-705: an over-long pattern or subject is failed(limit) in both semantics", arguments: [true, false])
  func limits(isStandard: Bool) throws {
    let semantics: CompiledContainer.Semantics = isStandard ? .standard : .legacy
    func value(_ count: Int) -> Evaluated { .value(.string(String(repeating: "é", count: count))) }
    #expect(try result("_re", value(65_536), value(4_096), semantics) == .compared(true))
    #expect(try result("_re", value(65_537), .value("x"), semantics) == .failed(.limit))
    #expect(try result("_re", .value("x"), value(4_097), semantics) == .failed(.limit))
  }

  @Test("TM-704, TM-1412, E8: a hostile pattern is stopped, the predicate failed(regex), the next one evaluated")
  func hostilePattern() throws {
    let regexes = RegexCache(clock: SystemHitClock())
    let subject = Evaluated.value(.string(String(repeating: "a", count: 34) + "b"))
    let result = PredicateFunction.matchesRegex.result(
      subject, .value("(a+)+$"), semantics: .standard, regexes: regexes)
    #expect(result.verdict == .failed)
    #expect(result.reason == .failed(.regex))
    #expect(result.diagnostic?.rawValue == "regexTimeout")
    let next = PredicateFunction.matchesRegex.result(subject, .value("a+b$"), semantics: .standard, regexes: regexes)
    #expect(next == .compared(true))
  }
}
