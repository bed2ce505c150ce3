import Foundation
import Hits
import TagManager

/// The console's pages (CO-801): what all of them share, and the routes of each.
///
/// A page has no rights of its own: whatever it shows or does it asks of `ConsoleAPI`, as the person who has signed in.
struct PageSite: Sendable {
  let api: ConsoleAPI
  let signIn: SignIn
  let fetches: FetchTally
  /// Whether browsers reach the server over TLS.
  let isSecure: Bool
  /// The public parts of the keys that sign containers.
  let keys: [PublishedKey]
  let assets = AssetShelf.own
  let waits = LiveWaits()

  var watch: HitWatch { api.context.watch }
  var sessions: BrowserSessions { api.context.sessions }
  var clock: any HitClock { api.context.clock }

  /// A key by which apps check containers.
  struct PublishedKey: Sendable, Hashable {
    var id: String
    var publicKey: [UInt8]
  }

  var routes: [Route] {
    assets.routes + EntrancePages(site: self).routes + ContainerPages(site: self).routes
      + OverviewPage(site: self).routes + VersionPages(site: self).routes + PublishPages(site: self).routes
      + PreviewPages(site: self).routes + LivePages(site: self).routes + ReplayPage(site: self).routes
      + ExchangePages(site: self).routes
      + ActivityPages(site: self).routes + HitPages(site: self).routes + SettingsPages(site: self).routes
      + UserPages(site: self).routes + ContainerSettingsPages(site: self).routes + AccountPages(site: self).routes
      // Last, for a kind of entities may be any word.
      + EntityPages(site: self).routes
  }

  typealias Show = @Sendable (Visit) async throws(APIError) -> ServerResponse

  /// A page for people who have signed in; what changes something is a form of ours.
  func route(_ path: String, get show: Show? = nil, post change: Show? = nil, bodyLimit: Int = 1 << 20) -> Route {
    var handlers: [String: Route.Handler] = [:]
    if let show {
      let handler: Route.Handler = { request in await answer(request, isChange: false, show) }
      handlers["GET"] = handler
      handlers["HEAD"] = handler
    }
    if let change { handlers["POST"] = { request in await answer(request, isChange: true, change) } }
    var route = Route(path, handlers)
    route.bodyLimit = bodyLimit
    // A large form is for people who have signed in; the others are told before they send it.
    route.judge = { request in
      guard let found = try? await sessions.find(request.headers), !found.user.isDisabled else {
        return secured(Self.askToSignIn(request))
      }
      return nil
    }
    return route
  }

  private func answer(_ request: ServerRequest, isChange: Bool, _ show: Show) async -> ServerResponse {
    var visit: Visit?
    do throws(APIError) {
      let found = try await api.context.stored { () throws(WorkspaceStoreError) in
        try await sessions.find(request.headers)
      }
      guard let found else { return secured(Self.askToSignIn(request)) }
      let known = Visit(site: self, request: request, key: found.key, user: found.user)
      visit = known
      if isChange, !found.key.isToken(known.form[BrowserKey.field]) {
        throw APIError(403, .forbidden, "this form is not of your session; load the page again")
      }
      return secured(try await show(known))
    } catch {
      return secured(ErrorPage(error: error).response(visit))
    }
  }

  private static func askToSignIn(_ request: ServerRequest) -> ServerResponse {
    let isPage = request.method == "GET" && request.path != PageAddress.home.text
    return .seeOther(.signIn.asking("next", isPage ? request.path : nil))
  }

  /// A response with what keeps a page from being misused by others (CO-800, CO-902).
  func secured(_ response: ServerResponse) -> ServerResponse { Self.secured(response) }

  static func secured(_ response: ServerResponse) -> ServerResponse {
    var response = response
    response.headers["Content-Security-Policy"] = policy
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
    return response
  }

  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

extension ServerResponse {
  /// A page.
  static func page(_ html: HTML, status: Int = 200) -> ServerResponse {
    ServerResponse(status: status, headers: ["Content-Type": "text/html; charset=utf-8"], body: html.document)
  }

  /// Leads a browser on after a form.
  static func seeOther(_ address: PageAddress) -> ServerResponse {
    ServerResponse(status: 303, headers: ["Location": address.text, "Cache-Control": "no-store"])
  }
}
