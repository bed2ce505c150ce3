import Hits

/// The settings of a container: name, environments, tokens, removal (CO-801).
struct ContainerSettingsPages: Sendable {
  let site: PageSite

  private static let path = "/containers/{container}/settings"

  var routes: [Route] {
    [
      site.route(
        Self.path, get: { visit throws(APIError) in try await show(visit, FormParts(typed: TypedFields())) },
        post: rename),
      site.route(Self.path + "/approval", post: setApproval),
      site.route(Self.path + "/environments", post: makeEnvironment),
      site.route(Self.path + "/environments/{environment}/renew", post: renew),
      site.route(Self.path + "/environments/{environment}/remove", post: removeEnvironment),
      site.route(Self.path + "/tokens", post: makeToken), site.route(Self.path + "/tokens/revoke", post: revokeToken),
      site.route(Self.path + "/remove", post: remove),
    ]
  }

  private func address(_ visit: Visit) -> PageAddress { .container(visit.containerID, "settings") }

  private func show(
    _ visit: Visit, _ parts: FormParts, made: HTML? = nil, status: Int = 200
  ) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let environments = try await visit.ask("listEnvironments").entries("environments")
    let isAdmin = visit.may(.admin)
    let tokens =
      isAdmin ? try await visit.ask("listTokens", ["container": .string(container.id)]).entries("tokens") : []
    var parts = parts
    if parts.typed["name"] == nil { parts.typed["name"] = container.name }
    parts.isReadOnly = !isAdmin
    return PageFrame(title: "Settings", visit: visit, container: container, part: .settings).page(status: status) {
      element("h1", text: "Settings of \(container.name)")
      made
      parts.summary
      element("section", .class("panel")) {
        element("h2", text: "Name")
        element("form", Attribute("method", "post"), .action(address(visit))) {
          FormParts.token(visit)
          parts.line("name", "Name", isRequired: true)
          if isAdmin { element("button", .type("submit"), text: "Rename") }
        }
      }
      approval(container, visit, parts)
      self.environments(environments, visit, parts)
      if isAdmin {
        TokenInputs(visit: visit, address: address(visit).adding("tokens")).html(tokens, parts)
        element("details", .class("danger")) {
          element("summary", text: "Remove this container")
          element("form", Attribute("method", "post"), .action(address(visit).adding("remove"))) {
            FormParts.token(visit)
            element("p", text: "Apps get it no more. It can be brought back in the settings of the server.")
            element("button", .type("submit"), .class("danger"), text: "Remove the container")
          }
        }
      }
    }
  }

  private func approval(_ container: ContainerFacts, _ visit: Visit, _ parts: FormParts) -> HTML {
    var parts = parts
    parts.typed["approval"] = container.requiresApproval ? "on" : nil
    return element("section", .class("panel")) {
      element("h2", text: "Approval")
      element("form", Attribute("method", "post"), .action(address(visit).adding("approval"))) {
        FormParts.token(visit)
        parts.box(
          "approval", "Nobody publishes their own changes alone",
          help: "Somebody else publishes, or approves of the version first. Rolling back needs no approval.")
        if visit.may(.admin) { element("button", .type("submit"), text: "Save") }
      }
    }
  }

  private func setApproval(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("renameContainer", ["requiresApproval": .bool(visit.form.isChecked("approval"))])
    return .seeOther(address(visit).telling(.saved))
  }

  private func environments(_ environments: [[String: Value]], _ visit: Visit, _ parts: FormParts) -> HTML {
    element("section", .class("panel")) {
      element("h2", text: "Environments")
      element(
        "p", .class("help"),
        text: "Places for versions that not all apps get, such as staging; an app opens one with its token."
      )
      element("table", .class("list")) {
        element("thead") {
          element("tr") {
            for title in ["Name", "Live there", "Action"] { element("th", Attribute("scope", "col"), text: title) }
          }
        }
        element("tbody") { for environment in environments { row(environment, visit) } }
      }
      if visit.may(.admin) {
        element("form", Attribute("method", "post"), .action(address(visit).adding("environments"))) {
          FormParts.token(visit)
          parts.line(
            "environment", "New environment", help: "Up to 64 letters, digits, _, - and dots, such as staging.")
          element("button", .type("submit"), text: "Make it")
        }
      }
    }
  }

  private func row(_ environment: [String: Value], _ visit: Visit) -> HTML {
    let name = environment.word("name")
    let version = environment["publication"]?.map?.whole("version")
    return element("tr") {
      element("td", Attribute("data-label", "Name"), text: name)
      element("td", Attribute("data-label", "Live there"), text: version.map { "Version \($0)" } ?? "nothing")
      element("td", Attribute("data-label", "Action")) {
        if visit.may(.admin), name != "live" {
          for (step, text, consequence) in [
            ("renew", "New token", "Apps with the token of before get nothing more from here."),
            ("remove", "Remove", "Apps that open this environment get nothing more; the versions stay."),
          ] {
            Confirmation(
              visit: visit, address: address(visit).adding("environments", name, step), step: text,
              subject: "of environment \(name)", consequence: consequence
            ).html
          }
        }
      }
    }
  }

  private func rename(_ visit: Visit) async throws(APIError) -> ServerResponse {
    do throws(APIError) {
      _ = try await visit.ask("renameContainer", ["name": .string(visit.form.line("name"))])
      return .seeOther(address(visit).telling(.renamed))
    } catch {
      guard error.status == 400 else { throw error }
      return try await show(
        visit, FormParts(typed: visit.form, problems: ["name": "Give it a name of one line."]), status: 422)
    }
  }

  private func makeEnvironment(_ visit: Visit) async throws(APIError) -> ServerResponse {
    do throws(APIError) {
      let made = try await visit.ask("createEnvironment", ["name": .string(visit.form.line("environment"))])
      return try await shown(made, visit)
    } catch {
      guard [400, 409].contains(error.status) else { throw error }
      return try await show(
        visit, FormParts(typed: visit.form, problems: ["environment": error.sentence]), status: 422)
    }
  }

  private func shown(_ environment: [String: Value], _ visit: Visit) async throws(APIError) -> ServerResponse {
    try await show(
      visit, FormParts(typed: TypedFields()),
      made: TokenInputs.made(
        environment.word("token"), what: "Apps open the environment \(environment.word("name")) with it."), status: 201)
  }

  private func renew(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await shown(try await visit.ask("renewEnvironmentToken"), visit)
  }

  private func removeEnvironment(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("removeEnvironment")
    return .seeOther(address(visit).telling(.removed))
  }

  private func makeToken(_ visit: Visit) async throws(APIError) -> ServerResponse {
    let (fields, problems) = TokenInputs.fields(visit.form, container: visit.containerID)
    guard problems.isEmpty else {
      return try await show(visit, FormParts(typed: visit.form, problems: problems), status: 422)
    }
    let made = try await visit.ask("createToken", fields)
    return try await show(
      visit, FormParts(typed: TypedFields()),
      made: TokenInputs.made(made.word("token"), what: "Scripts send it as a bearer token."), status: 201)
  }

  private func revokeToken(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("revokeToken", path: ["id": visit.form["id"] ?? ""])
    return .seeOther(address(visit).telling(.revoked))
  }

  private func remove(_ visit: Visit) async throws(APIError) -> ServerResponse {
    _ = try await visit.ask("removeContainer")
    return .seeOther(PageAddress.home.telling(.removed))
  }
}
