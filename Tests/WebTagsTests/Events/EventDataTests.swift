import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct EventDataTests {
  private final class Thing {}

  @Test("WT-404: what JSON has no form for is converted or left out, key by key (peer bugs 8, 62, 72)")
  func conversions() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.123)
    let id = UUID()
    let untyped: [String: Any] = [
      "date": date, "url": try #require(URL(string: "https://a.example/?b")), "id": id, "nan": Double.nan,
      "up": Double.infinity, "down": -Float.infinity, "big": 9_007_199_254_740_993, "unsigned": UInt64.max,
      "small": -9_007_199_254_740_991, "flag": true, "text": "t", "data": Data([1]), "thing": Thing(),
      "list": [1, Double.nan, Data(), "x"] as [Any], "map": ["inner": date, "bad": Thing()] as [String: Any],
      "null": NSNull(),
    ]
    let (value, warnings) = Value.webTagValue(untyped)
    #expect(
      value == [
        "date": "2023-11-14T22:13:20.123Z", "url": "https://a.example/?b", "id": .string(id.uuidString), "nan": "NaN",
        "up": "Infinity", "down": "-Infinity", "big": "9007199254740993", "unsigned": "18446744073709551615",
        "small": -9_007_199_254_740_991, "flag": true, "text": "t", "list": [1, "NaN", "x"],
        "map": ["inner": "2023-11-14T22:13:20.123Z"], "null": nil,
      ])
    #expect(
      warnings.sorted() == [
        "bad has no JSON form", "data has no JSON form", "list has no JSON form", "thing has no JSON form",
      ])
  }

  @Test("WT-404: values of an event are converted too, and what is absent is left out")
  func clean() {
    var warnings: [String] = []
    #expect(
      EventData.clean(["a": .absent, "b": [.absent, 1], "c": .double(.nan), "d": 9_007_199_254_740_993], &warnings)
        == ["b": [1], "c": "NaN", "d": "9007199254740993"])
    #expect(warnings == [])
  }

  @Test("WT-405: __proto__ is left out at any depth, with a warning")
  func prototype() {
    var warnings: [String] = []
    #expect(
      EventData.clean(["__proto__": 1, "a": ["__proto__": ["x": 1], "b": [["__proto__": 2]]]], &warnings)
        == ["a": ["b": [[:]]]])
    #expect(warnings.count == 3)
  }

  @Test("WT-405: data nests 64 deep")
  func depth() {
    func nested(_ depth: Int) -> JSONObject {
      var value: Value = 1
      for _ in 1..<depth { value = ["a": value] }
      return ["a": value]
    }
    var warnings: [String] = []
    #expect(EventData.clean(nested(64), &warnings) == nested(64))
    #expect(EventData.clean(nested(65), &warnings) == nil)
    #expect(EventData.clean(nested(5_000), &warnings) == nil)
  }

  @Test("WT-423: texts reach a page unchanged; line separators are escaped (peer bugs 37, 38)")
  func text() throws {
    let hostile = "'\"\\\n\r\u{2028}\u{2029}😀</script>${x}`\u{0}');window.pwned=1;('"
    let text = PageJSON.text(["a": .string(hostile)])
    #expect(!text.unicodeScalars.contains("\u{2028}") && !text.unicodeScalars.contains("\u{2029}"))
    #expect(try Value(json: text) == ["a": .string(hostile)])
    let tail = PageJSON.text([0xE2, 0x80])
    #expect(tail == "\u{FFFD}")
  }

  @Test(
    "WT-406: times are ISO 8601",
    arguments: [
      (Int64(0), "1970-01-01T00:00:00.000"), (951_827_696_789, "2000-02-29T12:34:56.789"),
      (-1, "1969-12-31T23:59:59.999"), (1_709_164_800_000, "2024-02-29T00:00:00.000"),
      (.max, "9999-12-31T23:59:59.999"), (.min, "0000-01-01T00:00:00.000"),
    ])
  func times(milliseconds: Int64, text: String) {
    #expect(EventTime.utc(milliseconds) == text + "Z")
    #expect(EventTime.local(milliseconds, offset: 0) == text)
  }

  @Test("WT-406: local time is UTC and the zone's offset")
  func localTime() {
    #expect(EventTime.local(0, offset: 32_400) == "1970-01-01T09:00:00.000")
    #expect(EventTime.local(.max, offset: 3600) == "9999-12-31T23:59:59.999")
    #expect(EventTime.local(253_402_300_799_999, offset: 50_400) == "9999-12-31T23:59:59.999")
    #expect(EventTime.local(.min, offset: -3600) == "0000-01-01T00:00:00.000")
  }

  @Test(
    "WT-400: a type is 1 to 64 letters, digits and underscores",
    arguments: [
      ("view", true), ("remote_api", true), ("A1", true), ("", false), ("a',{});window.pwn=1;//", false),
      ("a-b", false), ("ä", false), (String(repeating: "a", count: 65), false), ("a\n", false),
    ])
  func types(type: String, isValid: Bool) {
    #expect(TagEvent.isType(type) == isValid)
  }
}
