public import Hits

/// One parameter of an entity, an item of a list, or an entry of a map.
///
///     {"type": "TEMPLATE", "key": "url", "value": "https://example.com/{{Screen}}"}
///     {"type": "LIST", "key": "fieldsToSet", "list": [{"type": "MAP", "map": […]}]}
public struct Parameter: Sendable, Hashable {
  /// What a parameter holds.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Text with references to variables.
    case template = "TEMPLATE"
    case integer = "INTEGER"
    case boolean = "BOOLEAN"
    case list = "LIST"
    case map = "MAP"
    case triggerReference = "TRIGGER_REFERENCE"
    case tagReference = "TAG_REFERENCE"
  }

  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a parameter of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// Makes a text parameter; the text may hold references such as `{{Screen}}`.
  public init(_ key: String, _ text: String) {
    self.init(fields: ["type": .string(Kind.template.rawValue), "key": .string(key), "value": .string(text)])
  }

  /// Makes a truth value.
  public init(_ key: String, _ flag: Bool) {
    self.init(
      fields: ["type": .string(Kind.boolean.rawValue), "key": .string(key), "value": flag ? "true" : "false"])
  }

  /// Makes a list of parameters, whose keys do not count.
  public init(_ key: String, list: [Parameter]) {
    self.init(
      fields: [
        "type": .string(Kind.list.rawValue), "key": .string(key), "list": .list(list.map { .map($0.fields) }),
      ])
  }

  /// Makes a map of parameters; a map inside a list has no key of its own.
  public init(_ key: String? = nil, map: [Parameter]) {
    fields = ["type": .string(Kind.map.rawValue), "map": .list(map.map { .map($0.fields) })]
    fields["key"] = key.map(Value.string)
  }

  /// What it is called; empty in a list.
  public var key: String { fields.text("key") }

  /// What it holds; nil for a type that is not known.
  public var kind: Kind? { Kind(rawValue: fields.text("type")) }

  /// The text of a scalar; a number or truth value that stands there as such is read as its text.
  public var text: String {
    switch fields["value"] {
    case .string(let text): text
    case .int, .double, .bool: fields["value"]?.jsonText ?? ""
    default: ""
    }
  }

  /// The items of a list, or the entries of a map.
  public var items: [Parameter] { fields.parameters(kind == .map ? "map" : "list") }
}

/// One condition of a trigger: two arguments and how they compare (CO-204).
public struct Condition: Sendable, Hashable {
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a condition of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// Makes a condition such as `EQUALS` of a reference and a text.
  public init(_ type: String, _ left: String, _ right: String, isNegated: Bool = false) {
    var parameters = [Parameter("arg0", left), Parameter("arg1", right)]
    if isNegated { parameters.append(Parameter("negate", true)) }
    fields = ["type": .string(type), "parameter": .list(parameters.map { .map($0.fields) })]
  }

  /// How the arguments compare, such as `MATCH_REGEX`.
  public var type: String { fields.text("type") }
  /// The arguments, `negate` and `ignore_case`.
  public var parameters: [Parameter] { fields.parameters("parameter") }
  /// Whether it holds when the comparison does not.
  public var isNegated: Bool { flag("negate") }
  /// Whether upper and lower case are the same.
  public var ignoresCase: Bool { flag("ignore_case") }

  private func flag(_ key: String) -> Bool {
    parameters.last { $0.key == key }.map { $0.text.lowercased() == "true" } ?? false
  }
}
