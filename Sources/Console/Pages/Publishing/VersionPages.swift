import Authoring
import Hits

/// The draft's changes, the versions, and one version with what it changes and its files (CO-400, CO-405).
struct VersionPages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}"

  var routes: [Route] {
    [
      site.route(
        Self.path + "/changes",
        get: { visit throws(APIError) in try await changes(visit, FormParts(typed: TypedFields())) }),
      site.route(Self.path + "/versions", get: list, post: create),
      site.route(Self.path + "/versions/{version}", get: show),
      site.route(Self.path + "/versions/{version}/download", get: download),
      site.route(Self.path + "/versions/{version}/approve", post: approve),
      site.route(Self.path + "/versions/{version}/draft", post: restore),
    ]
  }

  private func changes(_ visit: Visit, _ parts: FormParts, status: Int = 200) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let changes = try await visit.ask("compareWorkspace").entries("changes")
    let validation = try await visit.ask("validateWorkspace")
    let (draft, workspace) = try await visit.draft()
    return PageFrame(title: "Draft changes", visit: visit, container: container, part: .changes).page(status: status) {
      element("h1", text: "Draft changes")
      parts.summary
      element("h2", text: draft.base.map { "Since version \($0)" } ?? "In the first version")
      ChangeView(changes: changes, names: FieldName(workspace)).html
      DiagnosticList(
        diagnostics: validation.entries("diagnostics"), container: container.id,
        isPublishable: validation["isPublishable"] == true
      ).html
      if visit.may(.edit) {
        element("section", .class("panel")) {
          element("h2", text: "Make a version")
          element("p", .class("help"), text: "A version keeps the draft as it is now. Publishing it is the next step.")
          element("form", Attribute("method", "post"), .action(.container(container.id, "versions"))) {
            FormParts.token(visit)
            FormParts.hidden("revision", String(validation.whole("revision") ?? 0))
            parts.line("name", "Name", help: "Such as Summer sale.")
            parts.area("notes", "Notes", help: "What is new in it.")
            element("div", .class("actions")) { element("button", .type("submit"), text: "Make the version") }
          }
        }
      }
    }
  }

  private func create(_ visit: Visit) async throws(APIError) -> ServerResponse {
    do throws(APIError) {
      let made = try await visit.ask(
        "createVersion",
        [
          "revision": .int(Int64(visit.form["revision"] ?? "") ?? 0), "name": .string(visit.form.line("name")),
          "notes": .string((visit.form["notes"] ?? "").replacing("\r\n", with: "\n")),
        ])
      return .seeOther(
        .container(visit.containerID, "versions").adding(String(made.whole("number") ?? 0)).telling(.versionMade))
    } catch {
      guard [400, 409].contains(error.status) else { throw error }
      let problems =
        error.status == 409 ? ["name": "The draft was saved meanwhile; look at the changes again."] : error.problems
      return try await changes(visit, FormParts(typed: visit.form, problems: problems), status: 409)
    }
  }

  private func list(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    var fields: [String: Value] = ["limit": 50]
    fields["before"] = visit.query["before"].flatMap { Int64($0) }.map { .int(max(0, $0)) }
    let answer = try await visit.ask("listVersions", fields)
    let versions = answer.entries("versions")
    let environments = try await visit.ask("listEnvironments").entries("environments")
    return PageFrame(title: "Versions", visit: visit, container: container, part: .versions).page {
      element("div", .class("heading")) {
        element("h1", text: "Versions")
        if visit.may(.edit) {
          element("a", .class("button"), .href(.container(container.id, "changes")), text: "New version")
        }
      }
      unpublished(container)
      if versions.isEmpty, visit.query["before"] == nil {
        element("p", .class("empty")) {
          "There is no version yet. A version keeps the draft as it is, and can be published. "
          element("a", .href(.container(container.id, "changes")), text: "Look at the draft's changes and make one")
          "."
        }
      } else {
        element("table", .class("list")) {
          element("thead") {
            element("tr") {
              for title in ["Version", "Name", "Made", "Live in", "Action"] {
                element("th", Attribute("scope", "col"), text: title)
              }
            }
          }
          element("tbody") {
            for version in versions { row(version, environments, container, mayPublish: visit.may(.publish)) }
          }
        }
        Pager(
          address: .container(container.id, "versions"), shown: versions.count, after: visit.query["before"] != nil,
          next: answer.whole("next").map(String.init), parameter: "before"
        ).html
      }
    }
  }

  private func row(
    _ version: [String: Value], _ environments: [[String: Value]], _ container: ContainerFacts, mayPublish: Bool
  ) -> HTML {
    let number = version.whole("number") ?? 0
    let places = environments.filter { $0["publication"]?.map?.whole("version") == number }.map { $0.word("name") }
    return element("tr") {
      element("td", Attribute("data-label", "Version")) {
        element("a", .href(.container(container.id, "versions").adding(String(number))), text: "Version \(number)")
      }
      element("td", Attribute("data-label", "Name"), text: version.word("name"))
      element("td", Attribute("data-label", "Made")) {
        version.word("author") + ", "
        TimeText.html(version.whole("created") ?? 0)
      }
      element("td", Attribute("data-label", "Live in"), text: places.joined(separator: ", "))
      element("td", Attribute("data-label", "Action")) {
        if mayPublish, container.kind.isApp {
          element(
            "a", .href(.container(container.id, "publish").asking("version", String(number))),
            .label("Publish version \(number)"), text: "Publish")
        }
      }
    }
  }

  private func show(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let version = try await visit.ask("getVersion")
    let changes = try await visit.ask("compareVersion").entries("changes")
    let number = version.whole("number") ?? 0
    let address = PageAddress.container(container.id, "versions").adding(String(number))
    let names = FieldName(try await visit.draft().workspace)
    return PageFrame(title: "Version \(number)", visit: visit, container: container, part: .versions).page {
      element("div", .class("heading")) {
        element("h1", text: "Version \(number)" + (version.word("name").isEmpty ? "" : ": \(version.word("name"))"))
        if visit.may(.publish), container.kind.isApp {
          element(
            "a", .class("button"), .href(.container(container.id, "publish").asking("version", String(number))),
            text: "Publish")
        }
      }
      element("p", .class("quiet")) {
        "Made by \(version.word("author")), "
        TimeText.html(version.whole("created") ?? 0)
      }
      unpublished(container)
      if !version.word("notes").isEmpty { element("p", .class("notes"), text: version.word("notes")) }
      approval(version, container, visit, address)
      element("h2", text: version.whole("parent").map { "Changes since version \($0)" } ?? "What is in it")
      ChangeView(changes: changes, names: names).html
      if visit.may(.edit) { restoring(visit, address) }
      downloads(address, container)
    }
  }

  /// Why nothing can be published here, where that is so (CO-202).
  private func unpublished(_ container: ContainerFacts) -> HTML? {
    guard !container.kind.isApp else { return nil }
    return element(
      "p", .class("quiet"),
      text: "This container is for \(container.kind.title). It is kept, versioned and exported here; what is published "
        + "are containers for apps.")
  }

  /// Who has approved, or the step that does (CO-402).
  private func approval(
    _ version: [String: Value], _ container: ContainerFacts, _ visit: Visit, _ address: PageAddress
  ) -> HTML? {
    if let approver = version["approver"]?.string {
      return element("p", .class("good"), text: "Approved by \(approver).")
    }
    guard container.requiresApproval else { return nil }
    return element("section", .class("panel")) {
      element(
        "p", text: "Nobody has approved of this version. Whoever has changed something in it cannot publish it alone.")
      if visit.may(.publish) {
        element("form", Attribute("method", "post"), .action(address.adding("approve"))) {
          FormParts.token(visit)
          element("button", .type("submit"), text: "Approve")
        }
      }
    }
  }

  private func approve(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("approveVersion")
    return .seeOther(.container(visit.containerID, "versions").adding(visit.part("version")).telling(.approved))
  }

  private func restoring(_ visit: Visit, _ address: PageAddress) -> HTML {
    element("section", .class("panel")) {
      element("h2", text: "Go on from here")
      element(
        "p", .class("help"),
        text: "Puts this version into the draft in place of what is there; you see first what would change.")
      element("form", Attribute("method", "post"), .action(address.adding("draft"))) {
        FormParts.token(visit)
        element("button", .type("submit"), .class("plain"), text: "Put it into the draft")
      }
    }
  }

  /// Looks at what the draft would lose and get; the page of imports asks before it is done.
  private func restore(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let text = try await visit.file("downloadVersion", ["form": "workspace"]).body
    let plan = try await visit.ask(
      "importWorkspace",
      ["revision": .int(try await visit.draft().draft.revision), "mode": "overwrite", "dryRun": true], body: text)
    let typed = TypedFields(["mode": "overwrite", "text": String(decoding: text, as: UTF8.self)])
    return try await ExchangePages(site: site).show(visit, FormParts(typed: typed), plan: plan)
  }

  private func downloads(_ address: PageAddress, _ container: ContainerFacts) -> HTML {
    let forms = [
      ("binary", "Binary", "\(container.id)"), ("json", "Compiled JSON", "\(container.id).json"),
      ("plist", "Values as a property list", "\(container.id).plist"),
      ("values", "Values as JSON", "\(container.id).json"),
      ("workspace", "Export file", "\(container.id).workspace.json"),
    ]
    return element("section", .class("panel")) {
      element("h2", text: "Download")
      element(
        "p", .class("help"), text: "Put a file under this name into the app's bundle, and it is the default container.")
      element("ul") {
        for (form, title, name) in forms where container.kind.isApp || form == "workspace" {
          element("li") {
            element("a", .href(address.adding("download").asking("form", form)), text: title)
            " "
            element("span", .class("mono"), text: name)
          }
        }
      }
    }
  }

  private func download(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let form = visit.query["form"]
    return try await visit.file("downloadVersion", form.map { ["form": .string($0)] } ?? [:]).response(200)
  }
}
