import Hits

/// The live view of apps in preview (CO-502): the sessions, what came of one, and what comes.
struct LivePages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/live"
  /// Outcomes that a page begins with.
  private static let shown = 50

  var routes: [Route] { [site.route(Self.path, get: show), site.route(Self.path + "/events", get: events)] }

  private func show(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let sessions = try await visit.ask("listTraceSessions").entries("sessions")
      .filter { $0.word("container") == container.id }
    let address = PageAddress.container(container.id, "live")
    // A session that is gone, as after a restart, leads to the liveliest.
    let session = sessions.first { $0.word("id") == visit.query["session"] } ?? sessions.first
    let chosen = session?.word("id")
    var lines: [[String: Value]] = []
    if let session, let chosen {
      let after = max(0, (session.whole("lines") ?? 0) - Int64(Self.shown))
      lines = try await self.lines(visit, of: chosen, after: after)
    }
    let last = lines.last?.whole("number") ?? 0
    return PageFrame(title: "Live view", visit: visit, container: container, part: .live, isLive: true).page {
      element("h1", text: "Live view")
      if sessions.isEmpty {
        element("div", .class("empty")) {
          element("p", text: "No app is in preview. Make a preview link, open it on a device, and use the app.")
          element("p") { element("a", .href(.container(container.id, "preview")), text: "To the preview links") }
        }
      } else {
        element("nav", .class("sessions"), .label("Sessions")) {
          element("ul") {
            for session in sessions.prefix(20) {
              element("li") {
                element(
                  "a", .href(address.asking("session", session.word("id"))),
                  session.word("id") == chosen ? Attribute("aria-current", "true") : nil
                ) {
                  "App since "
                  TimeText.html(session.whole("started") ?? 0)
                  ": \(CountText.text(session.whole("lines") ?? 0, "push", "pushes"))"
                }
              }
            }
          }
        }
      }
      if let chosen {
        element("p") {
          element(
            "a", .href(address.adding("replay").asking("session", chosen)), text: "Replay this against the draft")
        }
      }
      element("p", .class("quiet"), .id("live-state"), Attribute("role", "status"), text: "")
      element(
        "div", .id("live"),
        chosen.map { session in
          Attribute(
            "data-events",
            address.adding("events").asking("session", session).asking("after", String(last)).text)
        }, Attribute("aria-live", "polite"), Attribute("aria-relevant", "additions")
      ) {
        for line in lines.reversed() { view(line) }
      }
      if chosen == nil { element("div", .id("live-wait"), Attribute("data-reload", "")) }
    }
  }

  private func lines(_ visit: Visit, of session: String, after: Int64) async throws(APIError) -> [[String: Value]] {
    try await visit.ask(
      "getTraceSession", path: ["session": session],
      ["after": .int(after), "limit": .int(Int64(Self.shown)), "dataLayer": true]
    ).entries("lines")
  }

  private func view(_ line: [String: Value]) -> HTML { OutcomeView(line: line).html }

  private func events(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.container()
    let session = visit.query["session"] ?? ""
    let after = max(0, Int64(visit.lastEvent) ?? 0)
    let traces = site.api.context.traces
    let count = traces.changes.count
    var lines = try await lines(visit, of: session, after: after)
    if lines.isEmpty {
      await site.waits.run { await waitForLines(of: session, past: count, after: after) }
      lines = try await self.lines(visit, of: session, after: after)
    }
    return EventStream.response(
      lines.map { EventStream.Event(id: String($0.whole("number") ?? 0), data: view($0).markup) })
  }

  /// Waits until the session has more lines, and not only another one.
  private func waitForLines(of session: String, past count: Int64, after: Int64) async {
    let traces = site.api.context.traces
    let end = ContinuousClock.now + EventStream.longest
    var count = count
    while ContinuousClock.now < end, !traces.changes.isClosed {
      await traces.changes.wait(past: count, atMost: end - .now, by: site.clock)
      count = traces.changes.count
      if traces.lines(of: session, after: after, limit: 1)?.lines.isEmpty == false { return }
    }
  }
}
