import Foundation
import Hits
import WebTags

/// `tagworks webtags run`: sends a file of events into a hidden page on the web engine (WT-960).
enum WebTagsRun: Command {
  static let description = CommandDescription(
    path: "webtags run",
    summary: "Sends events into a hidden page on the web engine and tells what became of each.",
    options: [
      .init(name: "--page", value: "FILE|URL", help: "the page: a file, or what a URL answers", isRequired: true),
      .init(
        name: "--events", value: "FILE",
        help: "one event a line, {\"type\": \"view\", \"title\": …, \"data\": {…}}; - is standard input",
        isRequired: true),
      .init(
        name: "--tag", value: "NAME", help: "utag, matomo, gtm:ID, gtag:ID or dataLayer:NAME", defaultText: "utag"),
      .init(name: "--wait", value: "S", help: "how long the page may take to be ready", defaultText: "30"),
      .init(
        name: "--sandbox", value: "RULE", help: "required, whenPossible or disabled", defaultText: "required"),
      .init(name: "--json", help: "print one outcome a line as JSON, then a summary"),
    ],
    exits: [
      (.success, "every event was delivered"),
      (.inputHasErrors, "one was not, the page was not ready in time, there is no engine, or an event cannot be read"),
      (.unavailable, "a file cannot be read"),
    ],
    example: "tagworks webtags run --page page.html --events events.ndjson --sandbox whenPossible")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let configuration = try configuration(arguments)
    let wait = try arguments.seconds("--wait") ?? 30
    guard let sandbox = EngineSettings.Sandbox(rawValue: arguments.value("--sandbox") ?? "required") else {
      throw UsageError("--sandbox takes required, whenPossible or disabled")
    }
    let events = try WebTagEvents(path: arguments.value("--events") ?? "")
    let report = WebTagsReport(isJSON: arguments.has("--json"))
    let run = HiddenPageRun(
      configuration: configuration, host: HiddenPageRun.engine(sandbox), wait: .seconds(wait))
    let page = try await run.send(events.events) { report.line($0) }
    report.summary(page)
    return report.isAllDelivered && page == PageState.ready.name ? .success : .inputHasErrors
  }

  private static func configuration(_ arguments: Arguments) throws -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "tagworks", profile: "webtags", environment: "run")
    configuration.universalTag = try tag(arguments.value("--tag") ?? "utag")
    configuration.network.allowInsecure = true
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.logLevel = .qa
    let page = arguments.value("--page") ?? ""
    if page.hasPrefix("https://") || page.hasPrefix("http://") {
      guard let url = URL(string: page) else { throw UsageError("--page takes a file or a URL, not '\(page)'") }
      (configuration.pageURL, configuration.settingsURL) = (url, url)
    } else {
      let html = String(decoding: try InputFile.bytes(path: page, limit: 2 << 20), as: UTF8.self)
      configuration.pageMode = .bundled(html: html, base: Self.base)
    }
    do throws(WebTagsError) { try configuration.validate() } catch { throw UsageError(error.message) }
    return configuration
  }

  private static let base = URL(string: "https://page.invalid/") ?? URL(fileURLWithPath: "/")

  /// A universal tag whose script the page has.
  private static func tag(_ text: String) throws(UsageError) -> UniversalTag {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("utag", 1): return .utag
    case ("matomo", 1): return .matomo(base.appendingPathComponent("container_00000000.js"))
    case ("gtm", 2): return .gtm(parts[1])
    case ("gtag", 2): return .gtag(parts[1])
    case ("dataLayer", 2): return .dataLayer(name: parts[1], script: base, ready: parts[1])
    default: throw UsageError("--tag takes utag, matomo, gtm:ID, gtag:ID or dataLayer:NAME, not '\(text)'")
    }
  }
}

/// A file of events for a hidden page: `{"type": "view" | "link" | NAME, "title": TEXT, "data": {…}}` a line.
struct WebTagEvents {
  /// An event with the line that it is on.
  struct Entry {
    var line: Int
    var event: TagEvent
  }

  let events: [Entry]

  /// Reads a file; `-` is standard input.
  init(path: String) throws(CommandFailure) {
    let file = try EventsFile(path: path)
    var events: [Entry] = []
    for (line, members) in zip(file.lines, file.updates) {
      guard let event = Self.event(members) else {
        throw CommandFailure(
          "\(path): line \(line): an event is {\"type\": TEXT, \"title\": TEXT, \"data\": {…}}, nothing else")
      }
      events.append(Entry(line: line, event: event))
    }
    self.events = events
  }

  private static func event(_ members: [String: Value]) -> TagEvent? {
    guard Set(members.keys).isSubset(of: ["type", "title", "data"]) else { return nil }
    let (type, title, data) = (members["type"] ?? "link", members["title"] ?? "", members["data"] ?? [:])
    guard let type = type.string, let title = title.string, let data = data.map else { return nil }
    let kind: TagEvent.Kind =
      switch type {
      case "view": .view
      case "link": .link
      default: .custom(type)
      }
    return TagEvent(kind: kind, title: title, data: data)
  }
}
