package import Hits

/// One path with what answers there.
package struct Route: Sendable {
  package typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

  /// The path, compared as it is.
  package var path: String
  /// The methods it takes.
  package var handlers: [String: Handler]
  /// Bytes of a body.
  package var bodyLimit = 1 << 20
  /// What a longer body is told; nil for the usual refusal.
  package var overlong: ServerResponse?
  /// Whose pages may call it from a browser.
  package var origins = AllowedOrigins.none
  /// Refuses a request before its body is read; nil lets it in.
  package var admit: @Sendable () -> ServerResponse? = { nil }

  package init(_ path: String, _ handlers: [String: Handler]) {
    self.path = path
    self.handlers = handlers
  }

  /// A route that only tells something: GET and HEAD.
  package static func reading(_ path: String, _ handler: @escaping Handler) -> Route {
    Route(path, ["GET": handler, "HEAD": handler])
  }

  var allow: String { (handlers.keys + ["OPTIONS"]).sorted().joined(separator: ", ") }

  /// The answer to a preflight request, and to plain OPTIONS (CO-106).
  func options(_ headers: HTTPHeaders) -> ServerResponse {
    var response = ServerResponse(status: 204, headers: ["Allow": allow])
    if origins.grant(headers["Origin"], in: &response) {
      response.headers["Access-Control-Allow-Methods"] = allow
      response.headers["Access-Control-Allow-Headers"] = "Accept, Content-Type"
      response.headers["Access-Control-Max-Age"] = "86400"
    }
    return response
  }
}

/// The web origins whose pages may call a route.
package enum AllowedOrigins: Sendable, Hashable {
  case none
  case any
  case only([String])

  /// Writes the permission for a request's origin, if it has one; true when there is a permission.
  @discardableResult
  func grant(_ origin: String?, in response: inout ServerResponse) -> Bool {
    switch self {
    case .none: return false
    case .any:
      response.headers["Access-Control-Allow-Origin"] = "*"
      return true
    case .only(let origins):
      response.headers.add("Origin", for: "Vary")
      guard let origin, origins.contains(origin) else { return false }
      response.headers["Access-Control-Allow-Origin"] = origin
      return true
    }
  }
}

/// Finds what answers a method and a path.
package struct Router: Sendable {
  /// What becomes of a request.
  package enum Decision: Sendable {
    case handle(Route, Route.Handler)
    case answer(ServerResponse)
  }

  private let routes: [String: Route]

  package init(_ routes: [Route]) {
    self.routes = Dictionary(routes.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func decide(method: String, path: String, headers: HTTPHeaders) -> Decision {
    guard let route = routes[path] else { return .answer(.error(404, "NOT_FOUND", "nothing is served here")) }
    if let handler = route.handlers[method] { return .handle(route, handler) }
    if method == "OPTIONS" { return .answer(route.options(headers)) }
    var refusal = ServerResponse.error(405, "METHOD", "this path takes \(route.allow)")
    refusal.headers["Allow"] = route.allow
    return .answer(refusal)
  }
}
