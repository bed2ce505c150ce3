import Hits

/// Makes the requests for one container's content (TM-420, TM-421, TM-435, TM-1004).
struct ContainerRequest: Sendable {
  let id: ContainerID
  let server: ContainerServer?
  let environment: String
  let environmentToken: String?
  let allowsInsecureServer: Bool
  let platform: String
  let limit: Int

  /// The request of a plan; `draft` is the link of the preview under way.
  func request(_ plan: FetchPlan, draft: PreviewLink?) throws(RefreshFailure) -> HTTPRequest {
    guard let server else {
      throw RefreshFailure(.unknownError, .noServerConfigured, "No server is configured, so nothing is fetched.")
    }
    guard let base = server.url, base.isSecure || base.isLoopback || allowsInsecureServer else {
      throw RefreshFailure(
        .unknownError, .insecureServer,
        "The configured server needs an address that begins with https://, or allowsInsecureServer.")
    }
    var request = HTTPRequest(
      url: base.text + path(plan, of: server, draft), timeout: .seconds(60), idleTimeout: .seconds(20),
      redirects: RedirectRule(limit: 3, schemes: base.isSecure ? ["https"] : ["https", "http"]), responseLimit: limit)
    request.headers["User-Agent"] = "\(ProductInfo.name)/\(ProductInfo.version) (\(platform))"
    if case .legacy = server { return request }
    request.headers["Accept"] = "application/json, application/x-protobuf;q=0.5"
    if !plan.isPreview {
      request.headers["If-None-Match"] = plan.etag
      if plan.bypassesCaches { request.headers["Cache-Control"] = "no-cache" }
    }
    return request
  }

  private func path(_ plan: FetchPlan, of server: ContainerServer, _ draft: PreviewLink?) -> String {
    let path = "/v1/containers/\(id)"
    if plan.isPreview, let draft, let version = draft.version {
      return "\(path)?gtm_auth=\(draft.token)&gtm_preview=\(version)"
    }
    switch server {
    case .tagworks:
      guard environment != "live" else { return path }
      let token = environmentToken.map { "&auth=\(URIEscape.hit.escape($0))" } ?? ""
      return "\(path)?environment=\(URIEscape.hit.escape(environment))\(token)"
    case .legacy:
      return "/r?id=\(id)&v=i\(ContainerRuntime.version)"
        + (plan.fingerprint.map { "&pv=\(URIEscape.hit.escape($0))" } ?? "")
    }
  }
}
