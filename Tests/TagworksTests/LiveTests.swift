import Digests
import Foundation
import HitQueue
import Hits
import TagManager
import TestSupport
import Testing

@testable import Tagworks

/// Apps on the system's disk and network, against a scripted server on loopback.
@Suite("Live tag manager")
struct LiveTests {
  private static func body(_ title: String) -> [UInt8] {
    Array(
      #"{"resource":{"version":"1","macros":[{"function":"__c","instance_name":"title","vtp_value":"\#(title)"}]}}"#
        .utf8)
  }

  /// One start of an app: a manager on a directory, and its container opened by a preference.
  private func start(
    _ directory: TemporaryDirectory, _ server: String, signature: SignaturePolicy = .off,
    preferring preference: OpenPreference = .fresh
  ) async throws -> (manager: TagManager, result: OpenResult) {
    var settings = LiveSettings(
      configuration: TagManager.Configuration(server: .tagworks(server), signature: signature, timeout: .seconds(30)))
    settings.appID = "org.example.app"
    settings.dataDirectory = directory.file("data")
    settings.defaultContainers = directory.file("bundle")
    settings.hits.directory = directory.file("hits")
    settings.device = FixedDevice()
    settings.logger = SilentLogger()
    let manager = try TagManager.live(settings)
    return (manager, try await ContainerOpener.open("GTM-TEST", in: manager, prefer: preference))
  }

  private func failure(of container: Container) async -> String {
    if case .failed(let failure) = await container.refreshed() {
      "\(failure.reason)(\(failure.detail))"
    } else {
      "none"
    }
  }

  @Test("TM-210, TM-400: open cold over HTTP, then saved without a request, then stale and 304, then offline")
  func starts() async throws {
    let directory = try TemporaryDirectory()
    let server = try LoopbackServer { request in
      request.headers["If-None-Match"] == "\"e1\""
        ? .response(status: 304) : .response(status: 200, headers: ["ETag": "\"e1\""], body: Self.body("published"))
    }
    let cold = try await start(directory, server.url(""))
    #expect(cold.result.endedBy == .network)
    #expect(cold.result.container.string(for: "title") == "published")

    let again = try await start(directory, server.url(""))
    #expect(again.result.endedBy == .saved)
    #expect(again.result.container.string(for: "title") == "published")
    #expect(server.requests.count == 1)
    #expect(await again.result.container.refreshed() == .notChanged)
    #expect(server.requests.count == 2)
    #expect(server.requests[0].target == "/v1/containers/GTM-TEST")
    #expect(server.requests[1].headers["Cookie"] == nil)

    let offline = try await start(directory, "http://127.0.0.1:1", preferring: .nonDefault)
    #expect(offline.result.endedBy == .saved)
    #expect(await failure(of: offline.result.container) == "networkError(connection)")
    #expect(offline.result.container.string(for: "title") == "published")

    var facts = stat()
    #expect(lstat(directory.file("data/containers/GTM-TEST.twc"), &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    #expect(lstat(directory.file("data/containers"), &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o700)
  }

  @Test("TM-431: answers of no use leave the app its values: captive portal, 403, cut download, export, unknown id")
  func uselessAnswers() async throws {
    let rows: [(LoopbackServer.Answer, String)] = [
      (
        .response(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>log in</html>".utf8)),
        "serverError(invalid(htmlDocument))"
      ),
      (.response(status: 403, body: Array(#"{"reason":"web container"}"#.utf8)), "serverError(forbidden)"),
      (.response(status: 404), "serverError(notFound)"),
      (
        .response(status: 200, body: Array(#"{"exportFormatVersion":2}"#.utf8)),
        "serverError(invalid(workspaceExport))"
      ),
      (.response(status: 200, body: Self.body("cut").dropLast(9)), "serverError(invalid(malformedJSON))"),
      (
        .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"resource\"".utf8)), "networkError(connection)"
      ),
    ]
    for (answer, expected) in rows {
      let directory = try TemporaryDirectory()
      let isFirst = Locked(true)
      let server = try LoopbackServer { _ in
        let first = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        return first ? .response(status: 200, headers: ["ETag": "\"e\""], body: Self.body("good")) : answer
      }
      let app = try await start(directory, server.url(""))
      #expect(await failure(of: app.result.container) == expected)
      #expect(app.result.container.string(for: "title") == "good")
      #expect(try await start(directory, server.url("")).result.container.string(for: "title") == "good")
    }
  }

  @Test("C5, TM-442, TM-443: a right signature is required of the server and of the saved file")
  func signatures() async throws {
    let directory = try TemporaryDirectory()
    let privateKey = [UInt8](repeating: 7, count: 32)
    let publicKey = try #require(Ed25519.publicKey(ofPrivate: privateKey))
    let otherKey = try #require(Ed25519.publicKey(ofPrivate: [UInt8](repeating: 8, count: 32)))
    let good = Self.body("signed")
    let message = Array("tagworks-container-v1\nGTM-TEST\nlive\n0\n".utf8) + good
    let signature = try #require(Ed25519.signature(of: message, privateKey: privateKey))
    let header = "v1;k1;" + Data(signature).base64EncodedString()
    let isForged = Locked(false)
    let server = try LoopbackServer { _ in
      .response(
        status: 200, headers: ["ETag": "\"e\"", "Tagworks-Signature": header],
        body: isForged.withLock { $0 } ? Self.body("forged") : good)
    }
    let policy = SignaturePolicy.required(["k1": publicKey])
    let app = try await start(directory, server.url(""), signature: policy)
    #expect(app.result.container.string(for: "title") == "signed")
    isForged.withLock { $0 = true }
    #expect(await failure(of: app.result.container) == "serverError(signature)")
    #expect(app.result.container.string(for: "title") == "signed")

    let again = try await start(directory, server.url(""), signature: policy)
    #expect(again.result.endedBy == .saved)
    let other = try await start(directory, server.url(""), signature: .required(["k1": otherKey]))
    #expect(other.result.endedBy == .failure(.serverError))
    #expect(other.result.container.isDefault)
  }

  @Test("TM-204, TM-542: the app's own container answers first; values with a lifetime come back at the next start")
  func keptValues() async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("bundle"), withIntermediateDirectories: true)
    try Data(Self.body("bundled")).write(to: directory.url.appendingPathComponent("bundle/GTM-TEST.json"))
    let first = try await start(directory, "http://127.0.0.1:1")
    #expect(first.result.source == .default)
    #expect(first.result.container.string(for: "title") == "bundled")
    first.manager.dataLayer.push(["user": ["tier": "gold"], "gtm.lifetime": "547d"])
    first.manager.dataLayer.flush()
    let second = try await start(directory, "http://127.0.0.1:1")
    #expect(second.manager.dataLayer.get("user.tier") == "gold")
  }

  @Test("TM-1204: a directory that cannot be used is an error of the configuration")
  func noDirectory() throws {
    let directory = try TemporaryDirectory()
    var settings = LiveSettings()
    settings.dataDirectory = try directory.write("a file", to: "data")
    settings.hits.directory = directory.file("hits")
    let error = #expect(throws: TagManagerError.self) { try TagManager.live(settings) }
    #expect(error?.code == .configuration)
    #expect(error?.cause != nil)
  }
}

private struct SilentLogger: TagLogger {
  func error(_ message: String) {}
  func warning(_ message: String) {}
  func info(_ message: String) {}
  func debug(_ message: String) {}
  func verbose(_ message: String) {}
  var logLevel: LogLevel { .none }
}
