import Hits
import TagManager

/// What the data layer held at a push, folded: each value by its dotted name, and which of them the push brought (CO-502).
struct DataLayerView: Sendable {
  /// A line of a session as the API tells it.
  let line: [String: Value]

  /// Values that are shown, and letters of one that are shown without being asked for.
  private static let most = (rows: 500, letters: 200, text: 20_000)

  var html: HTML? {
    guard let isWhole = line["isDataLayerWhole"] else { return nil }
    return element("details") {
      if let layer = line["dataLayer"]?.map {
        let rows = Self.rows(layer)
        element("summary", text: "Data layer at this point (\(CountText.text(rows.count, "value")))")
        if isWhole != true {
          element(
            "p", .class("quiet"),
            text: "Not every push before it has reached the server; what only those brought is missing.")
        }
        table(rows)
      } else {
        element("summary", text: "Data layer at this point")
        element("p", .class("quiet"), text: "It is larger than 64 KiB, and not shown.")
      }
    }
  }

  private func table(_ rows: [(name: String, value: Value)]) -> HTML {
    let update = line["outcome"]?.map?["update"]?.map ?? [:]
    let pushed = Set(Self.rows(DataLayerModel(update).root).map(\.name))
    return element("table", .class("list")) {
      element("thead") {
        element("tr") { for title in ["Name", "Value"] { element("th", Attribute("scope", "col"), text: title) } }
      }
      element("tbody") {
        for row in rows.prefix(Self.most.rows) {
          element("tr") {
            element("th", Attribute("scope", "row")) {
              row.name
              if pushed.contains(row.name) { element("span", .class("badge accepted"), text: "pushed now") }
            }
            element("td", .class("mono"), Attribute("data-label", "Value")) { Self.value(row.value) }
          }
        }
        if rows.count > Self.most.rows {
          element("tr") {
            element("td", Attribute("colspan", "2"), text: "And \(rows.count - Self.most.rows) more.")
          }
        }
      }
    }
  }

  /// A value as JSON, a long one folded.
  static func value(_ value: Value) -> HTML {
    let text = value.jsonText
    guard text.count > Self.most.letters else { return HTML(text: text) }
    return element("details") {
      element("summary", text: text.prefix(60) + "…")
      element("pre", text: String(JSONPrint.text(value).prefix(Self.most.text)))
    }
  }

  /// The values below the maps, by their dotted names in byte order; the layer bounds how deep they lie.
  private static func rows(_ content: [String: Value], below prefix: String = "") -> [(name: String, value: Value)] {
    content.sorted { $0.key.precedesInBytes($1.key) }.flatMap { key, value in
      if case .map(let inner) = value, !inner.isEmpty { return rows(inner, below: prefix + key + ".") }
      return [(prefix + key, value)]
    }
  }
}
