import Authoring
import Hits

/// What is different between two workspaces, for a person (CO-400).
struct ChangeView: Sendable {
  /// As the API tells them.
  let changes: [[String: Value]]
  /// How fields are called.
  let names: FieldName
  /// Changes that are shown.
  private static let most = 200

  var html: HTML {
    guard !changes.isEmpty else { return element("p", .class("empty"), text: "Nothing is different.") }
    return element("div", .class("changes")) {
      for change in changes.prefix(Self.most) { view(change) }
      if changes.count > Self.most { element("p", text: "And \(changes.count - Self.most) more.") }
    }
  }

  private func view(_ change: [String: Value]) -> HTML {
    let fields = change.entries("fields")
    let noun = EntityCollection.noun(of: change.word("kind"))
    return element("section", .class("change \(Self.mark(change.word("difference")))")) {
      element("h3") {
        element("span", .class("badge"), text: change.word("difference"))
        " \(noun) "
        element("strong", text: change.word("name"))
      }
      if !fields.isEmpty {
        element("table", .class("list diff")) {
          element("thead") {
            element("tr") {
              for title in ["Field", "Was", "Is"] { element("th", Attribute("scope", "col"), text: title) }
            }
          }
          element("tbody") {
            for field in fields.prefix(50) {
              element("tr") {
                element(
                  "th", Attribute("scope", "row"),
                  text: names.title(of: field.word("name"), kind: change.word("kind"), id: change.word("id")))
                element("td", .class("was"), Attribute("data-label", "Was")) { value(of: field, "from") }
                element("td", .class("is"), Attribute("data-label", "Is")) { value(of: field, "to") }
              }
            }
          }
        }
      }
    }
  }

  private func value(of field: [String: Value], _ side: String) -> HTML {
    names.text(field[side], of: field.word("name")).map { element("span", .class("value"), text: $0) }
      ?? Self.value(field[side])
  }

  /// Only a word that is known becomes a class.
  private static func mark(_ difference: String) -> String {
    EntityChange.Difference(rawValue: difference)?.rawValue ?? "changed"
  }

  /// A value: texts as they are, parameters without the words of the export around them.
  static func value(_ value: Value?) -> HTML {
    switch value {
    case nil: return element("span", .class("quiet"), text: "nothing")
    case .string(let text): return element("span", .class("value"), text: text)
    case .some(let value):
      let text = plain(value, depth: 8)
      return element("span", .class("value"), text: text.count > 2000 ? text.prefix(2000) + "…" : text)
    }
  }

  private static func plain(_ value: Value, depth: Int) -> String {
    guard depth > 0 else { return "…" }
    switch value {
    case .string(let text): return text
    case .list(let items): return items.map { plain($0, depth: depth - 1) }.joined(separator: "\n")
    case .map(let fields):
      if fields["parameter"]?.list != nil {
        let row = ConditionForm.row(Condition(fields: fields))
        return "\(row[0]) \(ConditionForm.options.first { $0.value == row[1] }?.text ?? row[1]) \(row[2])"
      }
      let parameter = Parameter(fields: fields)
      guard parameter.kind != nil else { return value.jsonText }
      let content =
        parameter.items.isEmpty
        ? parameter.text : parameter.items.map { plain(.map($0.fields), depth: depth - 1) }.joined(separator: ", ")
      return parameter.key.isEmpty ? content : "\(parameter.key): \(content)"
    default: return value.jsonText
    }
  }
}
