import Hits

/// The parts of forms: labelled inputs with help and what is wrong, so that each is announced (CO-802).
struct FormParts: Sendable {
  /// What was typed, or what is there.
  var typed: TypedFields
  /// What is wrong, by the name of the input.
  var problems: [String: String] = [:]
  /// Set before the ids of inputs, where a page has several forms.
  var prefix = "f"
  /// Whether the person may change anything.
  var isReadOnly = false

  /// The field that shows that a form is of this session's pages.
  static func token(_ visit: Visit) -> HTML {
    element("input", .type("hidden"), .name(BrowserKey.field), .value(visit.key.token))
  }

  /// Whose password a form is about, for those who keep passwords.
  static func owner(_ name: String) -> HTML {
    element(
      "input", .type("text"), .name("username"), .value(name), Attribute("autocomplete", "username"),
      .flag("readonly", true), .flag("hidden", true), .label("Name"))
  }

  static func hidden(_ name: String, _ value: String) -> HTML {
    element("input", .type("hidden"), .name(name), .value(value))
  }

  private func id(_ name: String) -> String { "\(prefix)-\(name.replacing(".", with: "-"))" }

  /// The attributes that tie an input to its help and to what is wrong.
  private func describing(_ name: String, hasHelp: Bool) -> [Attribute?] {
    let ids = [hasHelp ? id(name) + "-help" : nil, problems[name] == nil ? nil : id(name) + "-problem"].compactMap {
      $0
    }
    return [
      ids.isEmpty ? nil : Attribute("aria-describedby", ids.joined(separator: " ")),
      problems[name] == nil ? nil : Attribute("aria-invalid", "true"),
    ]
  }

  private func surround(_ name: String, _ label: String, _ help: String, _ input: HTML) -> HTML {
    element("div", .class(problems[name] == nil ? "field" : "field wrong")) {
      element("label", .for(id(name)), text: label)
      input
      if !help.isEmpty { element("p", .class("help"), .id(id(name) + "-help"), text: help) }
      problem(name)
    }
  }

  func problem(_ name: String) -> HTML? {
    problems[name].map { element("p", .class("problem"), .id(id(name) + "-problem"), text: $0) }
  }

  /// A line of text.
  func line(
    _ name: String, _ label: String, help: String = "", type: String = "text", list: String? = nil,
    isRequired: Bool = false, autocomplete: String = "off"
  ) -> HTML {
    let links = describing(name, hasHelp: !help.isEmpty)
    let input = element(
      "input", .id(id(name)), .name(name), .type(type), type == "password" ? nil : .value(typed[name] ?? ""),
      list.map { Attribute("list", $0) }, Attribute("autocomplete", autocomplete),
      list == Self.references ? Attribute("data-references", "") : nil,
      isRequired ? Attribute("aria-required", "true") : nil, .flag("readonly", isReadOnly), links[0], links[1])
    return surround(name, label, help, input)
  }

  /// Several lines of text.
  func area(_ name: String, _ label: String, help: String = "", rows: Int = 3, isCode: Bool = false) -> HTML {
    let links = describing(name, hasHelp: !help.isEmpty)
    let input = element(
      "textarea", .id(id(name)), .name(name), Attribute("rows", String(rows)), isCode ? .class("mono") : nil,
      Attribute("spellcheck", isCode ? "false" : "true"), .flag("readonly", isReadOnly), links[0], links[1],
      text: typed[name] ?? "")
    return surround(name, label, help, input)
  }

  /// One of several.
  func choice(_ name: String, _ label: String, _ options: [(value: String, text: String)], help: String = "") -> HTML {
    let links = describing(name, hasHelp: !help.isEmpty)
    let input = element(
      "select", .id(id(name)), .name(name), .flag("disabled", isReadOnly), links[0], links[1]
    ) {
      Self.options(options, chosen: typed[name])
    }
    return surround(name, label, help, input)
  }

  /// The options of a choice; what is chosen and not among them is one more.
  private static func options(_ options: [(value: String, text: String)], chosen: String?) -> HTML {
    var options = options
    if let chosen, !options.contains(where: { $0.value == chosen }) {
      options.insert((chosen, chosen.isEmpty ? "Not said" : chosen), at: 0)
    }
    return HTMLBuilder.buildArray(
      options.map { option in
        element("option", .value(option.value), .flag("selected", option.value == chosen ?? ""), text: option.text)
      })
  }

  /// Yes or no.
  func box(_ name: String, _ label: String, help: String = "") -> HTML {
    let links = describing(name, hasHelp: !help.isEmpty)
    return element("div", .class("field box")) {
      element(
        "input", .id(id(name)), .name(name), .type("checkbox"), .value("on"),
        .flag("checked", typed.isChecked(name)), .flag("disabled", isReadOnly), links[0], links[1])
      element("label", .for(id(name)), text: label)
      if !help.isEmpty { element("p", .class("help"), .id(id(name) + "-help"), text: help) }
      problem(name)
    }
  }

  /// The id of the list of references that lines complete from.
  static let references = "references"

  /// A list that lines complete from.
  static func completions(_ id: String, _ texts: [String]) -> HTML {
    element("datalist", .id(id)) {
      for text in texts.prefix(1000) { element("option", .value(text)) }
    }
  }

  /// One column of a table of inputs.
  struct Column: Sendable {
    var key: String
    var label: String
    var list: String?
    var options: [(value: String, text: String)]?

    init(_ key: String, _ label: String, list: String? = nil, options: [(value: String, text: String)]? = nil) {
      self.key = key
      self.label = label
      self.list = list
      self.options = options
    }
  }

  /// A table of inputs: the rows there are, and some empty ones; emptying a row removes it.
  func table(_ name: String, _ legend: String, _ columns: [Column], help: String = "") -> HTML {
    let choices = Set(columns.filter { $0.options != nil }.map(\.key))
    let filled = typed.rows(name, columns.map(\.key), ignoring: choices).count
    let count = isReadOnly ? filled : filled + (filled == 0 ? 2 : 1) + (typed["more"] == name ? 4 : 0)
    let cells = (0..<count).map { row in
      element("tr") {
        for column in columns { element("td", Attribute("data-label", column.label)) { cell(name, row, column) } }
      }
    }
    return element("fieldset", .id(id(name)), .class(problems[name] == nil ? "rows" : "rows wrong")) {
      element("legend", text: legend)
      if !help.isEmpty { element("p", .class("help"), text: help) }
      problem(name)
      element("table", .class("inputs")) {
        element("thead") {
          element("tr") { for column in columns { element("th", Attribute("scope", "col"), text: column.label) } }
        }
        element("tbody") { HTMLBuilder.buildArray(cells) }
      }
      if !isReadOnly {
        element(
          "button", .type("submit"), .class("plain"), .name("more"), .value(name), Attribute("formnovalidate", nil),
          text: "More rows")
      }
    }
  }

  private func cell(_ table: String, _ row: Int, _ column: Column) -> HTML {
    let name = "\(table).\(row).\(column.key)"
    let label = Attribute.label("\(column.label), row \(row + 1)")
    let links = describing(name, hasHelp: false)
    let input =
      column.options.map { options in
        element("select", .id(id(name)), .name(name), label, .flag("disabled", isReadOnly), links[0], links[1]) {
          Self.options(options, chosen: typed[name] ?? options.first?.value)
        }
      }
      ?? element(
        "input", .id(id(name)), .name(name), .type("text"), .value(typed[name] ?? ""), label,
        column.list.map { Attribute("list", $0) }, Attribute("autocomplete", "off"),
        column.list == Self.references ? Attribute("data-references", "") : nil, .flag("readonly", isReadOnly),
        links[0],
        links[1])
    return input + (problem(name) ?? HTML())
  }

  /// What is said above a form that cannot be saved as it is.
  var summary: HTML? {
    guard !problems.isEmpty else { return nil }
    return element("div", .class("problems"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
      element("p", text: problems.count == 1 ? "One thing must be mended:" : "\(problems.count) things must be mended:")
      element("ul") {
        for (name, text) in problems.sorted(by: { $0.key < $1.key }) {
          element("li") { element("a", Attribute("href", "#\(id(name))"), text: text) }
        }
      }
    }
  }
}
