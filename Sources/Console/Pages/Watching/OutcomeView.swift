import Hits

/// What an app in preview made of one push, for a person: which tags fired, which rules passed or failed and what decided
/// (CO-502).
///
/// An app has sent it: nothing in it is taken for what it should be.
struct OutcomeView: Sendable {
  let outcome: [String: Value]
  let number: Int64
  let received: Int64

  private static let phrases = [
    "equals": "equals", "contains": "contains", "startsWith": "starts with", "endsWith": "ends with",
    "matchesRegex": "matches", "less": "is less than", "lessOrEqual": "is at most", "greater": "is greater than",
    "greaterOrEqual": "is at least",
  ]

  private var containers: [[String: Value]] { outcome.entries("containers") }

  var html: HTML {
    let event = outcome.word("event")
    let tags = containers.flatMap { $0.entries("tags") }
    let fired = tags.filter { ["fired", "started"].contains($0.word("status")) }.count
    return element(
      "details", .class("outcome"), .id("outcome-\(number)"),
      .flag("open", containers.contains { !$0.entries("rules").isEmpty })
    ) {
      element("summary") {
        element("span", .class("number"), text: "#\(outcome.whole("sequence") ?? number)")
        element("strong", text: event.isEmpty ? "no event" : event)
        element("span", .class(fired > 0 ? "good" : "quiet"), text: fired == 1 ? "1 tag fired" : "\(fired) tags fired")
        TimeText.html(received)
      }
      for container in containers {
        tagTable(container)
        rules(container)
        values(container)
      }
      if containers.isEmpty { element("p", .class("quiet"), text: outcome.word("disposition")) }
      for (key, title) in [("update", "What was pushed"), ("snapshot", "The data layer before it")] {
        if let value = outcome[key] {
          element("details") {
            element("summary", text: title)
            element("pre", text: JSONPrint.text(value))
          }
        }
      }
    }
  }

  private func tagTable(_ container: [String: Value]) -> HTML {
    let tags = container.entries("tags")
    let names = Dictionary(
      container.entries("rules").map { ($0.whole("index") ?? -1, title(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    guard !tags.isEmpty else { return element("p", .class("quiet"), text: "No tag.") }
    return element("ul", .class("tags")) {
      for tag in tags.prefix(200) {
        element("li", .class(kind(of: tag.word("status")))) {
          element("strong", text: tag.word("name"))
          element("span", .class("badge"), text: words(tag.word("status")))
          element(
            "span", .class("quiet"),
            text: (tag["rules"]?.list ?? []).compactMap { index in
              if case .int(let number) = index { names[number] } else { nil }
            }.joined(separator: ", "))
        }
      }
    }
  }

  private func kind(of status: String) -> String {
    switch status {
    case "fired", "started": "good"
    case let status where status.hasPrefix("failed") || status == "setupFailed": "bad"
    default: "quiet"
    }
  }

  private func words(_ status: String) -> String {
    switch status {
    case let status where status.hasPrefix("blocked"): "blocked"
    case "notFired(consent)": "not fired: no consent"
    case "notFired(schedule)": "not fired: outside its schedule"
    case "notFired(oncePerLoad)": "not fired: it has fired before"
    case "notFired(liveOnly)": "not fired: not in preview"
    default: status
    }
  }

  private func title(of rule: [String: Value]) -> String {
    rule.word("name").isEmpty ? rule.word("id") : rule.word("name")
  }

  private func rules(_ container: [String: Value]) -> HTML {
    let rules = container.entries("rules")
    let skipped = container.whole("rulesSkippedByEvent") ?? 0
    return element("ul", .class("rules"), .label("Triggers")) {
      for rule in rules.prefix(200) {
        let hasPassed = rule["passed"] == true
        element("li", .class(hasPassed ? "good" : "quiet")) {
          element("strong", text: title(of: rule))
          element("span", .class("badge"), text: hasPassed ? "passed" : "not met")
          for predicate in (hasPassed ? rule.entries("predicates") : rule.entries("predicates").suffix(1)).prefix(20) {
            element("span", .class("sentence"), text: sentence(predicate))
          }
        }
      }
      if skipped > 0 { element("li", .class("quiet"), text: "\(skipped) triggers wait for other events.") }
    }
  }

  /// The condition with its arguments.
  private func sentence(_ predicate: [String: Value]) -> String {
    let arguments = predicate["arguments"]?.map ?? [:]
    let texts = ["arg0", "arg1"].map { arguments[$0]?.jsonText ?? "(missing)" }
    let verb = Self.phrases[predicate.word("function")] ?? predicate.word("function")
    var text = "\(texts[0]) \(verb) \(texts[1]): \(predicate["result"] == true ? "true" : "false")"
    if predicate["negated"] == true { text = "not (\(text))" }
    return predicate.word("reason") == "compared" ? text : "\(text), \(predicate.word("reason"))"
  }

  private func values(_ container: [String: Value]) -> HTML? {
    let macros = container.entries("macros")
    guard !macros.isEmpty else { return nil }
    return element("details") {
      element("summary", text: "Variables (\(macros.count))")
      element("table", .class("list")) {
        element("tbody") {
          for macro in macros.prefix(500) {
            element("tr") {
              element("th", Attribute("scope", "row"), text: macro.word("name"))
              element("td", .class("mono"), text: macro["value"]?.jsonText ?? macro.word("reason"))
            }
          }
        }
      }
    }
  }
}
