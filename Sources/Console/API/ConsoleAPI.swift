import Foundation
import Hits
import TagManager

/// The JSON API of the console under `/api/v1` (CO-900): a table of operations, and what all of them have in common.
struct ConsoleAPI: Sendable {
  static let root = "/api/v1"

  let operations: [APIOperation]
  let context: APIContext
  private let byID: [String: APIOperation]
  private let notes: ActivityNotes

  init(_ context: APIContext) {
    self.context = context
    notes = ActivityNotes(context.store)
    operations =
      SetupOperations(context: context).all + ContainerOperations(context: context).all
      + WorkspaceOperations(context: context).all + EntityOperations(context: context).all
      + VersionOperations(context: context).all + PublishingOperations(context: context).all
      + EnvironmentOperations(context: context).all + PreviewOperations(context: context).all
      + TokenOperations(context: context).all + ActivityOperations(context: context).all
      + TraceOperations(context: context).all + UserOperations(context: context).all
      + HitOperations(context: context).all
    byID = Dictionary(operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// One route for each path of the table, and the description.
  var routes: [Route] {
    let paths = Dictionary(grouping: operations, by: \.path)
    let description = Value.map(APIDescription(operations).document).jsonBytes
    let described = Route.reading("/api/openapi.json") { _ in APIAnswer.document(description).response(200) }
    return paths.sorted { $0.key < $1.key }.map { path, operations in
      var handlers: [String: Route.Handler] = [:]
      for operation in operations {
        let handler: Route.Handler = { request in await answer(request, operation) }
        handlers[operation.method] = handler
        if operation.method == "GET" { handlers["HEAD"] = handler }
      }
      var route = Route(Self.root + path, handlers)
      route.bodyLimit = operations.map(\.bodyLimit).max() ?? 0
      route.judge = { request in
        guard let operation = operations.first(where: { $0.method == request.method }) else { return nil }
        return await refusal(of: request, operation)
      }
      return route
    } + [described]
  }

  private func answer(_ request: ServerRequest, _ operation: APIOperation) async -> ServerResponse {
    do throws(APIError) {
      let call = try await call(request, operation)
      return try await run(operation, call).response(operation.status)
    } catch {
      return error.response
    }
  }

  /// What a request is told whose token does not let it in, before its body is taken.
  private func refusal(of request: ServerRequest, _ operation: APIOperation) async -> ServerResponse? {
    do throws(APIError) {
      _ = try await caller(of: request, operation, at: context.clock.wallMilliseconds)
      return nil
    } catch {
      return error.response
    }
  }

  /// Who makes a request of an operation and may; nil where everybody may.
  private func caller(
    of request: ServerRequest, _ operation: APIOperation, at time: Int64
  ) async throws(APIError) -> Caller? {
    guard operation.access.scope != nil else { return nil }
    let caller = try await caller(of: request, at: time)
    try await authorize(caller, operation, request.parameters["container"], at: time)
    return caller
  }

  /// Runs an operation; where it is itself that sees what a token is not for, the refusal is in the log too (CO-901).
  private func run(_ operation: APIOperation, _ call: APICall) async throws(APIError) -> APIAnswer {
    do throws(APIError) { return try await operation.run(call) } catch {
      if error.code == .forbidden, let caller = call.caller {
        try await notes.refused(caller, operation, in: call.container?.id, at: call.time)
      }
      throw error
    }
  }

  /// Runs an operation for a page of ours: the same checks as of a request, without a request (CO-901).
  func perform(
    _ id: String, as caller: Caller, path: [String: String] = [:], fields: [String: Value] = [:], body: [UInt8] = []
  ) async throws(APIError) -> APIAnswer {
    guard let operation = byID[id] else { throw .notFound("operation") }
    var call = try await admitted(caller, operation, path)
    guard body.count <= operation.bodyLimit else { throw .tooLarge(operation.bodyLimit) }
    var known = operation.query
    if case .fields(let schema) = operation.body { known += schema.fields }
    try Self.refuse(APISchema("Form", known).problems(of: fields), "the form")
    call.fields = fields.filter { $0.value != .null }
    call.body = body
    return try await run(operation, call)
  }

  /// Checks a request in the order in which it tells strangers least: caller, rights, container, form.
  private func call(_ request: ServerRequest, _ operation: APIOperation) async throws(APIError) -> APICall {
    var call = APICall(path: request.parameters, time: context.clock.wallMilliseconds)
    if let caller = try await caller(of: request, operation, at: call.time) {
      call = try await admitted(caller, operation, request.parameters)
    } else {
      call.container = try await container(in: request.parameters)
    }
    guard request.body.count <= operation.bodyLimit else { throw .tooLarge(operation.bodyLimit) }
    call.fields = try Self.query(request.query, operation.query)
    switch operation.body {
    case .none: break
    case .fields(let schema):
      try Self.checkType(of: request)
      let fields = try Self.fields(request.body, schema)
      call.fields.merge(fields) { query, _ in query }
    case .document:
      try Self.checkType(of: request)
      call.body = request.body
    }
    return call
  }

  /// A call whose caller may make it; what is asked is not in it yet.
  private func admitted(
    _ caller: Caller, _ operation: APIOperation, _ path: [String: String]
  ) async throws(APIError) -> APICall {
    var call = APICall(path: path, time: context.clock.wallMilliseconds)
    try await authorize(caller, operation, path["container"], at: call.time)
    call.caller = caller
    if let token = caller.token { try await notes.used(token, at: call.time) }
    call.container = try await container(in: path)
    return call
  }

  private func container(in path: [String: String]) async throws(APIError) -> AuthoredContainer? {
    guard let text = path["container"] else { return nil }
    let id = ContainerID(text)
    guard id.isValid, let container = try await context.container(id) else { throw .notFound("container") }
    return container
  }

  /// A token, or the session of a browser whose script has shown that it is a page of ours (CO-902).
  private func caller(of request: ServerRequest, at time: Int64) async throws(APIError) -> Caller {
    if request.headers["Authorization"] == nil {
      let found = try await context.stored { () throws(WorkspaceStoreError) in
        try await context.sessions.find(request.headers)
      }
      if let found {
        let isReading = request.method == "GET" || request.method == "HEAD"
        guard isReading || found.key.isToken(request.headers[BrowserKey.header]) else {
          throw APIError(403, .forbidden, "\(BrowserKey.header) is missing or is another session's")
        }
        return Caller(found.user)
      }
    }
    guard let text = BearerToken.text(of: request.headers),
      let token = try await context.token(SecretDigest(of: text)), token.isValid(at: time),
      let rights = try await rights(of: token)
    else { throw APIError(401, .noToken, "a valid bearer token is needed") }
    return Caller(token, rights)
  }

  /// What a token may do: no more than the person who has made it may by now; nil for a person who is let in no more.
  private func rights(of token: AccessToken) async throws(APIError) -> AccessRights? {
    let rights = AccessRights(token)
    guard let id = token.user else { return rights }
    let user = try await context.stored { () throws(WorkspaceStoreError) in try await context.store.user(id) }
    guard let user else { return rights }
    return user.isDisabled ? nil : rights.common(with: user.rights)
  }

  private func authorize(
    _ caller: Caller, _ operation: APIOperation, _ container: String?, at time: Int64
  ) async throws(APIError) {
    guard let needed = operation.access.scope else { return }
    let container = container.map { ContainerID($0) }
    let (has, isForIt): (AccessScope?, Bool) =
      switch operation.access {
      case .open, .any: (caller.rights.highest, true)
      case .server: (caller.rights.everywhere, caller.rights.everywhere != nil)
      case .container:
        (
          container.flatMap { caller.rights.scope(in: $0) },
          container.map { caller.rights.scope(in: $0) != nil } ?? false
        )
      }
    if let has, has >= needed { return }
    try await notes.refused(caller, operation, in: container, at: time)
    guard isForIt, let has else { throw .anotherContainer(caller) }
    throw APIError(
      403, .forbidden, "the \(caller.noun) may \(has.rawValue); this takes \(needed.rawValue)")
  }

  private static func query(_ bytes: [UInt8], _ fields: [APIField]) throws(APIError) -> [String: Value] {
    var values: [String: Value] = [:]
    for given in FormFields(bytes).fields {
      let type = fields.first { $0.name == given.name }?.type
      values[given.name] = type?.value(ofQuery: given.value) ?? .string(given.value)
    }
    try refuse(APISchema("Query", fields).problems(of: values), "the query")
    return values
  }

  private static func checkType(of request: ServerRequest) throws(APIError) {
    let codings = request.headers.values(of: "Content-Encoding")
    guard codings.allSatisfy({ HTTPHeaders.isSame($0, "identity") }) else {
      throw APIError(415, .type, "the body comes as it is, without a Content-Encoding")
    }
    let type = request.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard let type, !HTTPHeaders.isSame(type, "application/json") else { return }
    throw APIError(415, .type, "the body is application/json")
  }

  private static func fields(_ body: [UInt8], _ schema: APISchema) throws(APIError) -> [String: Value] {
    // An operation without a field that must be there takes an empty body too.
    guard !body.isEmpty || schema.fields.contains(where: \.isRequired) else { return [:] }
    let value: Value
    do throws(JSONError) {
      value = try Value(
        json: body, limits: JSONLimits(bytes: body.count, depth: 16, nodes: 10_000, textBytes: 64 << 10))
    } catch {
      throw .badRequest("the body cannot be read: \(error)")
    }
    guard let fields = value.map else { throw .badRequest("the body is no object") }
    try refuse(schema.problems(of: fields), "the body")
    return fields.filter { $0.value != .null }
  }

  private static func refuse(_ problems: [(field: String, message: String)], _ what: String) throws(APIError) {
    guard !problems.isEmpty else { return }
    throw APIError(
      400, .badRequest, "\(what) has \(problems.count == 1 ? "a field" : "fields") that cannot be used",
      diagnostics: problems.prefix(100).map { problem in
        [
          "severity": "error", "code": "badField", "field": .string(problem.field),
          "message": .string("\(problem.field) \(problem.message)"),
        ]
      })
  }
}

/// The bearer token in a request's head.
enum BearerToken {
  static func text(of headers: HTTPHeaders) -> String? {
    let given = headers.values(of: "Authorization")
    guard given.count == 1, let value = given.first, HTTPHeaders.isSame(String(value.prefix(7)), "Bearer ") else {
      return nil
    }
    return value.dropFirst(7).trimmingCharacters(in: .whitespaces)
  }
}

extension APIAnswer {
  func response(_ status: Int) -> ServerResponse {
    var headers = headers
    // What authors do is nobody's to keep on the way.
    if headers["Cache-Control"] == nil { headers["Cache-Control"] = "no-store" }
    return ServerResponse(status: status, headers: headers, body: body)
  }
}
