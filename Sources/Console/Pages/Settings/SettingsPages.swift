import Foundation
import Hits

/// The settings of the server: people, tokens, keys, containers that were removed (CO-801).
struct SettingsPages: Sendable {
  let site: PageSite

  var routes: [Route] {
    [
      site.route(
        "/settings", get: { visit throws(APIError) in try await show(visit, FormParts(typed: TypedFields())) }),
      site.route("/settings/tokens", post: makeToken), site.route("/settings/tokens/revoke", post: revokeToken),
      site.route("/settings/restore", post: restore),
    ]
  }

  private func show(
    _ visit: Visit, _ parts: FormParts, secret: String? = nil, status: Int = 200
  ) async throws(APIError) -> ServerResponse {
    let users = try await visit.ask("listUsers").entries("users")
    let tokens = try await visit.ask("listTokens").entries("tokens")
    return PageFrame(title: "Settings", visit: visit, part: .settings).page(status: status) {
      element("h1", text: "Settings")
      if let secret { TokenInputs.made(secret, what: "Scripts send it as a bearer token.") }
      parts.summary
      element("section", .class("panel")) {
        element("div", .class("heading")) {
          element("h2", text: "People")
          element("a", .class("button"), .href(PageAddress.settings.adding("users", "new")), text: "New person")
        }
        people(users)
      }
      TokenInputs(visit: visit, address: PageAddress.settings.adding("tokens")).html(tokens, parts)
      keys
      element("section", .class("panel")) {
        element("h2", text: "Bring a container back")
        element("form", Attribute("method", "post"), .action(PageAddress.settings.adding("restore"))) {
          FormParts.token(visit)
          parts.line("container", "Container ID", help: "Of a container that was removed.")
          element("button", .type("submit"), text: "Bring it back")
        }
      }
    }
  }

  private func people(_ users: [[String: Value]]) -> HTML {
    element("table", .class("list")) {
      element("thead") {
        element("tr") { for title in ["Name", "Roles"] { element("th", Attribute("scope", "col"), text: title) } }
      }
      element("tbody") {
        for user in users {
          element("tr") {
            element("td", Attribute("data-label", "Name")) {
              element("a", .href(PageAddress.settings.adding("users", user.word("id"))), text: user.word("name"))
              if user["isDisabled"] == true { element("span", .class("badge"), text: "disabled") }
            }
            element("td", Attribute("data-label", "Roles"), text: RoleInputs.text(user.entries("roles")))
          }
        }
      }
    }
  }

  private var keys: HTML {
    element("section", .class("panel")) {
      element("h2", text: "Signing keys")
      if site.keys.isEmpty {
        element(
          "p", .class("empty"),
          text: "Containers are not signed. Make a key with “tagworks key make FILE”, and start the server with "
            + "--signing-key FILE.")
      }
      for key in site.keys {
        element("div", .class("field")) {
          element("p") {
            "Key "
            element("span", .class("mono"), text: key.id)
          }
          element("p", .class("help"), text: "The public part, which apps check containers with, in base64:")
          element("p", .class("mono wrap"), text: Data(key.publicKey).base64EncodedString())
        }
      }
    }
  }

  private func makeToken(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let (fields, problems) = TokenInputs.fields(visit.form, container: nil)
    guard problems.isEmpty else {
      return try await show(visit, FormParts(typed: visit.form, problems: problems), status: 422)
    }
    let made = try await visit.ask("createToken", fields)
    return try await show(visit, FormParts(typed: TypedFields()), secret: made.word("token"), status: 201)
  }

  private func revokeToken(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("revokeToken", path: ["id": visit.form["id"] ?? ""])
    return .seeOther(PageAddress.settings.telling(.revoked))
  }

  private func restore(_ visit: Visit) async throws(APIError) -> ServerResponse {
    do throws(APIError) {
      let container = try await visit.ask("restoreContainer", ["container": .string(visit.form.line("container"))])
      return .seeOther(.container(container.word("id")).telling(.restored))
    } catch {
      guard [400, 404].contains(error.status) else { throw error }
      let problems = ["container": "No container of that id was removed."]
      return try await show(visit, FormParts(typed: visit.form, problems: problems), status: 422)
    }
  }
}
