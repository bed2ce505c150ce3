import Hits

/// The hits view (CO-701): the last ones and those that come, a chart, one hit with the names of its fields.
struct HitPages: Sendable {
  let site: PageSite

  private static let shown = 50
  private static let legend = [
    ("accepted", "accepted"), ("duplicate", "duplicate: was here before"), ("rejected", "rejected"),
  ]

  var routes: [Route] {
    [
      site.route("/hits", get: show), site.route("/hits/events", get: events),
      site.route("/hits/minutes.svg", get: chart), site.route("/hits/{number}", get: one),
    ]
  }

  /// Asks the API, which knows who may look at hits.
  private func admit(_ visit: Visit) async throws(APIError) { _ = try await visit.ask("countHits") }

  private func show(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await admit(visit)
    let filter = HitFilter(visit.query)
    let entries = site.watch.entries(limit: Self.shown, where: filter.holds)
    let minutes = site.watch.lastHour(at: visit.now)
    let parts = FormParts(typed: visit.query)
    return PageFrame(title: "Hits", visit: visit, part: .hits, isLive: true).page {
      element("h1", text: "Hits")
      element("figure", .class("chart")) {
        element(
          "img", .id("chart"), Attribute("src", PageAddress.hits.adding("minutes.svg").text), Attribute("alt", ""),
          Attribute("width", "600"), Attribute("height", "120"))
        element("figcaption") {
          element("p", .id("chart-text"), text: MinuteChart(minutes: minutes).sentence)
          element("p", .class("quiet")) {
            "Hits by the minute: "
            for (result, help) in Self.legend { element("span", .class("badge key \(result)"), text: help) }
          }
        }
      }
      element("form", .class("filters"), .action(.hits)) {
        parts.line("property", "Property", help: "Such as UA-12345-1.")
        parts.line("kind", "Type", help: "Such as event or screenview.")
        parts.line("version", "App version", help: "Such as 3.1.")
        parts.choice(
          "result", "Result",
          [("", "All"), ("accepted", "Accepted"), ("duplicate", "Duplicate"), ("rejected", "Rejected")])
        element("button", .type("submit"), text: "Show")
      }
      element("p", .class("quiet"), .id("live-state"), Attribute("role", "status"), text: "")
      if entries.isEmpty {
        element(
          "p", .class("empty"), .id("live-empty"),
          text: filter == HitFilter(TypedFields())
            ? "No hit has come since the server started. What apps and their tags send to this server shows up here by "
              + "itself."
            : "None of the last hits is like that; what comes and is shows up here by itself.")
      }
      element("table", .class("list")) {
        element("thead") {
          element("tr") {
            for title in ["Received", "Property", "Type", "What", "Result"] {
              element("th", Attribute("scope", "col"), text: title)
            }
          }
        }
        element(
          "tbody", .id("live"),
          Attribute(
            "data-events",
            filter.apply(to: PageAddress.hits.adding("events")).asking("after", String(entries.first?.number ?? 0)).text
          )
        ) { for entry in entries { row(entry) } }
      }
    }
  }

  private func row(_ entry: HitWatch.Entry) -> HTML {
    let hit = entry.hit
    return element("tr") {
      element("td", Attribute("data-label", "Received")) {
        element("a", .href(PageAddress.hits.adding(String(entry.number)))) { TimeText.html(hit.received) }
      }
      element("td", Attribute("data-label", "Property"), text: hit.property)
      element("td", Attribute("data-label", "Type"), text: hit.kind)
      element("td", Attribute("data-label", "What"), text: String(HitFacts(hit).title.prefix(120)))
      element("td", Attribute("data-label", "Result")) {
        element("span", .class("badge \(hit.result)"), text: hit.result)
      }
    }
  }

  private func events(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await admit(visit)
    let filter = HitFilter(visit.query)
    let after = max(0, Int64(visit.lastEvent) ?? 0)
    let end = ContinuousClock.now + EventStream.longest
    var count = site.watch.changes.count
    var entries = site.watch.entries(after: after, limit: Self.shown, where: filter.holds)
    await site.waits.run {
      while entries.isEmpty, ContinuousClock.now < end, !site.watch.changes.isClosed {
        await site.watch.changes.wait(past: count, atMost: end - .now, by: site.clock)
        count = site.watch.changes.count
        entries = site.watch.entries(after: after, limit: Self.shown, where: filter.holds)
      }
    }
    return EventStream.response(
      entries.reversed().map { EventStream.Event(id: String($0.number), data: row($0).markup) })
  }

  private func chart(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await admit(visit)
    return ServerResponse(
      status: 200, headers: ["Content-Type": "image/svg+xml"],
      body: MinuteChart(minutes: site.watch.lastHour(at: visit.now)).svg)
  }

  private func one(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await admit(visit)
    guard let entry = Int64(visit.part("number")).flatMap(site.watch.entry) else { throw .notFound("hit") }
    let facts = HitFacts(entry.hit)
    return PageFrame(title: "Hit", visit: visit, part: .hits).page {
      element("h1", text: facts.title.isEmpty ? "Hit" : facts.title)
      element("p") {
        element("span", .class("badge \(entry.hit.result)"), text: entry.hit.result)
        " " + [entry.hit.property, entry.hit.kind].filter { !$0.isEmpty }.joined(separator: ", ") + ", received "
        TimeText.html(entry.hit.received)
      }
      if let reason = facts.reason {
        element("p", .class("problem"), text: "Why it was rejected: \(reason)")
      }
      element("table", .class("list")) {
        element("thead") {
          element("tr") {
            for title in ["Field", "Name", "Value"] { element("th", Attribute("scope", "col"), text: title) }
          }
        }
        element("tbody") {
          for (key, value) in facts.fields.sorted(by: { $0.key < $1.key }) {
            element("tr") {
              element("th", .class("mono"), Attribute("scope", "row"), text: key)
              element("td", Attribute("data-label", "Name"), text: FieldTitle.text(key))
              element("td", .class("mono"), Attribute("data-label", "Value"), text: value)
            }
          }
        }
      }
      if let parameters = facts.parameters {
        element("h2", text: "Parameters")
        element("pre", text: JSONPrint.text(.map(parameters)))
      }
      element("p") { element("a", .href(.hits), text: "To the hits") }
    }
  }
}

/// What the fields of the measurement protocol are called.
enum FieldTitle {
  static func text(_ key: String) -> String { names[key] ?? "" }

  private static let names = [
    "v": "Protocol version", "tid": "Property", "cid": "Client ID", "uid": "User ID", "t": "Type", "an": "App name",
    "av": "App version", "aid": "App ID", "aiid": "App installer", "cd": "Screen name", "ec": "Event category",
    "ea": "Event action", "el": "Event label", "ev": "Event value", "ni": "Non-interaction", "exd": "Exception",
    "exf": "Fatal", "ul": "Language", "sr": "Screen resolution", "dl": "Location", "dh": "Host", "dp": "Page",
    "dt": "Title", "qt": "Queue time in milliseconds", "z": "Cache buster", "ti": "Transaction", "ta": "Affiliation",
    "tr": "Revenue", "tt": "Tax", "ts": "Shipping", "cu": "Currency", "pa": "Product action", "utc": "Timing category",
    "utv": "Timing variable", "utt": "Timing in milliseconds", "utl": "Timing label", "sn": "Social network",
    "sa": "Social action", "st": "Social target", "aip": "Anonymize address", "ds": "Data source",
    "sc": "Session control",
    "cn": "Campaign name", "cs": "Campaign source", "cm": "Campaign medium", "ck": "Campaign keyword",
    "cc": "Campaign content",
  ]
}
