import Hits

/// One thing that the API does, said once: the router, the check of rights and the description are made of it.
struct APIOperation: Sendable {
  typealias Run = @Sendable (APICall) async throws(APIError) -> APIAnswer

  /// Who may call it.
  enum Access: Sendable, Hashable {
    /// Everybody.
    case open
    /// Tokens of the scope; the operation itself looks at which containers they are for.
    case any(AccessScope)
    /// Tokens of the scope that are for all containers.
    case server(AccessScope)
    /// Tokens of the scope for the container in the path.
    case container(AccessScope)

    var scope: AccessScope? {
      switch self {
      case .open: nil
      case .any(let scope), .server(let scope), .container(let scope): scope
      }
    }
  }

  /// What it takes.
  enum Body: Sendable {
    case none
    /// A small object.
    case fields(APISchema)
    /// A JSON document that the operation reads itself, with limits of its own.
    case document(String)
  }

  /// What it gives.
  enum Answer: Sendable {
    case json(APISchema)
    /// A file of one of these types.
    case file([String])
    /// A JSON document that is described elsewhere.
    case document(String)
    case nothing
  }

  var id: String
  var method: String
  /// With names in braces.
  var path: String
  var summary: String
  var access: Access
  var query: [APIField] = []
  var body = Body.none
  /// The status of an answer that is no refusal.
  var status = 200
  var answer: Answer
  var run: Run

  /// Bytes of a body: an export file may be as large as it may be to be read.
  var bodyLimit: Int {
    switch body {
    case .none: 0
    case .fields: 256 << 10
    case .document: WorkspaceText.limit
    }
  }

  init(
    _ id: String, _ method: String, _ path: String, _ summary: String, _ access: Access, query: [APIField] = [],
    body: Body = .none, status: Int = 200, answer: Answer, run: @escaping Run
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.summary = summary
    self.access = access
    self.query = query
    self.body = body
    self.status = status
    self.answer = answer
    self.run = run
  }
}
