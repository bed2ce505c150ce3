/// Plain JSON: a `null` is JSON null; `absent` is left out of lists and maps, and null where it stands alone.
extension Value: Codable {
  /// Reads any JSON value; a whole number inside `Int64` becomes an `int`, every other number a `double`.
  ///
  /// This form is for configuration and tests. Containers and hits from outside go through `JSONReader`, which is
  /// faster and has limits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .int(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let items = try? container.decode([Value].self) {
      self = .list(items)
    } else {
      self = .map(try container.decode([String: Value].self))
    }
  }

  /// Writes plain JSON; a number that is not finite is written as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .int(let number): try container.encode(number)
    case .double(let number) where number.isFinite: try container.encode(number)
    case .bool(let flag): try container.encode(flag)
    case .list(let items): try container.encode(items.filter { !$0.isAbsent })
    case .map(let entries): try container.encode(entries.filter { !$0.value.isAbsent })
    case .null, .absent, .double: try container.encodeNil()
    }
  }
}
