import Hits

/// The way in and out: the set-up by the one-time link, signing in, signing out (CO-100, CO-902).
struct EntrancePages: Sendable {
  let site: PageSite

  var routes: [Route] {
    [
      Route("/sign-in", ["GET": signInPage, "HEAD": signInPage, "POST": signIn]),
      Route("/setup", ["GET": setupPage, "HEAD": setupPage, "POST": setUp]),
      site.route("/sign-out", post: signOut),
    ].map { route in
      var route = route
      route.bodyLimit = 64 << 10
      return route
    }
  }

  // A browser that has not signed in has a key too, so that its forms can be told from those of other sites.

  private func key(_ request: ServerRequest) -> (key: BrowserKey, isNew: Bool) {
    BrowserKey(request.headers).map { ($0, false) } ?? (site.sessions.freshKey(), true)
  }

  private func respond(
    _ request: ServerRequest, _ page: (BrowserKey) -> ServerResponse
  ) -> ServerResponse {
    let (key, isNew) = key(request)
    var response = page(key)
    if isNew { response.headers.add(key.setting(isSecure: site.isSecure), for: "Set-Cookie") }
    return site.secured(response)
  }

  /// Whether a form has come from a page that this browser was given.
  private func isOwn(_ request: ServerRequest, _ form: TypedFields) -> Bool {
    BrowserKey(request.headers)?.isToken(form[BrowserKey.field]) ?? false
  }

  private static let foreign = "This form was too long open. Send it again."

  private func isSetUp() async -> Bool {
    // A store that does not answer is told by the page that comes next.
    (try? await site.api.context.store.isSetUp()) ?? true
  }

  private func signInPage(_ request: ServerRequest) async -> ServerResponse {
    if let found = try? await site.sessions.find(request.headers), !found.user.isDisabled {
      return site.secured(.seeOther(.home))
    }
    let isSetUp = await isSetUp()
    return respond(request) { key in
      Self.signInForm(key, FormParts(typed: TypedFields(request.query)), isSetUp: isSetUp)
    }
  }

  private static func signInForm(
    _ key: BrowserKey, _ parts: FormParts, isSetUp: Bool = true, status: Int = 200
  ) -> ServerResponse {
    PageFrame(title: "Sign in").page(status: status) {
      element("div", .class("entrance")) {
        element("h1", text: "Sign in")
        if !isSetUp {
          element(
            "p", .class("notice"),
            text: "Nobody can sign in yet. The server has printed a link for its set-up when it started; open it first."
          )
        }
        parts.summary
        element("form", Attribute("method", "post"), .action(.signIn)) {
          FormParts.hidden(BrowserKey.field, key.token)
          FormParts.hidden("next", parts.typed["next"] ?? "")
          parts.line("name", "Name", isRequired: true, autocomplete: "username")
          parts.line("password", "Password", type: "password", isRequired: true, autocomplete: "current-password")
          element("div", .class("actions")) { element("button", .type("submit"), text: "Sign in") }
        }
      }
    }
  }

  private func signIn(_ request: ServerRequest) async -> ServerResponse {
    let form = TypedFields(request.body)
    var parts = FormParts(typed: form)
    guard isOwn(request, form) else {
      parts.problems = ["name": Self.foreign]
      return respond(request) { Self.signInForm($0, parts, status: 403) }
    }
    do throws(APIError) {
      let outcome = try await site.signIn.attempt(
        name: form.line("name"), password: form["password"] ?? "", from: request.client)
      switch outcome {
      case .done(let user): return try await welcome(user, request, to: PageAddress(own: form["next"]) ?? .home)
      case .wrong:
        parts.problems = ["name": "Name or password is wrong."]
        return respond(request) { Self.signInForm($0, parts, status: 401) }
      case .wait(let seconds):
        parts.problems = ["name": "Too many tries; wait \(CountText.text(seconds, "second"))."]
        var response = respond(request) { Self.signInForm($0, parts, status: 429) }
        response.headers["Retry-After"] = String(seconds)
        return response
      }
    } catch {
      return site.secured(ErrorPage(error: error).response(nil))
    }
  }

  /// Begins a session under a new secret, whatever the browser had before: nobody can have chosen it (CO-902).
  private func welcome(
    _ user: ConsoleUser, _ request: ServerRequest, to address: PageAddress
  ) async throws(APIError) -> ServerResponse {
    let key = try await site.api.context.stored { () throws(WorkspaceStoreError) in
      try await site.sessions.begin(for: user, after: BrowserKey(request.headers))
    }
    var response = ServerResponse.seeOther(address)
    response.headers.add(key.setting(isSecure: site.isSecure), for: "Set-Cookie")
    return site.secured(response)
  }

  private func signOut(_ visit: Visit) async throws(APIError) -> ServerResponse {
    try await site.api.context.stored { () throws(WorkspaceStoreError) in
      try await site.sessions.end(visit.key)
      try await site.signIn.note(.signedOut, of: visit.user.actor)
    }
    var response = ServerResponse.seeOther(.signIn)
    response.headers.add(BrowserKey.removal(isSecure: site.isSecure), for: "Set-Cookie")
    return response
  }

  private func setupPage(_ request: ServerRequest) async -> ServerResponse {
    guard await !isSetUp() else { return site.secured(.seeOther(.signIn)) }
    return respond(request) { Self.setupForm($0, FormParts(typed: TypedFields(request.query))) }
  }

  private static func setupForm(_ key: BrowserKey, _ parts: FormParts, status: Int = 200) -> ServerResponse {
    PageFrame(title: "Set up").page(status: status) {
      element("div", .class("entrance")) {
        element("h1", text: "Set up Tagworks")
        element("p", text: "Choose the name and password of the first administrator.")
        parts.summary
        element("form", Attribute("method", "post"), .action(.setup)) {
          FormParts.hidden(BrowserKey.field, key.token)
          if parts.typed.line("token").isEmpty || parts.problems["token"] != nil {
            parts.line("token", "One-time token", help: "The server has printed it when it started.", isRequired: true)
          } else {
            FormParts.hidden("token", parts.typed.line("token"))
          }
          parts.line("name", "Name", help: "By what you sign in.", isRequired: true, autocomplete: "username")
          parts.line(
            "password", "Password", help: "At least 10 characters.", type: "password", isRequired: true,
            autocomplete: "new-password")
          element("div", .class("actions")) { element("button", .type("submit"), text: "Set up") }
        }
      }
    }
  }

  private func setUp(_ request: ServerRequest) async -> ServerResponse {
    let form = TypedFields(request.body)
    var parts = FormParts(typed: form)
    func refuse(_ problems: [String: String], _ status: Int) -> ServerResponse {
      parts.problems = problems
      return respond(request) { Self.setupForm($0, parts, status: status) }
    }
    guard isOwn(request, form) else { return refuse(["name": Self.foreign], 403) }
    // Before a password is hashed for nothing.
    guard await !isSetUp() else { return site.secured(.seeOther(.signIn)) }
    let (name, password) = (form.line("name"), form["password"] ?? "")
    var problems: [String: String] = [:]
    if name.isEmpty || name.utf8.count > 256 || name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      problems["name"] = "Choose a name of one line."
    }
    if let problem = PasswordRule.problem(with: password) { problems["password"] = "Password: \(problem)." }
    guard problems.isEmpty else { return refuse(problems, 422) }
    let context = site.api.context
    do throws(APIError) {
      let user = ConsoleUser(id: context.random.identifier(), name: name, created: context.clock.wallMilliseconds)
      let hash = try await context.passwords.hash(password)
      let isDone = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.store.setUp(
          with: SecretDigest(of: form.line("token")), administrator: user, password: hash, token: nil)
      }
      guard isDone else { return refuse(["token": "The token is another one, or the server is set up."], 403) }
      return try await welcome(user, request, to: .home)
    } catch {
      return site.secured(ErrorPage(error: error).response(nil))
    }
  }
}
