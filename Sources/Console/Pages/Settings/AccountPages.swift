import Hits

/// A person's own page: roles, and another password (CO-902).
struct AccountPages: Sendable {
  let site: PageSite

  var routes: [Route] {
    [
      site.route(
        "/account", get: { visit throws(APIError) in show(visit, FormParts(typed: TypedFields())) }, post: change)
    ]
  }

  private func show(_ visit: Visit, _ parts: FormParts, status: Int = 200) -> ServerResponse {
    PageFrame(title: "Your account", visit: visit).page(status: status) {
      element("h1", text: "Your account")
      element("p", text: "You are \(visit.user.name). Your roles: \(visit.user.rights.summary).")
      element("section", .class("panel")) {
        element("h2", text: "Another password")
        parts.summary
        element("form", Attribute("method", "post"), .action(.account)) {
          FormParts.token(visit)
          FormParts.owner(visit.user.name)
          parts.line(
            "current", "Password now", type: "password", isRequired: true, autocomplete: "current-password")
          parts.line(
            "password", "New password", help: "At least 10 characters. Your other sessions end.", type: "password",
            isRequired: true, autocomplete: "new-password")
          element("button", .type("submit"), text: "Change it")
        }
      }
    }
  }

  private func change(_ visit: Visit) async throws(APIError) -> ServerResponse {
    var parts = FormParts(typed: visit.form)
    let password = visit.form["password"] ?? ""
    if let problem = PasswordRule.problem(with: password) {
      parts.problems = ["password": problem]
      return show(visit, parts, status: 422)
    }
    let outcome = try await site.signIn.confirm(
      visit.user, password: visit.form["current"] ?? "", from: visit.request.client)
    switch outcome {
    case .done: break
    case .wrong: parts.problems = ["current": "This is not your present password."]
    case .wait(let seconds): parts.problems = ["current": "Too many tries; wait \(CountText.text(seconds, "second"))."]
    }
    guard parts.problems.isEmpty else { return show(visit, parts, status: 422) }
    let hash = try await site.api.context.passwords.hash(password)
    try await site.api.context.stored { () throws(WorkspaceStoreError) in
      try await site.api.context.store.setPassword(
        hash, of: visit.user.id, keeping: visit.key.digest, by: Authorship(visit.user.actor, at: visit.now))
    }
    return .seeOther(PageAddress.account.telling(.passwordChanged))
  }
}
