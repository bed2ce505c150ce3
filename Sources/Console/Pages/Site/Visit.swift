import Authoring
import Foundation
import Hits
import TagManager

/// One request of a person who has signed in.
struct Visit: Sendable {
  let site: PageSite
  let request: ServerRequest
  let key: BrowserKey
  let user: ConsoleUser
  /// What was asked behind the path.
  let query: TypedFields
  /// What a form has sent.
  let form: TypedFields
  /// A file that came with the form.
  let file: [UInt8]?

  init(site: PageSite, request: ServerRequest, key: BrowserKey, user: ConsoleUser) {
    self.site = site
    self.request = request
    self.key = key
    self.user = user
    query = TypedFields(request.query)
    let parts = MultipartForm(request)
    form = parts?.fields ?? TypedFields(request.method == "POST" ? request.body : [])
    file = parts?.file
  }

  var caller: Caller { Caller(user) }
  var now: Int64 { site.clock.wallMilliseconds }

  /// A name in the path.
  func part(_ name: String) -> String { request.parameters[name] ?? "" }

  /// The container's id in the path.
  var containerID: String { part("container") }

  /// Whether the person may do something to the container in the path; what cannot be done is not offered.
  func may(_ scope: AccessScope) -> Bool {
    caller.rights.scope(in: ContainerID(containerID)).map { $0 >= scope } ?? false
  }

  /// Whether the person may do something to the server as a whole.
  func mayEverywhere(_ scope: AccessScope) -> Bool { caller.rights.everywhere.map { $0 >= scope } ?? false }

  /// Asks the API, as this person.
  func ask(
    _ operation: String, path: [String: String] = [:], _ fields: [String: Value] = [:], body: [UInt8] = []
  ) async throws(APIError) -> [String: Value] {
    let answer = try await file(operation, path: path, fields, body: body)
    guard !answer.body.isEmpty else { return [:] }
    let limits = JSONLimits(bytes: 64 << 20, depth: 128, nodes: 8 << 20, textBytes: 16 << 20)
    guard let fields = (try? Value(json: answer.body, limits: limits))?.map else {
      throw APIError(500, .failed, "the answer cannot be read")
    }
    return fields
  }

  /// Asks the API for a file.
  func file(
    _ operation: String, path: [String: String] = [:], _ fields: [String: Value] = [:], body: [UInt8] = []
  ) async throws(APIError) -> APIAnswer {
    try await site.api.perform(
      operation, as: caller, path: request.parameters.merging(path) { $1 }, fields: fields, body: body)
  }

  /// The container in the path.
  func container() async throws(APIError) -> ContainerFacts {
    ContainerFacts(try await ask("getContainer"))
  }

  /// The draft of the container in the path, as it is kept in memory; the right to read it is checked as for the API.
  func draft() async throws(APIError) -> (draft: Draft, workspace: Workspace) {
    _ = try await container()
    return try await site.api.context.draft(of: ContainerID(containerID))
  }
}

/// What a page's head says about a container.
struct ContainerFacts: Sendable {
  var id: String
  var name: String
  var kind: ContainerKind
  var requiresApproval: Bool

  init(_ fields: [String: Value]) {
    id = fields["id"]?.string ?? ""
    name = fields["name"]?.string ?? ""
    kind = fields["kind"]?.string.flatMap(ContainerKind.init(rawValue:)) ?? .iOS
    requiresApproval = fields["requiresApproval"] == true
  }
}

extension [String: Value] {
  /// The text of a field; empty without one.
  func word(_ key: String) -> String { self[key]?.string ?? "" }

  func whole(_ key: String) -> Int64? {
    if case .int(let number) = self[key] { number } else { nil }
  }

  func entries(_ key: String) -> [[String: Value]] { (self[key]?.list ?? []).compactMap(\.map) }
}
