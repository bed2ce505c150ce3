import Authoring
import Hits
import TagManager

/// A container at a glance: what changed in the draft, what is live, what apps do (CO-801).
struct OverviewPage: Sendable {
  let site: PageSite

  var routes: [Route] { [site.route("/containers/{container}", get: show)] }

  private func show(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let changes = try await visit.ask("compareWorkspace").entries("changes")
    let validation = try await visit.ask("validateWorkspace")
    let environments = try await visit.ask("listEnvironments").entries("environments")
    let (draft, workspace) = try await visit.draft()
    let isEmpty = workspace.tags.isEmpty && workspace.triggers.isEmpty && workspace.variables.isEmpty
    return PageFrame(title: container.name, visit: visit, container: container, part: .overview).page {
      element("h1", text: container.name)
      if isEmpty { firstSteps(container, visit) }
      element("div", .class("cards")) {
        element("section", .class("panel")) {
          element("h2", text: "Draft")
          element("p", text: draftSentence(changes: changes.count, isFirst: draft.base == nil))
          element("p", .class("quiet")) {
            "Last saved by \(draft.saved.actor.name), "
            TimeText.html(draft.saved.time)
          }
          element("p") { element("a", .href(.container(container.id, "changes")), text: "See the changes") }
        }
        element("section", .class("panel")) {
          element("h2", text: "Live")
          for environment in environments { live(environment, container) }
          element("p") { element("a", .href(.container(container.id, "versions")), text: "Versions") }
        }
        element("section", .class("panel")) {
          element("h2", text: "Apps")
          fetches(container)
          if visit.mayEverywhere(.read) {
            element(
              "p",
              text: CountText.text(site.watch.lastHour(at: visit.now).last?.total ?? 0, "hit")
                + " in the last minute, from all apps.")
            element("p") { element("a", .href(.hits), text: "To the hits") }
          }
          element("p") { element("a", .href(.container(container.id, "live")), text: "Live view of apps in preview") }
        }
      }
      diagnostics(validation, container)
    }
  }

  private func draftSentence(changes: Int, isFirst: Bool) -> String {
    guard changes > 0 else {
      return isFirst ? "Nothing is in it yet." : "No changes since the last version."
    }
    return CountText.text(changes, "change") + (isFirst ? ", and no version yet." : " since the last version.")
  }

  private func firstSteps(_ container: ContainerFacts, _ visit: Visit) -> HTML {
    element("section", .class("empty")) {
      element("p", text: "This container is empty. What to do next:")
      element("ol") {
        element("li") {
          element("a", .href(.container(container.id, "triggers")), text: "Make a trigger: when something happens")
        }
        element("li") { element("a", .href(.container(container.id, "tags")), text: "Make a tag: what is sent then") }
        element("li") { element("a", .href(.container(container.id, "preview")), text: "Preview it in the app") }
        element("li") {
          element("a", .href(.container(container.id, "changes")), text: "Make a version and publish it")
        }
      }
      element("p") {
        "Or "
        element("a", .href(.container(container.id, "exchange")), text: "import an export file")
        "."
      }
    }
  }

  private func live(_ environment: [String: Value], _ container: ContainerFacts) -> HTML {
    element("p") {
      element("strong", text: environment.word("name"))
      if let publication = environment["publication"]?.map {
        ": "
        element(
          "a", .href(.container(container.id, "versions").adding(String(publication.whole("version") ?? 0))),
          text: "version \(publication.whole("version") ?? 0)")
        PercentText.html(publication["percent"])
        ", by \(publication.word("author")), "
        TimeText.html(publication.whole("published") ?? 0)
      } else {
        ": nothing yet"
      }
    }
  }

  private func fetches(_ container: ContainerFacts) -> HTML {
    let fetches = site.fetches.counts[ContainerID(container.id)] ?? FetchTally.Counts()
    let count = fetches.whole + fetches.unchanged
    return element(
      "p",
      text: count == 0
        ? "No app has asked for the container since the server started."
        : "Apps asked for the container \(CountText.text(count, "time")) since the server started, and got a new one "
          + CountText.text(fetches.whole, "time") + ".")
  }

  private func diagnostics(_ validation: [String: Value], _ container: ContainerFacts) -> HTML {
    DiagnosticList(
      diagnostics: validation.entries("diagnostics"), container: container.id,
      isPublishable: validation["isPublishable"] == true
    ).html
  }
}

/// What the author should know about a workspace, each with the way to what it is about (CO-206).
struct DiagnosticList: Sendable {
  let diagnostics: [[String: Value]]
  let container: String
  let isPublishable: Bool

  private static let most = 100

  var html: HTML {
    element("section", .class("panel")) {
      element("h2", text: "Checks")
      element(
        "p", .class(isPublishable ? "good" : "bad"),
        text: isPublishable ? "Nothing stands in the way of publishing." : "Errors stand in the way of publishing.")
      if !diagnostics.isEmpty {
        element("ul", .class("diagnostics")) {
          for diagnostic in diagnostics.prefix(Self.most) { item(diagnostic) }
        }
      }
    }
  }

  private func item(_ diagnostic: [String: Value]) -> HTML {
    let severity = ["error", "warning", "info"].first { $0 == diagnostic.word("severity") } ?? "info"
    return element("li", .class(severity)) {
      element("span", .class("badge"), text: severity)
      " "
      if let entity = diagnostic["entity"]?.map,
        let collection = EntityCollection.allCases.first(where: { $0.kind.rawValue == entity.word("kind") })
      {
        element(
          "a", .href(.container(container, collection.rawValue).adding(entity.word("id"))),
          text: "\(collection.noun) “\(entity.word("name"))”")
        ": "
      }
      diagnostic.word("message")
    }
  }
}

/// A share of installs, where it is not all of them.
enum PercentText {
  static func html(_ value: Value?) -> HTML? {
    switch value {
    case .double(let percent) where percent < 100: HTML(text: " for \(NumberText.text(percent)) % of installs")
    case .int(let percent) where percent < 100: HTML(text: " for \(percent) % of installs")
    default: nil
    }
  }
}
