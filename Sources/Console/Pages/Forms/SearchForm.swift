/// A search in a list: a form that asks the page again.
struct SearchForm: Sendable {
  let address: PageAddress
  let search: String
  let noun: String

  var html: HTML {
    element("form", .class("search"), Attribute("role", "search"), .action(address)) {
      element("label", .for("q"), text: "Find a \(noun)")
      element("input", .id("q"), .name("q"), .type("search"), .value(search))
      element("button", .type("submit"), text: "Find")
      if !search.isEmpty { element("a", .href(address), text: "Show all") }
    }
  }
}

/// The ways to the next page of a list and back to the first.
struct Pager: Sendable {
  let address: PageAddress
  var total: Int64?
  let shown: Int
  /// Whether this is not the first page.
  let after: Bool
  let next: String?
  var parameter: StaticString = "after"

  var html: HTML {
    element("nav", .class("pager"), .label("Pages")) {
      if let total { element("span", text: total == 1 ? "1 in all" : "\(total) in all") }
      if shown == 0 { element("span", text: "Nothing here.") }
      if after { element("a", .href(address), text: "First page") }
      if let next { element("a", Attribute("rel", "next"), .href(address.asking(parameter, next)), text: "Next page") }
    }
  }
}
