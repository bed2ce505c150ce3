import Hits
import TagManager

/// A request of an operation whose token, path, query and body have been checked.
struct APICall: Sendable {
  /// Who calls; nil where everybody may.
  var caller: Caller?
  /// The container in the path.
  var container: AuthoredContainer?
  /// The names of the path.
  var path: [String: String] = [:]
  /// The query and the fields of the body: no name is in both.
  var fields: [String: Value] = [:]
  /// The body as it came.
  var body: [UInt8] = []
  /// Wall milliseconds.
  var time: Int64

  /// Who changes something, and when.
  var authorship: Authorship { Authorship(caller?.actor ?? .server, at: time) }

  /// The containers in which the caller has a scope; nil for all.
  func containers(with scope: AccessScope) -> Set<ContainerID>? {
    caller.map { $0.rights.containers(with: scope) } ?? []
  }

  /// The containers that an answer is about: the one that was asked for, or all in which the caller has a scope.
  func asked(_ scope: AccessScope) throws(APIError) -> Set<ContainerID>? {
    let own = containers(with: scope)
    guard let asked = text("container").map({ ContainerID($0) }) else { return own }
    guard own?.contains(asked) ?? true else { throw .anotherContainer(caller) }
    return [asked]
  }

  /// The container in the path.
  func inContainer() throws(APIError) -> ContainerID {
    guard let container else { throw .notFound("container") }
    return container.id
  }

  /// A text field; nil when it is not there.
  func text(_ name: String) -> String? { fields[name]?.string }

  func flag(_ name: String) -> Bool { fields[name] == .bool(true) }

  /// A whole number; nil when it is not there.
  func integer(_ name: String) -> Int64? {
    if case .int(let number) = fields[name] { number } else { nil }
  }

  func number(_ name: String) -> Double? {
    switch fields[name] {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The revision that the author began with.
  func revision() throws(APIError) -> Int64 {
    guard let revision = integer("revision") else { throw .badRequest("revision is missing") }
    return revision
  }

  /// A version's number in the path.
  func version() throws(APIError) -> Int {
    guard let number = path["version"].flatMap({ Int($0) }) else { throw .notFound("version") }
    return number
  }

  /// How many things of a list to give.
  func limit(_ standard: Int = 100) -> Int { Int(integer("limit") ?? Int64(standard)) }
}

/// What an operation gives: a document, or a file.
struct APIAnswer: Sendable {
  var headers: HTTPHeaders
  var body: [UInt8]

  init(headers: HTTPHeaders, body: [UInt8]) {
    self.headers = headers
    self.body = body
  }

  /// A JSON document that is already written.
  static func document(_ body: [UInt8]) -> APIAnswer {
    APIAnswer(headers: ["Content-Type": "application/json"], body: body)
  }

  static func json(_ fields: [String: Value]) -> APIAnswer { document(Value.map(fields).jsonBytes) }

  static let nothing = APIAnswer(headers: [:], body: [])
}
