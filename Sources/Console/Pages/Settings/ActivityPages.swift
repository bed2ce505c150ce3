import Hits

/// Who did what and when (CO-403): about one container, or all that the person may see.
struct ActivityPages: Sendable {
  let site: PageSite

  var routes: [Route] {
    [
      site.route("/activity", get: { visit throws(APIError) in try await show(visit, nil) }),
      site.route(
        "/containers/{container}/activity",
        get: { visit throws(APIError) in try await show(visit, try await visit.container()) }),
    ]
  }

  private func show(_ visit: Visit, _ container: ContainerFacts?) async throws(APIError) -> ServerResponse {
    var fields: [String: Value] = ["limit": 100]
    fields["container"] = container.map { .string($0.id) }
    fields["before"] = visit.query["before"].flatMap { Int64($0) }.map { .int(max(0, $0)) }
    let answer = try await visit.ask("listActivity", fields)
    let lines = answer.entries("activity")
    let workspace = container == nil ? nil : try await visit.draft().workspace
    return PageFrame(title: "Activity", visit: visit, container: container, part: .activity).page {
      element("h1", text: "Activity")
      if lines.isEmpty { element("p", .class("empty"), text: "Nothing was done yet.") }
      element("table", .class("list")) {
        element("thead") {
          element("tr") {
            for title in ["When", "Who", "What", "From", "To"] { element("th", Attribute("scope", "col"), text: title) }
          }
        }
        element("tbody") {
          for line in lines {
            element("tr") {
              element("td", Attribute("data-label", "When")) { TimeText.html(line.whole("time") ?? 0) }
              element("td", Attribute("data-label", "Who"), text: line.word("actor"))
              element("td", Attribute("data-label", "What")) {
                ActivitySentence(line: line, workspace: workspace).html
                if container == nil, !line.word("container").isEmpty {
                  " in "
                  element("a", .href(.container(line.word("container"))), text: line.word("container"))
                }
              }
              element("td", Attribute("data-label", "From"), text: ActivitySentence(line: line).state("from"))
              element("td", Attribute("data-label", "To"), text: ActivitySentence(line: line).state("to"))
            }
          }
        }
      }
      Pager(
        address: container.map { .container($0.id, "activity") } ?? .activity, shown: lines.count,
        after: visit.query["before"] != nil, next: answer.whole("next").map(String.init), parameter: "before"
      ).html
    }
  }
}
