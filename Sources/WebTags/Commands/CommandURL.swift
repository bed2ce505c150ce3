import Foundation
import Hits

/// A command as a page asks for it (WT-500, WT-501).
struct CommandRequest: Sendable, Equatable {
  /// The command's id.
  var id: String
  /// The number under which the page waits for the answer; nil for none.
  var responseID: String?
  /// What the handler gets.
  var payload: JSONObject = [:]
  /// The request's `config`.
  var config: JSONObject = [:]
  /// The number of a call of `__tagworks.command`, which waits for a promise.
  var call: Int64?
}

/// Why a text is no command.
enum CommandRejection: Error, Sendable, Equatable {
  /// Not of the command scheme: an ordinary navigation.
  case notACommand
  /// The id is none; nothing is run and nothing answered.
  case badID
  /// The request cannot be read; it is answered with 400 where a number is known.
  case badRequest(String, CommandRequest)
}

/// Reads command URLs.
///
///     "tealium://" id ["/"] ["?request=" value]
///     id = 1*128( ALPHA / DIGIT / "_" / "-" )
///
/// The value is percent-encoded UTF-8 JSON, an object; `+` stays `+`, and one pair of quotes around it is taken off.
enum CommandURL {
  /// The most bytes of a URL.
  static let longest = 1 << 20

  static func read(_ url: String, scheme: String) throws(CommandRejection) -> CommandRequest {
    let prefix = scheme + "://"
    guard url.utf8.count >= prefix.utf8.count, url.prefix(prefix.count).lowercased() == prefix else {
      throw .notACommand
    }
    guard url.utf8.count <= longest else { throw .badID }
    let rest = url.dropFirst(prefix.count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let id = String(rest[..<end])
    guard isID(id) else { throw .badID }
    var tail = rest[end...]
    if tail.hasPrefix("/") { tail = tail.dropFirst() }
    let request = CommandRequest(id: id)
    if tail.isEmpty { return request }
    guard tail.hasPrefix("?request=") else { throw .badRequest("the query is not request=", request) }
    guard var text = decoded(tail.dropFirst(9)) else { throw .badRequest("the encoding is broken", request) }
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
    let limits = JSONLimits(bytes: longest, depth: 64, nodes: 100_000)
    guard let value = try? Value(json: text, limits: limits), case .map(let object) = value else {
      throw .badRequest("the request is not a JSON object", request)
    }
    return try read(object, id: id)
  }

  /// Reads a request's object.
  static func read(_ object: JSONObject, id: String) throws(CommandRejection) -> CommandRequest {
    var request = CommandRequest(id: id)
    switch object["config"] {
    case nil, .null: break
    case .map(let config): request.config = config
    default: throw .badRequest("config is not an object", request)
    }
    request.responseID = responseID(request.config["response_id"] ?? object["response_id"])
    switch object["payload"] {
    case nil, .null: break
    case .map(let payload): request.payload = payload
    default: throw .badRequest("payload is not an object", request)
    }
    return request
  }

  /// A number of an answer: 1 to 64 of letters, digits, `_`, `.` and `-`, or a whole number; nil for anything else.
  static func responseID(_ value: Value?) -> String? {
    switch value {
    case .int(let number): String(number)
    case .string(let text) where (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isNumberByte): text
    default: nil
    }
  }

  static func isID(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count) && id.utf8.allSatisfy { isNumberByte($0) && $0 != UInt8(ascii: ".") }
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Percent-decoded UTF-8; nil for a `%` without two digits and for bytes that are no text.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(HexDigits.value(of:)),
        let low = rest.popFirst().flatMap(HexDigits.value(of:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
