import Foundation
public import Hits

extension Value {
  /// Takes a Foundation property list: texts, numbers, booleans, dates (as ISO 8601 text), arrays and dictionaries with
  /// text keys, to any depth up to 64; `NSNull` becomes `null` (TM-501).
  ///
  /// - Throws: `TagManagerError` with code `unsupportedType`, whose message names path and type of the first object that
  ///   is none of these. So a foreign object never reaches storage.
  public init(bridging object: Any) throws(TagManagerError) {
    self = try Self.bridge(object, path: [])
  }

  private static func bridge(_ object: Any, path: [String]) throws(TagManagerError) -> Value {
    guard path.count < UpdateLimits.depth else { throw unsupported(object, path, "nested too deep") }
    switch object {
    case let value as Value: return value
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let number as NSNumber: return bridge(number)
    case let date as Date: return .string(date.formatted(.iso8601))
    case let items as [Any]:
      var values: [Value] = []
      for (index, item) in items.enumerated() { values.append(try bridge(item, path: path + [String(index)])) }
      return .list(values)
    case let entries as [String: Any]:
      var values: [String: Value] = [:]
      for (key, item) in entries { values[key] = try bridge(item, path: path + [key]) }
      return .map(values)
    default: throw unsupported(object, path, "not a property list type")
    }
  }

  private static var trueObject: NSNumber { NSNumber(value: true) }
  private static var falseObject: NSNumber { NSNumber(value: false) }

  private static func bridge(_ number: NSNumber) -> Value {
    // Booleans are the two shared objects on every platform, while their type encoding is also that of small numbers.
    if number === trueObject || number === falseObject { return .bool(number.boolValue) }
    let encoding = UInt8(bitPattern: number.objCType.pointee)
    let isReal = encoding == UInt8(ascii: "d") || encoding == UInt8(ascii: "f")
    if !isReal, let whole = Int64(exactly: number) { return .int(whole) }
    return number.doubleValue.isFinite ? .double(number.doubleValue) : .null
  }

  private static func unsupported(_ object: Any, _ path: [String], _ why: String) -> TagManagerError {
    let place = path.isEmpty ? "the value itself" : path.joined(separator: ".")
    return TagManagerError(.unsupportedType, "\(place): \(type(of: object)) is \(why)")
  }
}
