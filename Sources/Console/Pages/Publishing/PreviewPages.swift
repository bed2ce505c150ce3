import Hits

/// Preview links: made for an app, shown as link and QR code, revoked (CO-500).
struct PreviewPages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/preview"

  var routes: [Route] {
    [
      site.route(
        Self.path, get: { visit throws(APIError) in try await show(visit, FormParts(typed: visit.query)) }, post: create
      ),
      site.route(Self.path + "/{id}/revoke", post: revoke),
    ]
  }

  private func show(
    _ visit: Visit, _ parts: FormParts, made: [String: Value]? = nil, status: Int = 200
  ) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let previews = try await visit.ask("listPreviews").entries("previews")
    let versions = try await visit.ask("listVersions", ["limit": 50]).entries("versions")
    return PageFrame(title: "Preview", visit: visit, container: container, part: .preview).page(status: status) {
      element("h1", text: "Preview")
      if let made { link(made, container) }
      if visit.may(.edit) { form(visit, parts, versions, container) }
      element("h2", text: "Links")
      if previews.isEmpty {
        element("p", .class("empty"), text: "There is no link yet. Make one, and open it on a device that has the app.")
      } else {
        table(previews, visit, container)
      }
    }
  }

  private func form(
    _ visit: Visit, _ parts: FormParts, _ versions: [[String: Value]], _ container: ContainerFacts
  ) -> HTML {
    element("section", .class("panel")) {
      element("h2", text: "New preview link")
      parts.summary
      element("form", Attribute("method", "post"), .action(.container(container.id, "preview"))) {
        FormParts.token(visit)
        parts.choice(
          "version", "What it shows",
          [("", "The draft")]
            + versions.map { version in
              let number = String(version.whole("number") ?? 0)
              return (number, "Version \(number) \(version.word("name"))")
            }, help: "The draft is always the one of the moment: save, and the app has it with its next refresh.")
        parts.line(
          "app", "App ID",
          help: "Such as com.example.shop. The link opens this app; without it only an app that takes web links does.")
        element("div", .class("actions")) { element("button", .type("submit"), text: "Make the link") }
      }
    }
  }

  /// The new link: it is shown this once, for its token is not kept.
  private func link(_ made: [String: Value], _ container: ContainerFacts) -> HTML {
    let link = made.word("link")
    let appLink = made["appLink"]?.string
    return element("section", .class("panel made"), Attribute("role", "status")) {
      element("h2", text: "The new link")
      element("p", text: "It is shown this once, and lets in for 7 days.")
      if let code = QRCode(appLink ?? link) {
        element(
          "img", .class("qr"), Attribute("src", code.imageURL), Attribute("alt", "QR code of the link"),
          Attribute("width", "240"), Attribute("height", "240"))
      }
      for (id, label, text) in [
        ("link", "Link for any browser", link), ("app-link", "Link for the app", appLink ?? ""),
      ]
      where !text.isEmpty {
        element("div", .class("field")) {
          element("label", .for(id), text: label)
          element("input", .id(id), .type("text"), .class("mono"), .flag("readonly", true), .value(text))
          element(
            "button", .type("button"), .class("plain"), Attribute("data-copy", id), .flag("hidden", true), text: "Copy")
        }
      }
      element("p") {
        element("a", .href(.container(container.id, "live")), text: "Watch the app in the live view")
      }
    }
  }

  private func table(_ previews: [[String: Value]], _ visit: Visit, _ container: ContainerFacts) -> HTML {
    element("table", .class("list")) {
      element("thead") {
        element("tr") {
          for title in ["Shows", "Made", "Ends", "State"] { element("th", Attribute("scope", "col"), text: title) }
        }
      }
      element("tbody") {
        for preview in previews.prefix(100) {
          let isOver = preview["revoked"] != nil || (preview.whole("expires") ?? 0) <= visit.now
          element("tr") {
            element(
              "td", Attribute("data-label", "Shows"),
              text: preview.whole("version").map { "Version \($0)" } ?? "The draft")
            element("td", Attribute("data-label", "Made")) {
              preview.word("author") + ", "
              TimeText.html(preview.whole("created") ?? 0)
            }
            element("td", Attribute("data-label", "Ends")) { TimeText.html(preview.whole("expires") ?? 0) }
            element("td", Attribute("data-label", "State")) {
              if isOver {
                preview["revoked"] != nil ? "revoked" : "over"
              } else if visit.may(.edit) {
                Confirmation(
                  visit: visit, address: .container(container.id, "preview").adding(preview.word("id"), "revoke"),
                  step: "Revoke", subject: "the link of " + TimeText.text(preview.whole("created") ?? 0) + " UTC",
                  consequence: "Apps that have opened the link go back to what is live."
                ).html
              }
            }
          }
        }
      }
    }
  }

  private func create(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var fields: [String: Value] = [:]
    fields["version"] = visit.form["version"].flatMap { Int64($0) }.map(Value.int)
    if !visit.form.line("app").isEmpty { fields["app"] = .string(visit.form.line("app")) }
    do throws(APIError) {
      let made = try await visit.ask("createPreview", fields)
      return try await show(visit, FormParts(typed: visit.form), made: made, status: 201)
    } catch {
      guard error.status == 400 else { throw error }
      let problem = "This is no app's id; it has letters, digits, dots and hyphens, such as com.example.shop."
      return try await show(visit, FormParts(typed: visit.form, problems: ["app": problem]), status: 422)
    }
  }

  private func revoke(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("revokePreview")
    return .seeOther(.container(visit.containerID, "preview").telling(.revoked))
  }
}
