import Authoring
import Hits
import TagManager

/// What requests are told that get no container; an app's log shows the reason (TM-430).
enum DeliveryRefusal {
  static let unknown = prepared(404, "NOT_FOUND", "There is no such container here.")
  /// While the store does not answer: 404 would keep an app away for an hour.
  static let notReady = PreparedAnswer(.error(503, "NOT_READY", "the containers are not read yet", retryAfter: 1))
  static let unpublished = prepared(404, "NOT_PUBLISHED", "The container is there, but nothing of it is published yet.")
  static let notBinary = prepared(
    404, "NOT_BINARY", "The container holds what the binary form cannot say; apps of this project can have it.")
  /// Says nothing more, for a wrong token is a guess (CO-501).
  static let forbidden = prepared(403, "FORBIDDEN", "The token does not let you in.")

  /// Names what keeps a draft from being shown.
  static func unfinished(_ reason: String) -> ServerResponse {
    response(422, "UNFINISHED", "The draft cannot be compiled: \(reason)")
  }

  /// Names what the container is for (TM-172).
  static func wrongKind(_ id: ContainerID, _ kind: ContainerKind) -> PreparedAnswer {
    let purpose =
      switch kind {
      case .web: "the web"
      case .amp: "AMP pages"
      case .server: "servers"
      case .iOS, .android: "something else"
      }
    return prepared(403, "WRONG_KIND", "Container \(id) is for \(purpose), not for apps.")
  }

  private static func prepared(_ status: Int, _ code: String, _ reason: String) -> PreparedAnswer {
    PreparedAnswer(response(status, code, reason))
  }

  private static func response(_ status: Int, _ code: String, _ reason: String) -> ServerResponse {
    let document: Value = ["error": ["code": .string(code), "message": .string(reason)], "reason": .string(reason)]
    return ServerResponse(
      status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: document.jsonBytes)
  }
}
