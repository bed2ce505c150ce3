import Authoring
import Foundation
import HTTPClient
import Hits
import TagManager

/// A console's JSON API as the command line uses it (CO-900).
struct ConsoleClient: Sendable {
  private let base: String
  private let token: String
  private let transport = PlatformTransport()

  /// The options of every command that talks to a console.
  static let options: [CommandDescription.Option] = [
    .init(name: "--server", value: "URL", help: "the console's address; TAGWORKS_SERVER"),
    .init(
      name: "--token-file", value: "FILE", help: "the file with the bearer token, for its owner alone",
      defaultText: "the variable TAGWORKS_TOKEN"),
  ]

  init(base: String, token: String) {
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    self.token = token
  }

  init(_ arguments: Arguments, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    let server = arguments.value("--server") ?? environment["TAGWORKS_SERVER"] ?? ""
    guard let url = WebURL(server), url.query == nil, url.fragment == nil else {
      let wrong = server.isEmpty ? "" : "; '\(server)' is none"
      throw UsageError("give the console's address with --server, such as http://127.0.0.1:8080\(wrong)")
    }
    guard url.isSecure || url.isLoopback else {
      throw UsageError("--server needs https://, for the token must not be read on the way")
    }
    let token: String
    if let file = arguments.value("--token-file") {
      token = try SecretFile.text(path: file, limit: 4096)
    } else {
      token = environment["TAGWORKS_TOKEN"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
      guard !token.isEmpty else {
        let state = environment["TAGWORKS_TOKEN"] == nil ? "" : ", which is set but empty"
        throw UsageError("give a token with --token-file or TAGWORKS_TOKEN\(state)")
      }
    }
    guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw CommandFailure("the token is no token: it has white space or other characters in it")
    }
    self.init(base: server, token: token)
  }

  /// What an answer's body says.
  struct Answer {
    var status: Int
    var body: [UInt8]

    /// The fields of the JSON object.
    var fields: [String: Value] {
      get throws(CommandFailure) {
        do throws(JSONError) {
          return try Value(json: body, limits: ConsoleClient.limits).map ?? [:]
        } catch {
          throw CommandFailure("the server's answer cannot be read: \(error.message)", status: .unavailable)
        }
      }
    }
  }

  private static let limits = JSONLimits(bytes: 64 << 20, depth: 80, nodes: 4_000_000, textBytes: 4 << 20)

  /// Sends a request and gives its answer.
  func send(
    _ method: String, _ path: String, query: [String: String] = [:], body: [UInt8]? = nil
  ) async throws(CommandFailure) -> Answer {
    let answer = try await exchange(method, path, query: query, body: body)
    guard 200...299 ~= answer.status else { throw failure(answer) }
    return answer
  }

  /// Sends a request for something that may not be there; nil for 404.
  func find(_ path: String) async throws(CommandFailure) -> Answer? {
    let answer = try await exchange("GET", path)
    if answer.status == 404 { return nil }
    guard 200...299 ~= answer.status else { throw failure(answer) }
    return answer
  }

  private func exchange(
    _ method: String, _ path: String, query: [String: String] = [:], body: [UInt8]? = nil
  ) async throws(CommandFailure) -> Answer {
    let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(URIEscape.hit.escape($0.value))" }
    var request = HTTPRequest(
      method: method, url: base + "/api/v1" + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&")),
      body: body ?? [], responseLimit: Self.limits.bytes)
    if body != nil { request.headers["Content-Type"] = "application/json" }
    if !token.isEmpty { request.headers["Authorization"] = "Bearer \(token)" }
    do throws(TransportError) {
      let response = try await transport.send(request)
      return Answer(status: response.status, body: response.body)
    } catch {
      throw CommandFailure("\(base) does not answer: \(error.message)", status: .unavailable)
    }
  }

  /// A refusal in the server's words, with what the author can mend on lines of its own.
  private func failure(_ answer: Answer) -> CommandFailure {
    // A proxy's page is no JSON and says nothing here.
    let error = (try? Value(json: answer.body, limits: Self.limits))?.map?["error"]?.map
    for diagnostic in error?["diagnostics"]?.list?.compactMap(\.map) ?? [] {
      let entity = diagnostic["entity"]?.map.map { "\($0["kind"]?.string ?? "") \"\($0["name"]?.string ?? "")\": " }
      Output.message(
        "\(entity ?? "")\(diagnostic["code"]?.string ?? ""): \(diagnostic["message"]?.string ?? "")")
    }
    let message = error?["message"]?.string ?? "the server answers with status \(answer.status)"
    return CommandFailure(message, status: answer.status >= 500 ? .unavailable : .inputHasErrors)
  }
}
