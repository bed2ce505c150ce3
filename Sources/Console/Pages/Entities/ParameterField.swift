import Authoring
import Hits

/// One parameter of a type of tags or variables, as an author sees it (CO-203, CO-205).
struct ParameterField: Sendable {
  /// How the parameter is typed, and how it lies in an export.
  enum Kind: Sendable {
    /// A line, which may hold references such as `{{Screen}}`.
    case text
    case choice([(value: String, text: String)])
    case flag
    /// A list of maps with these keys: a table.
    case records([(key: String, label: String)])
    /// A map: a table of names and values.
    case map
    /// A list of maps of one entry each: a table of names and values.
    case entries
    /// A list of texts.
    case list
    /// A table of names and values, whose numbers and truth values are kept as such.
    case collection
  }

  var key: String
  var label: String
  var help: String
  var kind: Kind
  var isRequired: Bool
  /// The parameter in whose presence this one may be missing after all.
  var substitute: String?
  /// What a new entity has there.
  var standard: String

  init(
    _ key: String, _ label: String, _ help: String = "", _ kind: Kind = .text, isRequired: Bool = false,
    unless substitute: String? = nil, standard: String = ""
  ) {
    self.key = key
    self.label = label
    self.help = help
    self.kind = kind
    self.isRequired = isRequired
    self.substitute = substitute
    self.standard = standard
  }

  /// The name of its input, or of its table.
  var input: String { Self.input(key) }

  static func input(_ key: String) -> String { "p-\(key)" }

  /// The columns of its table; none where it has no table.
  var columns: [(key: String, label: String)] {
    switch kind {
    case .records(let columns): columns
    case .map, .entries, .collection: [("key", "Name"), ("value", "Value")]
    case .list: [("value", "Value")]
    case .text, .choice, .flag: []
    }
  }

  /// Its input.
  func html(_ parts: FormParts) -> HTML {
    switch kind {
    case .text:
      let isAlwaysRequired = isRequired && substitute == nil
      return parts.line(input, label, help: help, list: FormParts.references, isRequired: isAlwaysRequired)
    case .choice(let options): return parts.choice(input, label, options, help: help)
    case .flag: return parts.box(input, label, help: help)
    default:
      let columns = columns.map { FormParts.Column($0.key, $0.label, list: FormParts.references) }
      return parts.table(input, label, columns, help: help)
    }
  }
}

extension ParameterField {
  /// Writes what the parameter says into a form.
  func write(_ parameter: Parameter?, into typed: inout TypedFields) {
    switch kind {
    case .text, .choice: typed[input] = parameter?.text ?? ""
    case .flag: typed[input] = parameter?.text.lowercased() == "true" ? "on" : nil
    default: typed.setRows(input, columns.map(\.key), parameter.map(rows(of:)) ?? [])
    }
  }

  private func rows(of parameter: Parameter) -> [[String]] {
    switch kind {
    case .map: parameter.items.map { [$0.key, $0.text] }
    case .entries: parameter.items.flatMap { item in item.items.map { [$0.key, $0.text] } }
    case .list: parameter.items.map { [$0.text] }
    case .collection where parameter.kind == .map: parameter.items.map { [$0.key, $0.text] }
    default:
      parameter.items.map { item in
        columns.map { column in item.items.last { $0.key == column.key }?.text ?? "" }
      }
    }
  }

  /// Whether the form can show the parameter without leaving anything out.
  func isShowable(_ parameter: Parameter) -> Bool {
    var typed = TypedFields()
    write(parameter, into: &typed)
    guard let made = made(typed, former: parameter) else { return parameter.text.isEmpty && parameter.items.isEmpty }
    return made.canonical == parameter.canonical
  }

  /// The parameter that the form says; nil for none.
  func made(_ typed: TypedFields, former: Parameter?) -> Parameter? {
    switch kind {
    case .text, .choice:
      let text = typed[input] ?? ""
      guard !text.isEmpty else { return nil }
      return Parameter(key, text).keepingKind(of: former)
    case .flag: return typed.isChecked(input) ? Parameter(key, true) : nil
    default:
      let rows = typed.rows(input, columns.map(\.key))
      return rows.isEmpty ? nil : table(rows)
    }
  }

  private func table(_ rows: [[String]]) -> Parameter {
    switch kind {
    case .map: return Parameter(key, map: rows.map { Parameter($0[0], $0[1]) })
    case .entries: return Parameter(key, list: rows.map { Parameter(map: [Parameter($0[0], $0[1])]) })
    case .list:
      return Parameter(
        key, list: rows.map { Parameter(fields: ["type": "TEMPLATE", "value": .string($0[0])]) })
    case .collection:
      return Parameter(
        key, list: rows.map { Parameter(map: [Parameter("key", $0[0]), Parameter.scalar("value", $0[1])]) })
    default:
      let keys = columns.map(\.key)
      return Parameter(key, list: rows.map { row in Parameter(map: zip(keys, row).map { Parameter($0, $1) }) })
    }
  }
}

extension Parameter {
  /// A number or truth value where the text is one, else a text.
  static func scalar(_ key: String, _ text: String) -> Parameter {
    if text == "true" || text == "false" { return Parameter(key, text == "true") }
    if let number = Int64(text), String(number) == text {
      return Parameter(fields: ["type": "INTEGER", "key": .string(key), "value": .string(text)])
    }
    return Parameter(key, text)
  }

  /// The text in the kind that the parameter had, where it still fits.
  fileprivate func keepingKind(of former: Parameter?) -> Parameter {
    let isFit =
      switch former?.kind {
      case .integer: Int64(text) != nil
      case .boolean: text == "true" || text == "false"
      default: false
      }
    guard isFit, let kind = former?.kind else { return self }
    var fields = fields
    fields["type"] = .string(kind.rawValue)
    return Parameter(fields: fields)
  }

  /// What counts of it: the same for a text that stands there as a number.
  fileprivate var canonical: Value {
    var fields = fields
    if fields["value"] != nil { fields["value"] = .string(text) }
    if fields["list"] != nil || fields["map"] != nil {
      fields["list"] = .list(items.map(\.canonical))
      fields["map"] = nil
    }
    return .map(fields)
  }
}
