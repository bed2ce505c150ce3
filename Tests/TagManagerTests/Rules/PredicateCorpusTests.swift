import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

/// Single predicates as six versions of the web engine answered them; ours part from them by named decisions only.
@Suite("Predicates beside the web engine's")
struct PredicateCorpusTests {
  private struct Line: Decodable {
    var value: Value
    var function: String
    var ignoresCase: Bool
    var arg1: String
    var result: Bool

    enum CodingKeys: String, CodingKey {
      case value, function, ignoresCase = "ignore_case", arg1, result
    }

    var isMissing: Bool { value == ["$": "undefined"] }
  }

  /// The decisions in which the specification parts from the web engine (TM-707).
  private enum Decision: Hashable {
    /// Nothing is true of a missing argument; there its text is `undefined` (TM-702).
    case missing
    /// Maps have a text of their own; there it is `[object Object]` (TM-502).
    case compound
    /// Only decimal texts are numbers; there also blank, hexadecimal, infinite and boolean ones (TM-504).
    case number
    /// Whole numbers are exact to 64 bits; there to 53 (TM-701).
    case precision
    /// ICU's dialect; there ECMAScript's (TM-704).
    case dialect

    /// The decision that lets this line differ; nil when the results must be equal.
    init?(_ line: Line) {
      let isNumeric = ["_lt", "_le", "_gt", "_ge"].contains(line.function)
      let unlikeNumbers: [Value] = [true, false, "", " 10 ", "\u{a0}10", "0x10", "Infinity", [], [nil]]
      let dialects = [
        "[[:alpha:]]", "\\p{L}", "[^]", "a\\Z", "(?i)A", "\\Aa", "[a-c&&[b]]", "\\e",
      ]
      let asciiClasses = ["^\\d+$", "^\\w+$", "\\d", "\\w", "\\d+", "^-?\\d+(\\.\\d+)?$"]
      if line.isMissing {
        self = .missing
      } else if line.value.map != nil {
        self = .compound
      } else if isNumeric, unlikeNumbers.contains(line.value) || ["", " ", "0x10", "Infinity"].contains(line.arg1) {
        self = .number
      } else if line.value == 9_007_199_254_740_993, line.function != "_re" {
        self = .precision
      } else if line.function == "_re", dialects.contains(line.arg1) {
        self = .dialect
      } else if line.function == "_re", asciiClasses.contains(line.arg1), let text = line.value.string,
        text.unicodeScalars.contains(where: { !$0.isASCII })
      {
        self = .dialect
      } else {
        return nil
      }
    }
  }

  @Test("TM-707: every predicate of the corpus is equal, or differs by a decision of the specification")
  func corpus() throws {
    guard let corpus = Corpus.find(for: "Predicates") else { return }
    let regexes = RegexCache(clock: ManualClock())
    var equal = 0
    var differing: [Decision: Int] = [:]
    for data in try corpus.lines("rules/predicates.jsonl") {
      let line = try JSONDecoder().decode(Line.self, from: data)
      let name = try #require(FunctionKind.predicate.table.name(ofID: line.function))
      let function = try #require(PredicateFunction(name))
      let result = function.result(
        line.isMissing ? .missing(.noValue) : .value(line.value), .value(.string(line.arg1)),
        ignoresCase: line.ignoresCase, isConstant: true, semantics: .standard, regexes: regexes)
      if (result.verdict == .isTrue) == line.result {
        equal += 1
      } else if let decision = Decision(line) {
        differing[decision, default: 0] += 1
      } else {
        Issue.record("\(line): \(result)")
      }
    }
    #expect(differing == [.missing: 14, .compound: 26, .number: 267, .precision: 5, .dialect: 162])
    #expect(equal + differing.values.reduce(0, +) == 11_594)
  }
}
