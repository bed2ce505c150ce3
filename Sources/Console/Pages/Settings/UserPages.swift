import Hits

/// People: a new one, other roles, another password (CO-901, CO-902).
struct UserPages: Sendable {
  let site: PageSite

  var routes: [Route] {
    [
      site.route(
        "/settings/users/new",
        get: { visit throws(APIError) in
          _ = try await visit.ask("listUsers")
          return form(visit, FormParts(typed: TypedFields(["role": "viewer"])))
        }, post: create),
      site.route(
        "/settings/users/{id}",
        get: { visit throws(APIError) in
          let user = try await user(visit)
          var typed = TypedFields()
          RoleInputs.write(user.entries("roles"), into: &typed)
          return page(visit, user, FormParts(typed: typed))
        }, post: change),
      site.route("/settings/users/{id}/password", post: setPassword),
      site.route("/settings/users/{id}/disabled", post: setDisabled),
    ]
  }

  private func address(_ visit: Visit) -> PageAddress { PageAddress.settings.adding("users", visit.part("id")) }

  private func user(_ visit: Visit) async throws(APIError) -> [String: Value] {
    let users = try await visit.ask("listUsers").entries("users")
    guard let user = users.first(where: { $0.word("id") == visit.part("id") }) else { throw .notFound("person") }
    return user
  }

  private func form(_ visit: Visit, _ parts: FormParts, status: Int = 200) -> ServerResponse {
    PageFrame(title: "New person", visit: visit, part: .settings).page(status: status) {
      element("h1", text: "New person")
      parts.summary
      element("form", Attribute("method", "post"), .action(PageAddress.settings.adding("users", "new"))) {
        FormParts.token(visit)
        parts.line("name", "Name", help: "By what the person signs in.", isRequired: true)
        parts.line(
          "password", "First password", help: "At least 10 characters; the person can change it.", type: "password",
          isRequired: true, autocomplete: "new-password")
        RoleInputs.html(parts)
        element("div", .class("actions")) {
          element("button", .type("submit"), text: "Make the account")
          element("a", .href(.settings), text: "Cancel")
        }
      }
    }
  }

  private func create(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var parts = FormParts(typed: visit.form)
    guard visit.form["more"] == nil else { return form(visit, parts) }
    do throws(APIError) {
      _ = try await visit.ask(
        "createUser",
        [
          "name": .string(visit.form.line("name")), "password": .string(visit.form["password"] ?? ""),
          "roles": RoleInputs.roles(visit.form),
        ])
      return .seeOther(PageAddress.settings.telling(.userMade))
    } catch {
      parts.problems = try Self.problems(error)
      return form(visit, parts, status: 422)
    }
  }

  private static func problems(_ error: APIError) throws(APIError) -> [String: String] {
    guard [400, 409, 422].contains(error.status) else { throw error }
    let problems = error.problems
    guard problems.isEmpty else { return problems }
    return error.message.hasPrefix("name") || error.code == .exists
      ? ["name": error.sentence] : ["role": error.sentence]
  }

  private func page(_ visit: Visit, _ user: [String: Value], _ parts: FormParts, status: Int = 200) -> ServerResponse {
    let isDisabled = user["isDisabled"] == true
    return PageFrame(title: user.word("name"), visit: visit, part: .settings).page(status: status) {
      element("h1", text: user.word("name"))
      if isDisabled { element("p", .class("bad"), text: "This account is disabled: the person cannot sign in.") }
      parts.summary
      element("form", Attribute("method", "post"), .action(address(visit))) {
        FormParts.token(visit)
        RoleInputs.html(parts)
        element("div", .class("actions")) {
          element("button", .type("submit"), text: "Save")
          element("a", .href(.settings), text: "Back")
        }
      }
      element("section", .class("panel")) {
        element("h2", text: "Another password")
        element("form", Attribute("method", "post"), .action(address(visit).adding("password"))) {
          FormParts.token(visit)
          FormParts.owner(user.word("name"))
          parts.line(
            "password", "New password", help: "At least 10 characters. All sessions of the person end.",
            type: "password", autocomplete: "new-password")
          element("button", .type("submit"), text: "Set the password")
        }
      }
      element("section", .class("panel")) {
        element("h2", text: isDisabled ? "The account is disabled" : "Access")
        element("form", Attribute("method", "post"), .action(address(visit).adding("disabled"))) {
          FormParts.token(visit)
          FormParts.hidden("disabled", isDisabled ? "no" : "yes")
          element(
            "button", .type("submit"), .class(isDisabled ? "plain" : "danger"),
            text: isDisabled ? "Enable the account" : "Disable the account")
        }
      }
    }
  }

  private func change(_ visit: Visit) async throws(APIError) -> ServerResponse {
    guard visit.form["more"] == nil else { return page(visit, try await user(visit), FormParts(typed: visit.form)) }
    return try await attempt(visit, "changeUser", ["roles": RoleInputs.roles(visit.form)], .userChanged)
  }

  private func setPassword(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await attempt(
      visit, "setUserPassword", ["password": .string(visit.form["password"] ?? "")], .passwordChanged)
  }

  private func setDisabled(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await attempt(visit, "changeUser", ["isDisabled": .bool(visit.form["disabled"] == "yes")], .userChanged)
  }

  private func attempt(
    _ visit: Visit, _ operation: String, _ fields: [String: Value], _ notice: Notice
  ) async throws(APIError) -> ServerResponse {
    do throws(APIError) {
      _ = try await visit.ask(operation, fields)
      return .seeOther(address(visit).telling(notice))
    } catch {
      let problems = try Self.problems(error)
      let user = try await user(visit)
      var typed = visit.form
      if fields["roles"] == nil { RoleInputs.write(user.entries("roles"), into: &typed) }
      return page(visit, user, FormParts(typed: typed, problems: problems), status: 422)
    }
  }
}
