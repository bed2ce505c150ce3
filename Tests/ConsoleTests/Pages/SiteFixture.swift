import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

/// The pages and the API on a store in memory, asked by their routes as the server would.
final class SiteFixture: Sendable {
  static let password = "correct horse battery"

  let store: any WorkspaceStore
  let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
  let site: PageSite
  let router: Router
  let context: APIContext

  init(_ store: any WorkspaceStore = MemoryWorkspaceStore(), isSecure: Bool = false) {
    self.store = store
    var context = APIContext(
      store: store, clock: clock, publicURL: "https://tags.example.com", traces: TraceSessions())
    context.passwords = PlainPasswords()
    self.context = context
    let api = ConsoleAPI(context)
    site = PageSite(
      api: api, signIn: SignIn(store: store, passwords: PlainPasswords(), clock: clock),
      fetches: FetchTally(), isSecure: isSecure, keys: [])
    router = Router(api.routes + [.previewLink] + site.routes)
  }

  /// A person with a password.
  @discardableResult
  func person(_ name: String, _ rights: AccessRights) async throws -> ConsoleUser {
    let user = ConsoleUser(id: "id-\(name)", name: name, created: 1, rights: rights)
    try await store.create(user, password: "plain:" + Self.password, by: Authorship(.server, at: 1))
    return user
  }

  /// A container with a draft.
  func prepare(_ id: ContainerID = APIFixture.id, _ workspace: Workspace = APIFixture.workspace) async throws {
    try await store.create(
      AuthoredContainer(id: id, kind: .iOS, name: "Shop", created: 1), draft: workspace.exportBytes,
      by: Authorship(.server, at: 1))
  }

  /// The draft of the container as its text.
  func draftText() async throws -> String {
    let draft = try #require(try await store.draft(of: APIFixture.id))
    return String(decoding: draft.text, as: UTF8.self)
  }

  func send(
    _ method: String, _ path: String, body: [UInt8] = [], headers: HTTPHeaders = [:],
    client: ClientAddress = .none
  ) async -> ServerResponse {
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    switch router.decide(method: method, path: parts[0], headers: headers) {
    case .answer(let answer): return answer
    case .handle(let route, let handler):
      guard body.count <= route.bodyLimit else { return .error(413, "TOO_LARGE", "the body is too long") }
      return await handler(
        ServerRequest(
          method: method, path: parts[0], query: parts.count > 1 ? Array(parts[1].utf8) : [], headers: headers,
          body: body, client: client))
    }
  }

  /// A browser that has signed in.
  func browser(_ name: String) async throws -> TestBrowser {
    let browser = TestBrowser(self)
    _ = await browser.get("/sign-in")
    let response = await browser.post("/sign-in", ["name": name, "password": Self.password])
    #expect(response.status == 303, "\(response.text)")
    // A page of the session, for the token of its forms.
    _ = await browser.get("/account")
    return browser
  }
}

/// A browser as far as forms need one: it keeps the cookie, and sends forms with the token of the page before.
final class TestBrowser: Sendable {
  let fixture: SiteFixture
  private let state = Locked<(cookie: String?, token: String)>((nil, ""))

  init(_ fixture: SiteFixture) { self.fixture = fixture }

  var cookie: String? {
    get { state.withLock { $0.cookie } }
    set { state.withLock { $0.cookie = newValue } }
  }

  var token: String {
    get { state.withLock { $0.token } }
    set { state.withLock { $0.token = newValue } }
  }

  private var headers: HTTPHeaders { cookie.map { ["Cookie": "\(BrowserKey.cookie)=\($0)"] } ?? [:] }

  private func take(_ response: ServerResponse) -> ServerResponse {
    for setting in response.headers.values(of: "Set-Cookie") {
      let value = setting.dropFirst(BrowserKey.cookie.count + 1).prefix { $0 != ";" }
      cookie = value.isEmpty ? nil : String(value)
    }
    if let mark = response.text.range(of: "name=\"csrf\" value=\"") {
      token = String(response.text[mark.upperBound...].prefix { $0 != "\"" })
    }
    return response
  }

  func get(_ path: String) async -> ServerResponse { take(await fixture.send("GET", path, headers: headers)) }

  /// Sends a form; the token goes with it unless another one is given.
  func post(_ path: String, _ fields: [String: String], client: ClientAddress = .none) async -> ServerResponse {
    var fields = fields
    if fields[BrowserKey.field] == nil { fields[BrowserKey.field] = token }
    let body = fields.map { "\(URIEscape.hit.escape($0.key))=\(URIEscape.hit.escape($0.value))" }.joined(separator: "&")
    return take(
      await fixture.send("POST", path, body: Array(body.utf8), headers: headers, client: client))
  }

  /// Sends a form of a page, with what the page has in its inputs besides what is changed.
  func submit(_ page: ServerResponse, to path: String, _ changes: [String: String]) async -> ServerResponse {
    await post(path, FormReader(page.text).values.merging(changes) { $1 })
  }

  /// Calls the API as a script of a page does.
  func call(_ method: String, _ path: String, json: Value? = nil, token: String? = nil) async -> ServerResponse {
    var headers = headers
    headers[BrowserKey.header] = token ?? self.token
    return await fixture.send(method, ConsoleAPI.root + path, body: json?.jsonBytes ?? [], headers: headers)
  }
}

/// What the inputs of a page's forms hold.
struct FormReader {
  private(set) var values: [String: String] = [:]

  init(_ html: String) {
    for tag in html.split(separator: "<input").dropFirst() {
      let head = tag.prefix { $0 != ">" }
      guard let name = Self.attribute("name", head), Self.attribute("type", head) != "file" else { continue }
      if Self.attribute("type", head) == "checkbox", !head.contains(" checked") { continue }
      values[name] = Self.attribute("value", head) ?? ""
    }
    for tag in html.split(separator: "<textarea").dropFirst() {
      let head = tag.prefix { $0 != ">" }
      guard let name = Self.attribute("name", head), let end = tag.range(of: "</textarea>") else { continue }
      values[name] = Self.text(String(tag[tag.index(after: head.endIndex)..<end.lowerBound].dropFirst()))
    }
    for tag in html.split(separator: "<select").dropFirst() {
      guard let name = Self.attribute("name", tag.prefix { $0 != ">" }) else { continue }
      let options = tag.split(separator: "<option").dropFirst()
      let chosen = options.first { $0.prefix { $0 != ">" }.contains(" selected") } ?? options.first
      values[name] = chosen.flatMap { Self.attribute("value", $0.prefix { $0 != ">" }) } ?? ""
    }
  }

  private static func attribute(_ name: String, _ head: Substring) -> String? {
    guard let mark = head.range(of: " \(name)=\"") else { return nil }
    return text(String(head[mark.upperBound...].prefix { $0 != "\"" }))
  }

  private static func text(_ markup: String) -> String {
    markup.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
