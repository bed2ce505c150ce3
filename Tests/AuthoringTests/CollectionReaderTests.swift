import Hits
import TestSupport
import Testing

@testable import Authoring

@Suite struct CollectionReaderTests {
  @Test(
    "TM-643: the text of a value collection is an object as authors write it",
    arguments: [
      ("{}", [:]), (" { 'a' : 'b' } ", ["a": "b"]),
      ("{\"a\": 1, b: -2.5, 'c': true,}", ["a": 1, "b": -2.5, "c": true]),
      (#"{'q': 'I\'ll \"do\"', 'u': '\u00e9\ud83d\ude00\x41\n'}"#, ["q": "I'll \"do\"", "u": "é😀A\n"]),
      ("{'list': [1, 'two', [false], ], 'map': {'x': null}}", ["list": [1, "two", [false]], "map": ["x": nil]]),
      ("{'a': 1, 'a': 2}", ["a": 2]), ("{'ключ': '{{a}}'}", ["ключ": "{{a}}"]),
    ] as [(String, [String: Value])])
  func reads(text: String, values: [String: Value]) throws {
    #expect(try CollectionReader.read(text) == values)
  }

  @Test(
    "TM-643: what is no object is refused at the byte where it stops being one",
    arguments: [
      ("", 0), ("[]", 0), ("'a'", 0), ("{", 1), ("{'a'}", 4), ("{'a': }", 6), ("{'a': 1 'b': 2}", 8), ("{} x", 3),
      ("{'a': b}", 6), ("{'a': '", 7), ("{'a': '\\", 8), ("{'a': '\\u12'}", 9), ("{'a': 1,, }", 8), ("{'a': '\n'}", 8),
    ])
  func refuses(text: String, offset: Int) {
    #expect(throws: CollectionReader.Fault(offset: offset)) { try CollectionReader.read(text) }
  }

  @Test("CO-206: a hostile collection has a depth limit and never traps")
  func hostile() throws {
    let deep = "{'a':" + String(repeating: "[", count: 100_000)
    #expect(throws: CollectionReader.Fault.self) { try CollectionReader.read(deep) }
    let random = SeededRandomSource(seed: 5)
    let alphabet = Array("{}[]'\",:\\u0019aé-. \n")
    for _ in 0..<20_000 {
      let text = String(
        (0..<random.integer(in: 0...24)).map { _ in
          alphabet[Int(random.integer(in: 0...Int64(alphabet.count - 1)))]
        })
      _ = try? CollectionReader.read("{" + text)
    }
  }
}
