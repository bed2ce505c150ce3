import Hits

/// A recorded session replayed against the draft: which tags would run, and which did (CO-503).
struct ReplayPage: Sendable {
  let site: PageSite

  var routes: [Route] { [site.route("/containers/{container}/live/replay", get: show)] }

  private func show(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let session = visit.query["session"] ?? ""
    let events = try await visit.ask("replaySession", path: ["session": session]).entries("events")
    let changed = events.filter { $0["then"] != $0["now"] }
    return PageFrame(title: "Replay", visit: visit, container: container, part: .live).page {
      element("h1", text: "Replay against the draft")
      element(
        "p", .class("quiet"),
        text: "What the app in preview pushed, given to the draft as it is now: which tags ran, and which would run.")
      element(
        "p", .class(changed.isEmpty ? "good" : "notice"), Attribute("role", "status"),
        text: changed.isEmpty
          ? "The draft would have run the same tags."
          : "The draft would have run other tags at \(CountText.text(changed.count, "push", "pushes")).")
      element("table", .class("list")) {
        element("thead") {
          element("tr") {
            for title in ["Push", "Ran in the app", "Would run now"] {
              element("th", Attribute("scope", "col"), text: title)
            }
          }
        }
        element("tbody") {
          for (place, event) in events.enumerated() {
            let (then, now) = (names(event, "then"), names(event, "now"))
            element("tr", then == now ? nil : .class("changed")) {
              element("th", Attribute("scope", "row")) {
                element("span", .class("quiet"), text: "#\(place + 1) ")
                event.word("event").isEmpty ? "values" : event.word("event")
              }
              element("td", then == now ? nil : .class("was"), Attribute("data-label", "Ran in the app"), text: then)
              element("td", then == now ? nil : .class("is"), Attribute("data-label", "Would run now"), text: now)
            }
          }
        }
      }
      element("p") { element("a", .href(.container(container.id, "live")), text: "To the live view") }
    }
  }

  private func names(_ event: [String: Value], _ key: String) -> String {
    let names = (event[key]?.list ?? []).compactMap(\.string)
    return names.isEmpty ? "no tag" : names.joined(separator: ", ")
  }
}
