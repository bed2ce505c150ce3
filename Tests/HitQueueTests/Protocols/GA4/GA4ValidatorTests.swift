import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

@Suite struct GA4ValidatorTests {
  private func codes(_ payload: String, now: Int64? = nil) -> [String] {
    GA4Validator(now: now).messages(for: Array(payload.utf8)).map { "\($0.fieldPath) \($0.validationCode.rawValue)" }
  }

  private static func event(_ inside: String) -> String { #"{"client_id":"c","events":[{\#(inside)}]}"# }

  private static func parameters(_ inside: String) -> String { event(#""name":"e","params":{\#(inside)}"#) }

  static let cases: [(String, [String])] = [
    (event(#""name":"level_up""#), []),
    ("{", [" VALUE_INVALID"]), ("[]", [" VALUE_INVALID"]),
    ("{}", ["client_id VALUE_REQUIRED", "events VALUE_REQUIRED"]),
    (#"{"client_id":"","events":[]}"#, ["client_id VALUE_REQUIRED", "events VALUE_REQUIRED"]),
    (#"{"client_id":1,"events":{}}"#, ["client_id VALUE_INVALID", "events VALUE_INVALID"]),
    (#"{"app_instance_id":"x","events":[{"name":"screen_view"}]}"#, ["app_instance_id VALUE_INVALID"]),
    (event(#""name":"screen_view""#), ["events[0].name NAME_RESERVED"]),
    (event(#""name":"""#), ["events[0].name NAME_INVALID"]), (event(""), ["events[0].name VALUE_REQUIRED"]),
    (event(#""name":7"#), ["events[0].name VALUE_INVALID"]),
    (event(#""name":"First_Open""#), ["events[0].name NAME_RESERVED"]),
    (event(#""name":"2x""#), ["events[0].name NAME_INVALID"]),
    (event(#""name":"\#(String(repeating: "a", count: 41))""#), ["events[0].name NAME_INVALID"]),
    (#"{"client_id":"c","events":[7]}"#, ["events[0] VALUE_INVALID"]),
    (parameters(#""a":{}"#), ["events[0].params.a VALUE_INVALID"]),
    (parameters(#""a":[1]"#), ["events[0].params.a VALUE_INVALID"]),
    (parameters(#""a":1,"a":2"#), ["events[0].params.a NAME_DUPLICATED"]),
    (parameters(#""a b":1"#), ["events[0].params.a b NAME_INVALID"]),
    (parameters(#""ga_b":1"#), ["events[0].params.ga_b NAME_RESERVED"]),
    (parameters(#""a":"\#(String(repeating: "a", count: 101))""#), ["events[0].params.a VALUE_OUT_OF_BOUNDS"]),
    (parameters(#""a":"\#(String(repeating: "a", count: 100))""#), []),
    (parameters(#""a":"\#(String(repeating: "👍", count: 51))""#), ["events[0].params.a VALUE_OUT_OF_BOUNDS"]),
    (parameters(#""page_location":"\#(String(repeating: "a", count: 1000))""#), []),
    (parameters(#""value":1"#), ["events[0].params.currency VALUE_REQUIRED"]),
    (parameters(#""currency":"EUR""#), ["events[0].params.value VALUE_REQUIRED"]),
    (parameters(#""value":1,"currency":"eur""#), ["events[0].params.currency VALUE_INVALID"]),
    (
      parameters(#""items":[{"price":1},3]"#),
      ["events[0].params.items[0] VALUE_REQUIRED", "events[0].params.items[1] VALUE_INVALID"]
    ),
    (parameters((0...25).map { "\"p\($0)\":1" }.joined(separator: ",")), ["events[0].params EXCEEDED_MAX_ENTITIES"]),
    (
      #"{"client_id":"c","events":[\#([String](repeating: #"{"name":"a"}"#, count: 26).joined(separator: ","))]}"#,
      ["events EXCEEDED_MAX_ENTITIES"]
    ),
    (
      #"{"client_id":"c","user_properties":{"first_open_time":{"value":1},"p":{"value":"\#(String(repeating: "v", count: 37))"},"#
        + #""\#(String(repeating: "n", count: 25))":{"value":1},"q":{}},"events":[{"name":"a"}]}"#,
      [
        "user_properties.first_open_time NAME_RESERVED", "user_properties.p VALUE_OUT_OF_BOUNDS",
        "user_properties.\(String(repeating: "n", count: 25)) NAME_INVALID", "user_properties.q VALUE_INVALID",
      ]
    ),
  ]

  @Test("HQ-634, HQ-635: every rule has its code and its place", arguments: cases)
  func rules(payload: String, expected: [String]) { #expect(codes(payload) == expected) }

  @Test("HQ-634: events older than 72 hours, and payloads of more than 130,000 bytes, are out of bounds")
  func bounds() {
    let now: Int64 = 1_800_000_000_000
    let old = { (age: Int64) in Self.event(#""name":"a","timestamp_micros":\#((now - age) * 1000)"#) }
    #expect(codes(old(72 * 3_600_000), now: now) == [])
    #expect(codes(old(72 * 3_600_000 + 1), now: now) == ["events[0].timestamp_micros VALUE_OUT_OF_BOUNDS"])
    #expect(codes(Self.event(#""name":"a","timestamp_micros":-1"#)) == ["events[0].timestamp_micros VALUE_INVALID"])
    let padding = String(repeating: " ", count: 130_000 - Self.event(#""name":"a""#).utf8.count)
    #expect(codes(Self.event(#""name":"a""#) + padding) == [])
    #expect(codes(Self.event(#""name":"a""#) + padding + " ") == [" VALUE_OUT_OF_BOUNDS"])
  }

  @Test("hostile payloads end in a message", arguments: ["[", "\"", "{\"events\":"])
  func hostile(piece: String) {
    #expect(codes(String(repeating: piece, count: 20_000)) == [" VALUE_INVALID"])
  }

  /// By hand: the first is fine; of the second the first event's name is empty, and the second has an object as a value.
  @Test(
    "HQ-635: the payloads of a public test suite",
    arguments: [
      ("073.json", [] as [String]),
      ("074.json", ["events[0].name NAME_INVALID", "events[1].params.character VALUE_INVALID"]),
    ])
  func corpus(file: String, expected: [String]) throws {
    guard let corpus = Corpus.find(for: "GA4 validator") else { return }
    let payload = String(decoding: try corpus.data("hits/ga4_mp/\(file)"), as: UTF8.self)
    #expect(codes(payload) == expected)
  }
}
