/// A dynamic value: what the data layer, macro parameters, hits and page events carry.
///
/// Literals of text, numbers, booleans, arrays and dictionaries make values, so `["event": "openScreen"]` is a
/// `[String: Value]` wherever one is expected (TM-500, TM-501).
///
/// `null` is a stored value. `absent` is the missing one: in a pushed list it leaves its slot as it is, as a map value
/// it changes nothing, and no getter ever returns it.
public enum Value: Sendable, Hashable {
  case string(String)
  case int(Int64)
  case double(Double)
  case bool(Bool)
  case list([Value])
  case map([String: Value])
  case null
  case absent
}

extension Value {
  /// The text, when this is a `string`.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The items, when this is a `list`.
  public var list: [Value]? {
    if case .list(let items) = self { items } else { nil }
  }

  /// The entries, when this is a `map`.
  public var map: [String: Value]? {
    if case .map(let entries) = self { entries } else { nil }
  }

  /// Whether this is `absent`.
  public var isAbsent: Bool {
    if case .absent = self { true } else { false }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Makes a `string`.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension Value: ExpressibleByIntegerLiteral {
  /// Makes an `int`.
  public init(integerLiteral number: Int64) { self = .int(number) }
}

extension Value: ExpressibleByFloatLiteral {
  /// Makes a `double`.
  public init(floatLiteral number: Double) { self = .double(number) }
}

extension Value: ExpressibleByBooleanLiteral {
  /// Makes a `bool`.
  public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension Value: ExpressibleByArrayLiteral {
  /// Makes a `list`.
  public init(arrayLiteral items: Value...) { self = .list(items) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// Makes a `map`; of a key given twice the last value counts.
  public init(dictionaryLiteral entries: (String, Value)...) {
    self = .map(Dictionary(entries, uniquingKeysWith: { _, last in last }))
  }
}

extension Value: ExpressibleByNilLiteral {
  /// Makes `null`.
  public init(nilLiteral: ()) { self = .null }
}
