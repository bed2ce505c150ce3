import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// A console in a process of its own, set up, with an administrator's token.
final class TestConsole {
  let url: String
  private let server: RunningServer
  private let token: String

  init(_ server: RunningServer, token: String) {
    self.server = server
    self.token = token
    url = server.url
  }

  /// Starts one on a new directory.
  static func start(_ data: String, port: UInt16 = 0, arguments: [String] = []) async throws -> TestConsole {
    let server = try RunningServer(data: data, port: port, arguments: arguments)
    let setup = try #require(server.setupToken())
    let console = TestConsole(server, token: "")
    let answer = try await console.api("POST", "/setup", ["token": .string(setup), "name": "Ana"])
    return TestConsole(server, token: try #require(answer["token"]?.string))
  }

  /// The same console after a restart.
  func restarted(_ data: String, port: UInt16, arguments: [String] = []) throws -> TestConsole {
    TestConsole(try RunningServer(data: data, port: port, arguments: arguments), token: token)
  }

  func stop() { #expect(server.stop() == 0) }

  /// Calls an operation of the JSON API.
  @discardableResult
  func api(_ method: String, _ path: String, _ fields: [String: Value]? = nil) async throws -> [String: Value] {
    var request = HTTPRequest(method: method, url: "\(url)/api/v1\(path)")
    if let fields {
      request.headers["Content-Type"] = "application/json"
      request.body = Value.map(fields).jsonBytes
    }
    if !token.isEmpty { request.headers["Authorization"] = "Bearer \(token)" }
    let response = try await PlatformTransport().send(request)
    #expect(200...299 ~= response.status, "\(method) \(path): \(String(decoding: response.body, as: UTF8.self))")
    return response.body.isEmpty ? [:] : try Value(json: response.body).map ?? [:]
  }

  /// Runs a command of the command line against it.
  func run(_ arguments: [String]) async throws -> Program.Result {
    try await Program.run(arguments, environment: ["TAGWORKS_SERVER": url, "TAGWORKS_TOKEN": token])
  }

  /// Publishes the shop with a greeting by the command line.
  func publish(_ greeting: String, _ arguments: [String] = []) async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(try Shop.export(greeting), to: "shop.json")
    let result = try await run(["publish", file, "--create"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// What an app would be told.
  func container(_ id: String = "GTM-SHOP", headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
    try await PlatformTransport().send(HTTPRequest(url: "\(url)/v1/containers/\(id)", headers: headers))
  }
}
