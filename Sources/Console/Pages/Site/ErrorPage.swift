import Authoring
import Hits

/// What a person sees when a page cannot be shown, or a form not be done.
struct ErrorPage: Sendable {
  let error: APIError

  private var title: String {
    switch error.status {
    case 403: "Not allowed"
    case 404: "Not found"
    case 409: "Somebody was quicker"
    case 503, 507: "The server is busy"
    case 500...: "Something went wrong"
    default: "That cannot be done"
    }
  }

  func response(_ visit: Visit?) -> ServerResponse {
    PageFrame(title: title, visit: visit).page(status: error.status) {
      element("h1", text: title)
      element("p", Attribute("role", "alert"), text: error.sentence)
      if !error.diagnostics.isEmpty {
        element("ul") {
          for diagnostic in error.diagnostics.prefix(50).compactMap(\.map) {
            element("li", text: DiagnosticText.line(diagnostic))
          }
        }
      }
      element("p") {
        if let visit, !visit.containerID.isEmpty, error.status != 404 {
          element("a", .href(.container(visit.containerID)), text: "To the container")
        } else {
          element("a", .href(.home), text: "To the containers")
        }
      }
    }
  }
}

extension APIError {
  /// The message as a sentence.
  var sentence: String {
    guard let first = message.first else { return message }
    return first.uppercased() + message.dropFirst() + (".!?".contains(message.last ?? ".") ? "" : ".")
  }

  /// What is wrong with single fields, by name.
  var problems: [String: String] {
    var problems: [String: String] = [:]
    for diagnostic in diagnostics.compactMap(\.map) {
      guard let field = diagnostic["field"]?.string, problems[field] == nil else { continue }
      problems[field] = diagnostic.word("message")
    }
    return problems
  }
}

/// A diagnostic as a person reads it.
enum DiagnosticText {
  static func line(_ diagnostic: [String: Value]) -> String {
    let entity = diagnostic["entity"]?.map
    let name = entity.map { "\(EntityCollection.noun(of: $0.word("kind"))) “\($0.word("name"))”: " } ?? ""
    return name + diagnostic.word("message")
  }
}
