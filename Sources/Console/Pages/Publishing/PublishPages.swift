import Hits

/// Publishing and rolling back, asked once before it is done (CO-400, CO-802).
struct PublishPages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/publish"

  var routes: [Route] { [site.route(Self.path, get: ask, post: publish)] }

  private func ask(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var typed = visit.query
    if typed["percent"] == nil { typed["percent"] = "100" }
    return try await form(visit, FormParts(typed: typed))
  }

  private func form(_ visit: Visit, _ parts: FormParts, status: Int = 200) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let number = Int64(parts.typed["version"] ?? "") ?? 0
    _ = try await visit.ask("getVersion", path: ["version": String(number)])
    let environments = try await visit.ask("listEnvironments").entries("environments")
    let chosen = parts.typed["environment"] ?? "live"
    let inForce = environments.first { $0.word("name") == chosen }?["publication"]?.map?.whole("version")
    let changes = try await visit.ask(
      "compareVersion", path: ["version": String(number)], inForce.map { ["from": .int($0)] } ?? [:]
    ).entries("changes")
    let names = FieldName(try await visit.draft().workspace)
    let isBack = inForce.map { number < $0 } ?? false
    let title = isBack ? "Roll back to version \(number)" : "Publish version \(number)"
    return PageFrame(title: title, visit: visit, container: container, part: .versions).page(status: status) {
      element("h1", text: title)
      parts.summary
      element("p") {
        inForce.map { "Version \($0) is in the environment \(chosen) now." }
          ?? "Nothing is in the environment \(chosen) yet."
      }
      element("form", Attribute("method", "post"), .action(.container(container.id, "publish"))) {
        FormParts.token(visit)
        FormParts.hidden("version", String(number))
        parts.choice(
          "environment", "Environment", environments.map { ($0.word("name"), $0.word("name")) },
          help: "Apps get what is in live; the others are for apps that have their token.")
        parts.line(
          "percent", "Percent of installs",
          help: "100 for all. With less, the other installs keep what they have; an install is always in or always out."
        )
        element("div", .class("actions")) {
          element("button", .type("submit"), text: isBack ? "Roll back" : "Publish")
          element("a", .href(.container(container.id, "versions")), text: "Cancel")
        }
      }
      element("h2", text: inForce.map { "What changes for apps, from version \($0)" } ?? "What apps get")
      ChangeView(changes: changes, names: names).html
    }
  }

  private func publish(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let environment = visit.form["environment"] ?? "live"
    let percent = Double(visit.form.line("percent").replacing(",", with: "."))
    var parts = FormParts(typed: visit.form)
    guard let percent, 0...100 ~= percent else {
      parts.problems = ["percent": "A number from 0 to 100, with at most two decimals."]
      return try await form(visit, parts, status: 422)
    }
    do throws(APIError) {
      let before = try await visit.ask("listEnvironments").entries("environments")
        .first { $0.word("name") == environment }?["publication"]?.map?.whole("version")
      let version = Int64(visit.form["version"] ?? "") ?? 0
      _ = try await visit.ask(
        "publish", path: ["environment": environment], ["version": .int(version), "percent": .double(percent)])
      return .seeOther(
        .container(visit.containerID, "versions").telling(
          before.map { version < $0 } ?? false ? .rolledBack : .published))
    } catch {
      let needsApproval = error.status == 403 && visit.may(.publish)
      guard [400, 422].contains(error.status) || needsApproval else { throw error }
      let lines = error.diagnostics.prefix(5).compactMap(\.map).map(DiagnosticText.line)
      let input = error.message.contains("share") || error.message.contains("percent") ? "percent" : "environment"
      parts.problems = [input: ([error.sentence] + lines).joined(separator: " ")]
      return try await form(visit, parts, status: error.status)
    }
  }
}
