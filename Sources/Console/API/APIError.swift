import Authoring
import Hits
import TagManager

/// Why a request of the API is refused: a status, and the one form that all refusals have.
///
///     {"error": {"code": "STALE", "message": "…", "diagnostics": […]}, "yours": …, "theirs": …}
///
/// `diagnostics` are there when the author can mend something; the two texts only where a save was stale (CO-401).
struct APIError: Error, Sendable {
  /// What is wrong: an open set.
  struct Code: RawRepresentable, Sendable, Hashable {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    static let badRequest = Code(rawValue: "BAD_REQUEST")
    static let noToken = Code(rawValue: "NO_TOKEN")
    static let forbidden = Code(rawValue: "FORBIDDEN")
    static let notFound = Code(rawValue: "NOT_FOUND")
    static let exists = Code(rawValue: "EXISTS")
    static let stale = Code(rawValue: "STALE")
    static let tooLarge = Code(rawValue: "TOO_LARGE")
    static let type = Code(rawValue: "TYPE")
    static let invalid = Code(rawValue: "INVALID")
    static let busy = Code(rawValue: "BUSY")
    static let full = Code(rawValue: "FULL")
    static let failed = Code(rawValue: "FAILED")
  }

  var status: Int
  var code: Code
  var message: String
  var diagnostics: [Value] = []
  /// The two export files of a stale save, as they are.
  var texts: (yours: [UInt8]?, theirs: Draft)?

  init(_ status: Int, _ code: Code, _ message: String, diagnostics: [Value] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.diagnostics = diagnostics
  }

  /// Something about the body or the query.
  static func badRequest(_ message: String) -> APIError { APIError(400, .badRequest, message) }

  /// A field that cannot be what it is, for a reason that its type does not tell.
  static func field(_ name: String, _ problem: String) -> APIError {
    APIError(
      422, .invalid, "\(name): \(problem)",
      diagnostics: [
        ["severity": "error", "code": "badField", "field": .string(name), "message": .string(problem)]
      ])
  }

  static func notFound(_ what: String) -> APIError { APIError(404, .notFound, "there is no such \(what)") }

  static func tooLarge(_ limit: Int) -> APIError {
    APIError(413, .tooLarge, "the body is longer than \(limit) bytes")
  }

  /// The caller has no rights in the container it asks for.
  static func anotherContainer(_ caller: Caller?) -> APIError {
    let noun = caller?.noun ?? "token"
    guard let own = caller?.onlyContainer else {
      return APIError(403, .forbidden, "the \(noun) is for another container")
    }
    return APIError(403, .forbidden, "the \(noun) is for container \(own) alone")
  }

  /// A workspace that cannot be read, compiled or published.
  static func invalid(_ message: String, _ diagnostics: [WorkspaceDiagnostic]) -> APIError {
    APIError(422, .invalid, message, diagnostics: diagnostics.map(\.json))
  }

  /// Somebody else has saved since the revision that the author began with (CO-401).
  ///
  /// - Parameter text: the author's text; nil where there is none.
  static func stale(_ theirs: Draft, yours text: [UInt8]?) -> APIError {
    var error = APIError(
      409, .stale, "the workspace has been saved since; \(theirs.saved.actor.name) made revision \(theirs.revision)")
    error.texts = (text, theirs)
    return error
  }

  init(_ error: WorkspaceStoreError) {
    switch error.code {
    case .notFound: self.init(404, .notFound, error.message)
    case .exists: self.init(409, .exists, error.message)
    case .approvalNeeded: self.init(403, .forbidden, error.message)
    case .invalid: self.init(422, .invalid, error.message)
    case .lastAdministrator: self.init(409, .invalid, error.message)
    case .superseded: self.init(409, .stale, error.message)
    case .busy: self.init(503, .busy, "the store is busy; try again")
    case .full: self.init(507, .full, "the disk is full")
    // What is wrong with a file is for the log, not for whoever asks.
    default: self.init(500, .failed, "the store does not work")
    }
  }

  var response: ServerResponse {
    var reason: [String: Value] = ["code": .string(code.rawValue), "message": .string(message)]
    if !diagnostics.isEmpty { reason["diagnostics"] = .list(diagnostics) }
    var writer = JSONWriter()
    writer.put("{\"error\":")
    writer.write(.map(reason))
    if let texts {
      if let yours = texts.yours {
        writer.put(",\"yours\":")
        writer.put(yours)
      }
      writer.put(",\"theirs\":")
      writer.put(texts.theirs.envelope)
    }
    writer.put("}")
    var response = ServerResponse(status: status, headers: ["Content-Type": "application/json"], body: writer.bytes)
    if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
    if status == 503 { response.headers["Retry-After"] = "1" }
    return response
  }
}
