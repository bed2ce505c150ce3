import Foundation
import Hits
import TestSupport
import Testing

/// The reader and the writer against Foundation's JSON.
@Suite("JSON against Foundation")
struct JSONOracleTests {
  @Test("Every JSON file of the corpus reads as Foundation reads it")
  func readsCorpus() throws {
    guard let corpus = Corpus.find(for: "JSON against Foundation") else { return }
    var texts = 0
    let files = try FileManager.default.subpathsOfDirectory(atPath: corpus.root.path).filter { $0.hasSuffix(".json") }
    for file in files {
      try expectEqual(Array(try corpus.data(file)), "file \(file)")
      texts += 1
    }
    for file in ["clean", "wild", "hand", "predicates"] {
      for line in try corpus.lines("rules/\(file).jsonl").prefix(500) {
        // Foundation refuses halves of surrogate pairs.
        if String(decoding: line, as: UTF8.self).contains("\\ud") { continue }
        try expectEqual(Array(line), "a line of \(file)")
        texts += 1
      }
    }
    #expect(texts > 1_500)
  }

  @Test(
    "Generated values survive our writer and our reader, and Foundation reads the same from our text",
    arguments: 0..<200)
  func roundTrips(seed: Int) throws {
    var generator = ValueGenerator(seed: UInt64(seed))
    let value = generator.value(depth: 5)
    #expect(try Value(json: value.jsonBytes) == value)
    try expectEqual(value.jsonBytes, "seed \(seed)")
  }

  private func expectEqual(_ bytes: [UInt8], _ place: String) throws {
    let ours = try Value(json: bytes)
    let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    let isEqual = Self.isEqual(ours, theirs)
    #expect(isEqual, "\(place)")
  }

  private static func isEqual(_ ours: Value, _ theirs: Any) -> Bool {
    switch (ours, theirs) {
    case (.null, is NSNull): true
    case (.string(let text), let other as String): text == other
    case (.bool(let flag), let other as Bool): flag == other
    case (.int(let number), let other as NSNumber):
      Double(number) == other.doubleValue && !(theirs is Bool && abs(number) > 1)
    // Foundation here goes through a decimal number of 38 digits and may miss the nearest double.
    case (.double(let number), let other as NSNumber): abs(number - other.doubleValue) <= abs(number) * 1e-14
    case (.list(let items), let others as [Any]):
      items.count == others.count && zip(items, others).allSatisfy(isEqual)
    case (.map(let entries), let others as [String: Any]):
      entries.count == others.count
        && entries.allSatisfy { key, value in others[key].map { isEqual(value, $0) } ?? false }
    default: false
    }
  }
}

/// Random values in the form that the reader gives: whole numbers as integers, nothing absent.
private struct ValueGenerator {
  private let random: SeededRandomSource

  init(seed: UInt64) { random = SeededRandomSource(seed: seed) }

  mutating func value(depth: Int) -> Value {
    switch random.integer(in: 0...(depth > 0 ? 8 : 5)) {
    case 0: return .null
    case 1: return .bool(random.next() & 1 == 0)
    case 2: return .int(Int64(bitPattern: random.next()) >> random.integer(in: 0...63))
    case 3:
      let number = Double(bitPattern: random.next())
      return number.isFinite && Int64(exactly: number) == nil ? .double(number) : .double(0.5)
    case 4, 5: return .string(text())
    case 6: return .list((0..<random.integer(in: 0...6)).map { _ in value(depth: depth - 1) })
    default:
      let count = random.integer(in: 0...6)
      return .map(Dictionary((0..<count).map { _ in (text(), value(depth: depth - 1)) }, uniquingKeysWith: { $1 }))
    }
  }

  private func text() -> String {
    let scalars = Array("aZ0\"\\/\u{0}\u{7}\u{8}\u{1F}\n\t\u{7F}é€😀\u{2028}\u{FFFF} ".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<random.integer(in: 0...20) {
      text.append(scalars[Int(random.integer(in: 0...Int64(scalars.count - 1)))])
    }
    return String(text)
  }
}
