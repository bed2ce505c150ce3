public import Foundation
import Hits

/// Answers a command of the page.
///
/// It runs off the main actor; commands of one id run one after another. What it throws is answered with 555, but a
/// `RemoteCommandRefusal` with its own status.
public typealias RemoteCommandHandler = @Sendable (RemoteCommandRequest) async throws -> RemoteCommandAnswer

/// A command of the page, or of a command file.
public struct RemoteCommandRequest: Sendable, Hashable {
  /// The command's id, as it was registered.
  public let commandID: String
  /// The number under which the page waits; nil when nobody waits.
  public let responseID: String?
  /// The data.
  public let payload: JSONObject
  /// The request's settings.
  public let config: JSONObject
}

/// What a handler answers.
public struct RemoteCommandAnswer: Sendable, Hashable {
  /// The status; nil for 200 with a body and 204 without.
  public var status: Int?
  /// The body; sent as base64 where it is not UTF-8 (WT-502).
  public var body: Data?

  /// Makes an answer.
  public init(status: Int? = nil, body: Data? = nil) {
    self.status = status
    self.body = body
  }

  /// Makes an answer of a text.
  public init(status: Int? = nil, text: String) { self.init(status: status, body: Data(text.utf8)) }
}

/// A handler's refusal of a payload: answered with its status and reason.
public struct RemoteCommandRefusal: Error, Sendable, Hashable {
  /// The status, such as 400.
  public var status: Int
  /// A sentence that the page gets.
  public var reason: String

  /// Makes a refusal.
  public init(status: Int = 400, reason: String) {
    self.status = status
    self.reason = reason
  }
}

/// An answer on its way to the page (WT-502).
struct PageAnswer: Sendable, Equatable {
  var command: String
  var responseID: String?
  var call: Int64?
  var status: Int
  var body: String?
  var isBase64 = false

  init(_ request: CommandRequest, status: Int, body: String? = nil) {
    command = request.id
    responseID = request.responseID
    call = request.call
    self.status = status
    self.body = body
  }

  init(_ request: CommandRequest, _ answer: RemoteCommandAnswer) {
    let status = answer.status.flatMap { (100...599).contains($0) ? $0 : nil }
    self.init(request, status: status ?? (answer.body == nil ? 204 : 200))
    if let data = answer.body {
      let text = String(validating: data, as: UTF8.self)
      body = text ?? data.base64EncodedString()
      isBase64 = text == nil
    }
  }

  /// Whether anybody waits for it.
  var isWanted: Bool { responseID != nil || call != nil }

  /// The argument of `__tagworks.respond`.
  var argument: Value {
    .map([
      "command": .string(command), "response_id": responseID.map { .string($0) } ?? .null,
      "call": call.map { .int($0) } ?? .absent, "status": .int(Int64(status)),
      "body": body.map { .string($0) } ?? .null,
      "encoding": isBase64 ? "base64" : .absent,
    ])
  }
}
