import Foundation
public import Hits

extension Value {
  /// Converts what an untyped dictionary holds (WT-404).
  ///
  /// Dates become ISO 8601 in UTC with milliseconds, URLs and UUIDs texts, numbers that JSON cannot say `"NaN"`,
  /// `"Infinity"` or `"-Infinity"`, and integers beyond ±(2⁵³ − 1) their decimal text. What has no meaning is left out,
  /// with a warning for its key.
  public static func webTagValue(_ any: Any?) -> (value: Value?, warnings: [String]) {
    var warnings: [String] = []
    let value = convert(any, "value", 0, &warnings)
    return (value, warnings)
  }

  private static func convert(_ any: Any?, _ key: String, _ depth: Int, _ warnings: inout [String]) -> Value? {
    guard depth < EventData.deepest else {
      warnings.append("\(key) is nested too deep")
      return nil
    }
    switch any {
    case nil: return nil
    case let value as Value: return value.forPage
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let flag as Bool: return .bool(flag)
    case let date as Date: return .string(EventTime.utc(milliseconds(of: date)))
    case let url as URL: return .string(url.absoluteString)
    case let id as UUID: return .string(id.uuidString)
    case let number as any BinaryInteger: return whole(number)
    case let number as Double: return Value.double(number).forPage
    case let number as Float: return Value.double(Double(number)).forPage
    case let number as NSNumber: return Value.double(number.doubleValue).forPage
    case let items as [Any?]:
      return .list(items.compactMap { convert($0, key, depth + 1, &warnings) })
    case let entries as [String: Any?]:
      var map: [String: Value] = [:]
      for (name, entry) in entries { map[name] = convert(entry, name, depth + 1, &warnings) }
      return .map(map)
    default:
      warnings.append("\(key) has no JSON form")
      return nil
    }
  }

  private static func milliseconds(of date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? (date.timeIntervalSince1970 < 0 ? .min : .max)
  }

  private static func whole(_ number: any BinaryInteger) -> Value {
    guard let small = Int64(exactly: number) else { return .string(String(describing: number)) }
    return Value.int(small).forPage
  }

  /// The scalar as a page gets it: what a JavaScript number cannot hold is a text.
  var forPage: Value {
    switch self {
    case .int(let number) where number.magnitude > 9_007_199_254_740_991: .string(String(number))
    case .double(let number) where !number.isFinite: .string(NumberText.text(number))
    default: self
    }
  }
}

/// Times as event data has them: ISO 8601 with milliseconds; years beyond four digits are held at their bounds.
enum EventTime {
  /// The time in UTC.
  static func utc(_ milliseconds: Int64) -> String { text(milliseconds) + "Z" }

  /// The time in the zone that is so many seconds east, without a zone mark.
  static func local(_ milliseconds: Int64, offset: Int) -> String {
    text(clamped(milliseconds) + Int64(offset) * 1000)
  }

  private static func text(_ milliseconds: Int64) -> String {
    CivilTime(millisecondsSince1970: clamped(milliseconds)).textWithMilliseconds
  }

  private static func clamped(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
  }
}
