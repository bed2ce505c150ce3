package import Hits

/// One path with what answers there.
///
///     path = ("/" segment)+        segment = text | "{" name "}"
///
/// A name in braces stands for any segment that is not empty; the handler finds it, percent-decoded, in
/// `ServerRequest.parameters`.
package struct Route: Sendable {
  package typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

  /// The path; text is compared as it is.
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
  /// Refuses a request with a body by its head, before any of the body is taken; nil lets it in.
  ///
  /// The handler judges again: between the two a token can end.
  package var judge: (@Sendable (ServerRequest) async -> ServerResponse?)?

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
      response.headers["Access-Control-Allow-Headers"] = "Accept, Content-Type, Tagworks-Key"
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

/// Finds what answers a method and a path: a path without names first, then the first that fits.
package struct Router: Sendable {
  /// What becomes of a request.
  package enum Decision: Sendable {
    case handle(Route, Route.Handler)
    case answer(ServerResponse)
  }

  private let routes: [String: Route]
  /// Routes with names in them, by how many segments they have.
  private let patterns: [Int: [(pattern: PathPattern, route: Route)]]

  package init(_ routes: [Route]) {
    var plain: [String: Route] = [:]
    var patterns: [Int: [(pattern: PathPattern, route: Route)]] = [:]
    for route in routes {
      if let pattern = PathPattern(route.path) {
        patterns[pattern.count, default: []].append((pattern, route))
      } else if plain[route.path] == nil {
        plain[route.path] = route
      }
    }
    self.routes = plain
    self.patterns = patterns
  }

  package func decide(method: String, path: String, headers: HTTPHeaders) -> Decision {
    guard let (route, parameters) = find(path) else {
      return .answer(.error(404, "NOT_FOUND", "nothing is served here"))
    }
    if let handler = route.handlers[method] {
      guard !parameters.isEmpty else { return .handle(route, handler) }
      @Sendable func completed(_ request: ServerRequest) -> ServerRequest {
        var request = request
        request.parameters = parameters
        return request
      }
      var found = route
      if let judge = route.judge { found.judge = { await judge(completed($0)) } }
      return .handle(found) { await handler(completed($0)) }
    }
    if method == "OPTIONS" { return .answer(route.options(headers)) }
    var refusal = ServerResponse.error(405, "METHOD", "this path takes \(route.allow)")
    refusal.headers["Allow"] = route.allow
    return .answer(refusal)
  }

  private func find(_ path: String) -> (Route, [String: String])? {
    if let route = routes[path] { return (route, [:]) }
    guard !patterns.isEmpty else { return nil }
    let segments = PathPattern.segments(of: path)
    for (pattern, route) in patterns[segments.count] ?? [] {
      if let parameters = pattern.match(segments) { return (route, parameters) }
    }
    return nil
  }
}
