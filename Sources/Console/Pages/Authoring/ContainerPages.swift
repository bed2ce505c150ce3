import Authoring
import Hits

/// The containers: found by id or name, page by page, and a new one.
struct ContainerPages: Sendable {
  let site: PageSite

  private static let limit: Int64 = 50

  var routes: [Route] {
    [
      Route.reading("/") { _ in .seeOther(.home) },
      site.route("/containers", get: list, post: create),
      site.route("/containers-new", get: { visit throws(APIError) in form(visit, FormParts(typed: TypedFields())) }),
    ]
  }

  private static let new = PageAddress("containers-new")

  private func list(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let search = visit.query.line("q")
    var fields: [String: Value] = ["limit": .int(Self.limit), "search": .string(String(search.prefix(64)))]
    fields["after"] = visit.query["after"].map { .string(String($0.prefix(64))) }
    let answer = try await visit.ask("listContainers", fields)
    let containers = answer.entries("containers")
    return PageFrame(title: "Containers", visit: visit, part: .containers).page {
      element("div", .class("heading")) {
        element("h1", text: "Containers")
        if visit.mayEverywhere(.admin) { element("a", .class("button"), .href(Self.new), text: "New container") }
      }
      if containers.isEmpty, search.isEmpty, visit.query["after"] == nil {
        element("p", .class("empty")) {
          visit.mayEverywhere(.admin)
            ? "There is no container yet. Make one for each app; it holds the tags, triggers and variables of the app."
            : "No container is open to you. Ask an administrator for a role."
        }
      } else {
        SearchForm(address: .home, search: search, noun: "container").html
        table(containers)
        Pager(
          address: PageAddress.home.asking("q", search.isEmpty ? nil : search), shown: containers.count,
          after: visit.query["after"] != nil, next: answer["next"]?.string
        ).html
      }
    }
  }

  private func table(_ containers: [[String: Value]]) -> HTML {
    element("table", .class("list")) {
      element("thead") {
        element("tr") { for title in ["Name", "ID", "For"] { element("th", Attribute("scope", "col"), text: title) } }
      }
      element("tbody") {
        for container in containers {
          element("tr") {
            element("td", Attribute("data-label", "Name")) {
              element("a", .href(.container(container.word("id"))), text: container.word("name"))
            }
            element("td", .class("mono"), Attribute("data-label", "ID"), text: container.word("id"))
            element(
              "td", Attribute("data-label", "For"),
              text: ContainerKind(rawValue: container.word("kind"))?.title ?? container.word("kind"))
          }
        }
      }
    }
  }

  private func form(_ visit: Visit, _ parts: FormParts, status: Int = 200) -> ServerResponse {
    PageFrame(title: "New container", visit: visit, part: .containers).page(status: status) {
      element("h1", text: "New container")
      parts.summary
      element("form", Attribute("method", "post"), .action(.home)) {
        FormParts.token(visit)
        parts.line("name", "Name", help: "What people call it, such as the app's name.", isRequired: true)
        parts.choice(
          "kind", "What it is for", ContainerKind.allCases.map { ($0.rawValue, $0.title) },
          help: "Containers for apps are compiled and published; others can be kept, shown and exported.")
        parts.line("id", "ID", help: "By what apps open it, such as GTM-SHOP. One is made when this is empty.")
        element("div", .class("actions")) {
          element("button", .type("submit"), text: "Make it")
          element("a", .href(.home), text: "Cancel")
        }
      }
    }
  }

  private func create(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var fields: [String: Value] = [
      "name": .string(visit.form.line("name")), "kind": .string(visit.form["kind"] ?? ContainerKind.iOS.rawValue),
    ]
    if !visit.form.line("id").isEmpty { fields["id"] = .string(visit.form.line("id")) }
    do throws(APIError) {
      let made = try await visit.ask("createContainer", fields)
      return .seeOther(.container(made.word("id")))
    } catch {
      guard [400, 409, 422].contains(error.status) else { throw error }
      var problems = error.problems
      if problems.isEmpty {
        let isName = error.message.hasPrefix("name")
        problems[isName ? "name" : "id"] =
          isName
          ? "Give it a name." : error.status == 409 ? "There is such a container, or there was one." : error.sentence
      }
      return form(visit, FormParts(typed: visit.form, problems: problems), status: 422)
    }
  }
}

extension ContainerKind {
  /// What it is for, as people say it.
  var title: String {
    switch self {
    case .iOS: "iOS app"
    case .android: "Android app"
    case .web: "Web"
    case .server: "Server"
    case .amp: "AMP"
    }
  }
}
