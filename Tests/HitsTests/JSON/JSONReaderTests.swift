import Hits
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  @Test(
    "Well-formed JSON gives its value",
    arguments: [
      ("null", .null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .int(0)), ("-7", .int(-7)),
      ("[]", .list([])), ("{}", .map([:])), ("[[],{}]", [[], [:]]), (#"{"a":[1,{"b":null}]}"#, ["a": [1, ["b": nil]]]),
      (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\ud83d\ude00 😀""#, "😀 😀"), (#""\u0000""#, "\0"),
      (#""a long text without any escape in it""#, "a long text without any escape in it"),
      (#"{"a":1,"a":2}"#, ["a": 2]), ("\t[ 1 ,\r\n 2 ] ", [1, 2]),
    ] as [(String, Value)])
  func reads(text: String, expected: Value) throws {
    #expect(try Value(json: text) == expected)
  }

  @Test(
    "TM-135: a number that is whole and inside Int64 is an integer, every other a double",
    arguments: [
      ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", .double(1.5)), ("-0", .int(0)),
      ("1.0", .int(1)), ("1e3", .int(1000)), ("-2.50E+1", .int(-25)), ("1e-7", .double(1e-7)), ("0.1", .double(0.1)),
      ("1e21", .double(1e21)), ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-999", .int(0)),
    ] as [(String, Value)])
  func readsNumbers(text: String, expected: Value) throws {
    #expect(try Value(json: text) == expected)
  }

  @Test(
    "Half a surrogate pair is read as U+FFFD", arguments: [#""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\n""#])
  func replacesHalfPairs(text: String) throws {
    #expect(try Value(json: text).string?.unicodeScalars.first == "\u{FFFD}")
  }

  @Test(
    "What is not JSON is refused with the place",
    arguments: [
      ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
      ("[1,", .unexpectedEnd, 3), ("[1,]", .syntax, 3), ("[,1]", .syntax, 1), ("{1:2}", .syntax, 1),
      (#"{"a"}"#, .syntax, 4), (#"{"a":}"#, .syntax, 5), (#"{"a":1,}"#, .syntax, 7), (#"{"a":1]"#, .syntax, 6),
      ("[1}", .syntax, 2), ("tru", .unexpectedEnd, 3), ("trUe", .syntax, 2), ("01", .trailingContent, 1),
      ("1 2", .trailingContent, 2), ("[]x", .trailingContent, 2), ("+1", .syntax, 0), (".5", .syntax, 0),
      ("1.", .unexpectedEnd, 2), ("1.x", .syntax, 2), ("1e", .unexpectedEnd, 2), ("-", .unexpectedEnd, 1),
      ("-x", .syntax, 1), ("NaN", .syntax, 0), ("1e999", .numberOutOfRange, 0), ("'a'", .syntax, 0),
      ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .syntax, 2), (#""\x""#, .syntax, 2), (#""\u12G4""#, .syntax, 5),
      (#""\u12"#, .unexpectedEnd, 5), ("\u{FEFF}1", .syntax, 0), ("\0", .syntax, 0), ("[1]\0", .trailingContent, 3),
      ("/* */1", .syntax, 0), ("\u{A0}1", .syntax, 0),
    ] as [(String, JSONError.Code, Int)])
  func refuses(text: String, code: JSONError.Code, offset: Int) {
    let error = #expect(throws: JSONError.self) { try Value(json: text) }
    #expect(error?.code == code)
    #expect(error?.offset == offset)
  }

  @Test(
    "A text that is not UTF-8 is refused at its first bad byte",
    arguments: [
      [0x80], [0xC0, 0xAF], [0xC1, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func refusesBadUTF8(sequence: [UInt8]) {
    let padded = Array("\"0123456789".utf8) + sequence + Array("\"".utf8)
    let error = #expect(throws: JSONError.self) { try Value(json: padded) }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == 11)
  }

  @Test(
    "TM-161: each limit holds at its bound and is named one past it",
    arguments: [
      (JSONLimits(bytes: 4), "[12]", "[123]", .tooLarge), (JSONLimits(depth: 2), "[[1]]", "[[[1]]]", .tooDeep),
      (JSONLimits(depth: 2), #"{"a":{}}"#, #"{"a":{"b":{}}}"#, .tooDeep),
      (JSONLimits(nodes: 3), "[1,2]", "[1,2,3]", .tooMany),
      (JSONLimits(nodes: 3), #"{"a":1}"#, #"{"a":1,"b":2}"#, .tooMany),
      (JSONLimits(textBytes: 3), #""abc""#, #""abcd""#, .textTooLarge),
      (JSONLimits(textBytes: 3), "123", "1234", .textTooLarge),
      (JSONLimits(textBytes: 3), #"{"abc":1}"#, #"{"abcd":1}"#, .textTooLarge),
    ] as [(JSONLimits, String, String, JSONError.Code)])
  func holdsLimits(limits: JSONLimits, atBound: String, beyond: String, code: JSONError.Code) throws {
    _ = try Value(json: atBound, limits: limits)
    let error = #expect(throws: JSONError.self) { try Value(json: beyond, limits: limits) }
    #expect(error?.code == code)
  }

  @Test("A million brackets are refused for their depth, without recursion")
  func refusesDepth() {
    for opening in ["[", "{\"\":"] {
      let hostile = [UInt8](String(repeating: opening, count: 1_000_000).utf8)
      let error = #expect(throws: JSONError.self) { try Value(json: hostile) }
      #expect(error?.code == .tooDeep)
      #expect(error?.offset == 64 * opening.utf8.count)
    }
  }

  @Test("An object's members come in file order, with every occurrence of a key")
  func keepsOrder() throws {
    let document = try JSONDocument(Array(#"{"b":[1,2],"a":"x","b":{"c":3}}"#.utf8))
    #expect(document.root.members.map(\.key) == ["b", "a", "b"])
    #expect(document.root["b"]?.value == ["c": 3])
    #expect(document.root["b"]?.offset == 23)
    #expect(document.root["z"] == nil)
  }

  @Test("A document may start after a byte order mark")
  func startsLater() throws {
    let document = try JSONDocument([0xEF, 0xBB, 0xBF] + Array("[7]".utf8), from: 3)
    #expect(document.root.value == [7])
  }
}
