import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

/// The API on a store, asked by its routes as the server would; every answer is held to what the description says.
final class APIFixture: Sendable {
  static let id: ContainerID = "GTM-SHOP"

  let store: any WorkspaceStore
  let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
  let traces = TraceSessions()
  let api: ConsoleAPI
  let router: Router
  let deliveries = Locked(0)
  /// Everything that was answered, and every line of the server's log.
  let seen = Locked<[String]>([])
  private let secrets = Locked<[String]>([])
  let random = SeededRandomSource(seed: 7)

  init(_ store: any WorkspaceStore = MemoryWorkspaceStore()) {
    self.store = store
    let (deliveries, seen) = (deliveries, seen)
    let context = APIContext(
      store: store, clock: clock, random: random, publicURL: "https://tags.example.com", traces: traces,
      didChangeDelivery: { deliveries.withLock { $0 += 1 } },
      report: { line in seen.withLock { $0.append(line) } })
    api = ConsoleAPI(context)
    router = Router(
      api.routes + [.previewLink, TraceIntake(store: store, sessions: traces, clock: clock).route])
  }

  /// Every secret that was handed out.
  var handedOut: [String] { secrets.withLock { $0 } }

  /// A token of a scope, for one container or all.
  func token(
    _ scope: AccessScope, for container: ContainerID? = nil, expires: Int64? = nil
  ) async throws -> String {
    let secret = Secret(.access, from: random)
    secrets.withLock { $0.append(secret.text) }
    let token = AccessToken(
      id: random.identifier(), name: "\(scope)", digest: secret.digest, scope: scope, container: container,
      created: clock.wallMilliseconds, expires: expires)
    try await store.create(token, by: Authorship(.server, at: clock.wallMilliseconds))
    return secret.text
  }

  /// A container with a draft.
  func prepare(_ id: ContainerID = id, kind: ContainerKind = .iOS, workspace: Workspace = APIFixture.workspace)
    async throws
  {
    let container = AuthoredContainer(id: id, kind: kind, name: "Shop", created: clock.wallMilliseconds)
    try await store.create(
      container, draft: workspace.exportBytes, by: Authorship(.server, at: clock.wallMilliseconds))
  }

  /// A tag that sends an event of the app, with its trigger and a variable.
  static let workspace = Workspace(
    fields: ["container": ["publicId": "GTM-SHOP", "usageContext": ["IOS"], "containerId": "7"]],
    tags: [
      Tag(fields: [
        "tagId": "1", "name": "Every event", "type": "img", "firingTriggerId": ["2147479556"],
        "parameter": [["type": "TEMPLATE", "key": "url", "value": "https://example.com/?s={{Greeting}}"]],
      ])
    ],
    variables: [
      Variable(fields: [
        "variableId": "2", "name": "Greeting", "type": "c",
        "parameter": [["type": "TEMPLATE", "key": "value", "value": "hello"]],
      ])
    ])

  @discardableResult
  func send(
    _ method: String, _ path: String, token: String? = nil, body: [UInt8] = [], headers: HTTPHeaders = [:]
  ) async -> ServerResponse {
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    let address = parts[0].hasPrefix("/v1/") || parts[0].hasPrefix("/preview") ? parts[0] : ConsoleAPI.root + parts[0]
    var headers = headers
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let response: ServerResponse
    switch router.decide(method: method, path: address, headers: headers) {
    case .answer(let answer): response = answer
    case .handle(let route, let handler):
      guard body.count <= route.bodyLimit else { return .error(413, "TOO_LARGE", "the body is too long") }
      response = await handler(
        ServerRequest(
          method: method, path: address, query: parts.count > 1 ? Array(parts[1].utf8) : [], headers: headers,
          body: body))
      check(response, method, String(route.path.dropFirst(ConsoleAPI.root.count)))
    }
    seen.withLock { $0.append("\(method) \(path) \(response.status) \(response.text)") }
    return response
  }

  func send(_ method: String, _ path: String, token: String, json: Value) async -> ServerResponse {
    await send(method, path, token: token, body: json.jsonBytes)
  }

  /// Sends what must succeed, and gives the answer's fields.
  func ok(
    _ method: String, _ path: String, token: String, json: Value? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String: Value] {
    let response = await send(method, path, token: token, body: json?.jsonBytes ?? [])
    #expect((200..<300).contains(response.status), "\(response.text)", sourceLocation: sourceLocation)
    guard !response.body.isEmpty else { return [:] }
    let fields = try #require(try Value(json: response.body).map, sourceLocation: sourceLocation)
    if let secret = fields["token"]?.string { secrets.withLock { $0.append(secret) } }
    return fields
  }

  private func check(_ response: ServerResponse, _ method: String, _ path: String) {
    guard let operation = api.operations.first(where: { $0.method == method && $0.path == path }) else { return }
    let schema: APISchema
    switch operation.answer {
    case _ where response.status >= 400: schema = .error
    case .json(let described): schema = described
    default: return #expect(response.status == operation.status, "\(operation.id)")
    }
    guard response.status >= 400 || response.status == operation.status else {
      Issue.record("\(operation.id) answers \(response.status), not \(operation.status)")
      return
    }
    guard let value = try? Value(json: response.body) else {
      Issue.record("\(operation.id) answers no JSON: \(response.text.prefix(200))")
      return
    }
    if let refusal = schema.refusal(of: value) {
      Issue.record("\(operation.id) answers what \(schema.name) is not: it \(refusal)")
    }
  }
}

extension ServerResponse {
  var fields: [String: Value] { (try? Value(json: body))?.map ?? [:] }

  /// The sentence and the diagnostics' codes of a refusal.
  var message: String { fields["error"]?.map?["message"]?.string ?? "" }
  var codes: [String] {
    (fields["error"]?.map?["diagnostics"]?.list ?? []).compactMap { $0.map?["code"]?.string }
  }
}

extension [String: Value] {
  func integer(_ key: String) -> Int64? {
    if case .int(let number) = self[key] { number } else { nil }
  }

  func items(_ key: String) -> [[String: Value]] { (self[key]?.list ?? []).compactMap(\.map) }
}
