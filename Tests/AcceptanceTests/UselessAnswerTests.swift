import Foundation
import Hits
import TestSupport
import Testing

/// What a server or the network may send in place of a container; the app keeps its values.
@Suite("Answers of no use") struct UselessAnswerTests {
  private static let good = Array(
    #"{"resource":{"version":"1","macros":[{"function":"__c","instance_name":"title","vtp_value":"good"}]}}"#.utf8)

  @Test(
    "TM-430, TM-431, A5, C9: named errors in the app, which keeps its values, also for its next start",
    arguments: [
      ("export", "failed(serverError(invalid(workspaceExport)))", "This is a workspace export"),
      ("portal", "failed(serverError(invalid(htmlDocument)))", "captive portal"),
      ("truncated", "failed(networkError(connection))", "There is no connection"),
      ("cut", "failed(serverError(invalid(malformedJSON)))", "is not used"),
      ("unknown", "failed(serverError(notFound))", "No container GTM-SHOP on 127.0.0.1"),
      ("gone", "failed(serverError(gone))", "is gone"),
      ("gzip", "failed(serverError(invalid(compressedFile)))", "not used"),
      ("web", "failed(serverError(forbidden))", "is for the web, not for apps."),
    ])
  func useless(kind: String, outcome: String, text: String) async throws {
    let directory = try TemporaryDirectory()
    let count = Locked(0)
    let server = try LoopbackServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? .response(status: 200, headers: ["ETag": "\"e\""], body: Self.good) : Self.answer(kind)
    }
    let settings: [String: Value] = ["server": .string(server.url(""))]
    let app = try AppProcess(directory, settings)
    #expect(try await app.ask("open")["endedBy"] == "network")
    #expect(try await app.ask("refresh")["outcome"] == .string(outcome))
    #expect(try await app.value("title") == "good")
    try await app.end()
    #expect(app.log.contains(text), "\(app.log)")
    let again = try AppProcess(directory, settings)
    #expect(try await again.ask("open")["endedBy"] == "saved")
    #expect(try await again.value("title") == "good")
    try await again.end()
  }

  private static func answer(_ kind: String) -> LoopbackServer.Answer {
    switch kind {
    case "export": .response(status: 200, body: Array(#"{"exportFormatVersion":2,"containerVersion":{}}"#.utf8))
    case "portal":
      .response(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>log in</html>".utf8))
    case "truncated": .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"resource\"".utf8))
    case "cut": .response(status: 200, body: good.dropLast(9))
    case "gzip": .response(status: 200, body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    case "unknown": .response(status: 404)
    case "gone": .response(status: 410)
    case "web":
      .response(status: 403, body: Array(#"{"reason":"Container GTM-SHOP is for the web, not for apps."}"#.utf8))
    default: .cut
    }
  }
}
