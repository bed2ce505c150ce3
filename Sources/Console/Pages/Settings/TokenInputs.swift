import Hits

/// Tokens of the API in a page: the list, a new one, the one that was just made (CO-900).
struct TokenInputs: Sendable {
  let visit: Visit
  /// Where its forms lead.
  let address: PageAddress

  static let scopes: [(value: String, text: String)] = [
    ("read", "Read"), ("edit", "Edit"), ("publish", "Publish"), ("admin", "Admin"),
  ]

  /// A secret that was just made: it is shown this once.
  static func made(_ secret: String, what: String) -> HTML {
    element("section", .class("panel made"), Attribute("role", "status")) {
      element("h2", text: "The new token")
      element("p", text: "\(what) It is shown this once.")
      element("div", .class("field")) {
        element("label", .for("secret"), text: "Token")
        element("input", .id("secret"), .type("text"), .class("mono"), .flag("readonly", true), .value(secret))
        element(
          "button", .type("button"), .class("plain"), Attribute("data-copy", "secret"), .flag("hidden", true),
          text: "Copy")
      }
    }
  }

  func html(_ tokens: [[String: Value]], _ parts: FormParts) -> HTML {
    element("section", .class("panel")) {
      element("h2", text: "Tokens for scripts and the command line")
      if tokens.isEmpty {
        element("p", .class("empty"), text: "There is no token yet. Make one for a program that works with containers.")
      } else {
        table(tokens)
      }
      element("h3", text: "New token")
      element("form", Attribute("method", "post"), .action(address)) {
        FormParts.token(visit)
        parts.line("token-name", "Name", help: "What it is for, such as nightly export.", isRequired: true)
        parts.choice("scope", "What it may do", Self.scopes)
        parts.line("days", "Valid for days", help: "How long it lets in; for ever when this is empty.")
        element("button", .type("submit"), text: "Make the token")
      }
    }
  }

  private func table(_ tokens: [[String: Value]]) -> HTML {
    element("table", .class("list")) {
      element("thead") {
        element("tr") {
          for title in ["Name", "May", "Container", "Ends", "State"] {
            element("th", Attribute("scope", "col"), text: title)
          }
        }
      }
      element("tbody") {
        for token in tokens.suffix(200) {
          let ends = token.whole("expires")
          element("tr") {
            element("td", Attribute("data-label", "Name"), text: token.word("name"))
            element("td", Attribute("data-label", "May"), text: token.word("scope"))
            element("td", Attribute("data-label", "Container"), text: token["container"]?.string ?? "all")
            element("td", Attribute("data-label", "Ends")) { ends.map(TimeText.html) ?? HTML(text: "never") }
            element("td", Attribute("data-label", "State")) {
              if token["revoked"] != nil {
                "revoked"
              } else if ends.map({ $0 <= visit.now }) ?? false {
                "over"
              } else {
                Confirmation(
                  visit: visit, address: address.adding("revoke"), step: "Revoke", subject: token.word("name"),
                  consequence: "Whoever uses the token is let in no more.", fields: ["id": token.word("id")]
                ).html
              }
            }
          }
        }
      }
    }
  }

  /// What the form asks of the API, and what is wrong with it.
  static func fields(_ typed: TypedFields, container: String?) -> (fields: [String: Value], problems: [String: String])
  {
    var fields: [String: Value] = [
      "name": .string(typed.line("token-name")), "scope": .string(typed["scope"] ?? "read"),
    ]
    fields["container"] = container.map(Value.string)
    var problems: [String: String] = [:]
    if typed.line("token-name").isEmpty { problems["token-name"] = "Say what it is for." }
    if !typed.line("days").isEmpty {
      if let days = Int64(typed.line("days")), 1...3650 ~= days {
        fields["days"] = .int(days)
      } else {
        problems["days"] = "A whole number from 1 to 3650."
      }
    }
    return (fields, problems)
  }
}
