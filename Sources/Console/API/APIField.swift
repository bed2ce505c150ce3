import Hits

/// One named value of a body, a query or an answer: what checks it and what describes it are the same.
struct APIField: Sendable {
  var name: String
  var type: APIType
  var help: String
  var isRequired = true

  init(_ name: String, _ type: APIType, _ help: String, isRequired: Bool = true) {
    self.name = name
    self.type = type
    self.help = help
    self.isRequired = isRequired
  }

  /// A field that may be left out.
  static func optional(_ name: String, _ type: APIType, _ help: String) -> APIField {
    APIField(name, type, help, isRequired: false)
  }
}

/// What a value may be.
indirect enum APIType: Sendable {
  /// Text of at most so many bytes.
  case text(limit: Int)
  case choice([String])
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  case flag
  /// Any JSON object.
  case object
  /// Any JSON value.
  case any
  case list(APIType)
  case schema(APISchema)

  static let shortText = APIType.text(limit: 256)
  static let name = APIType.text(limit: 256)
  static let longText = APIType.text(limit: 64 << 10)
  static let count = APIType.integer(0...Int64.max)
  /// Wall milliseconds.
  static let time = APIType.integer(0...Int64.max)

  /// Why a value is not of the type; nil when it is.
  func refusal(of value: Value) -> String? {
    switch self {
    case .text(let limit):
      guard let text = value.string else { return "must be a text" }
      return text.utf8.count <= limit ? nil : "is longer than \(limit) bytes"
    case .choice(let names):
      return names.contains(value.string ?? "") ? nil : "must be one of \(names.joined(separator: ", "))"
    case .integer(let range):
      guard case .int(let number) = value else { return "must be a whole number" }
      return range.contains(number) ? nil : "must be from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      let number: Double
      switch value {
      case .int(let whole): number = Double(whole)
      case .double(let fraction): number = fraction
      default: return "must be a number"
      }
      let (low, high) = (NumberText.text(range.lowerBound), NumberText.text(range.upperBound))
      return range.contains(number) ? nil : "must be from \(low) to \(high)"
    case .flag:
      if case .bool = value { return nil }
      return "must be true or false"
    case .object: return value.map == nil ? "must be an object" : nil
    case .any: return nil
    case .list(let type):
      guard let items = value.list else { return "must be a list" }
      for item in items {
        if let refusal = type.refusal(of: item) { return "has an item that \(refusal)" }
      }
      return nil
    case .schema(let schema): return schema.refusal(of: value)
    }
  }

  /// Reads the text of a query parameter as this type.
  func value(ofQuery text: String) -> Value {
    switch self {
    case .integer: Int64(text).map(Value.int) ?? .string(text)
    case .number: Double(text).map(Value.double) ?? .string(text)
    case .flag: ["true": true, "false": false][text].map(Value.bool) ?? .string(text)
    default: .string(text)
    }
  }
}

/// An object of named fields.
struct APISchema: Sendable {
  var name: String
  var fields: [APIField]

  init(_ name: String, _ fields: [APIField]) {
    self.name = name
    self.fields = fields
  }

  /// Why a value is not such an object; nil when it is.
  func refusal(of value: Value) -> String? {
    guard let entries = value.map else { return "must be an object" }
    let problems = problems(of: entries)
    return problems.first.map { "has a field \($0.field) that \($0.message)" }
  }

  /// What is wrong with the fields of an object, in the order of the schema.
  func problems(of entries: [String: Value]) -> [(field: String, message: String)] {
    var problems: [(field: String, message: String)] = []
    for field in fields {
      // Null is as good as nothing.
      guard let value = entries[field.name], value != .null else {
        if field.isRequired { problems.append((field.name, "is missing")) }
        continue
      }
      if let refusal = field.type.refusal(of: value) { problems.append((field.name, refusal)) }
    }
    let known = Set(fields.map(\.name))
    for name in entries.keys.sorted() where !known.contains(name) {
      problems.append((String(name.prefix(64)), "is not known here"))
    }
    return problems
  }
}
