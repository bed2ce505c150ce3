import Hits

/// What an app in preview made of one push, for a person: which tags fired, which rules passed or failed and what decided
/// (CO-502).
///
/// An app has sent it: nothing in it is taken for what it should be.
struct OutcomeView: Sendable {
  /// A line of a session as the API tells it.
  let line: [String: Value]
  let outcome: [String: Value]

  init(line: [String: Value]) {
    self.line = line
    outcome = line["outcome"]?.map ?? [:]
  }

  /// What a condition says, and what it says the other way round.
  private static let phrases = [
    "equals": ("equals", "does not equal"), "contains": ("contains", "does not contain"),
    "startsWith": ("starts with", "does not start with"), "endsWith": ("ends with", "does not end with"),
    "matchesRegex": ("matches", "does not match"), "less": ("is less than", "is not less than"),
    "lessOrEqual": ("is at most", "is not at most"), "greater": ("is greater than", "is not greater than"),
    "greaterOrEqual": ("is at least", "is not at least"),
  ]

  private var number: Int64 { line.whole("number") ?? 0 }
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
        element("strong", text: event.isEmpty ? "Values without an event" : event)
        if !event.isEmpty {
          element("span", .class(fired > 0 ? "good" : "quiet"), text: "\(CountText.text(fired, "tag")) fired")
        }
        TimeText.html(line.whole("received") ?? 0)
      }
      for container in containers {
        tagTable(container)
        rules(container)
        values(container)
      }
      if containers.isEmpty { element("p", .class("quiet"), text: fate) }
      if outcome["cut"] == true {
        element("p", .class("quiet"), text: "The push was too large for its values to be sent.")
      }
      if let update = outcome["update"] {
        element("details") {
          element("summary", text: "What was pushed")
          element("pre", text: JSONPrint.text(update))
        }
      }
      DataLayerView(line: line).html
    }
  }

  /// What became of a push for which no container had anything to do.
  private var fate: String {
    switch outcome.word("disposition") {
    case "merged": "The values are in the data layer. Only events make tags fire."
    case "evaluated": "No container was open."
    case "dropped(noContainer)": "The values are in the data layer; no container was open for the event."
    case "dropped(bufferFull)", "dropped(expired)":
      "The values are in the data layer; the event has waited too long for a container."
    case "dropped(pushLoop)": "The event came out of too many others, and was left out."
    case let word where word.hasPrefix("rejected"): "Nothing of it was taken: \(Self.plain(word))."
    case let word: word
    }
  }

  /// A word of the engine in plain words: `failed(noHandler)` is `failed: no handler`.
  private static func plain(_ word: String) -> String {
    var text = ""
    for character in word where character != ")" {
      if character == "(" {
        text += ": "
      } else if character.isUppercase, text.last?.isLetter == true {
        text += " " + character.lowercased()
      } else {
        text.append(character)
      }
    }
    return text
  }

  private func tagTable(_ container: [String: Value]) -> HTML {
    let tags = container.entries("tags")
    let names = Dictionary(
      container.entries("rules").map { ($0.whole("index") ?? -1, title(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    guard !tags.isEmpty else { return element("p", .class("quiet"), text: "No tag fires on it.") }
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
    case let status where status.hasPrefix("blocked"): "blocked by a trigger"
    case "started": "fired, not answered yet"
    case "setupFailed": "not fired: a tag before it failed"
    case "notFired(consent)": "not fired: no consent"
    case "notFired(schedule)": "not fired: outside its schedule"
    case "notFired(oncePerLoad)": "not fired: it has fired before"
    case "notFired(liveOnly)": "not fired: not in preview"
    case "failed(noHandler)": "failed: the app has no such function"
    case "failed(url)": "failed: the address is none"
    default: Self.plain(status)
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
      if skipped > 0 {
        element(
          "li", .class("quiet"), text: CountText.text(skipped, "trigger waits", "triggers wait") + " for other events.")
      }
    }
  }

  /// The condition with its arguments.
  private func sentence(_ predicate: [String: Value]) -> String {
    let arguments = predicate["arguments"]?.map ?? [:]
    let texts = ["arg0", "arg1"].map { arguments[$0]?.jsonText ?? "(missing)" }
    let isNegated = predicate["negated"] == true
    let function = predicate.word("function")
    let (verb, negation) = Self.phrases[function] ?? (function, "not " + function)
    // The app tells what the comparison gave before it was turned round.
    let holds = (predicate["result"] == true) != isNegated
    let text = "\(texts[0]) \(isNegated ? negation : verb) \(texts[1]): \(holds ? "yes" : "no")"
    let reason = predicate.word("reason")
    return reason == "compared" ? text : "\(text) (\(Self.plain(reason)))"
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
              element("td", .class("mono")) {
                macro["value"].map(DataLayerView.value) ?? HTML(text: Self.plain(macro.word("reason")))
              }
            }
          }
        }
      }
    }
  }
}
