import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

/// The file that an app keeps, through the app's death and a damaged disk.
@Suite("Saved file of an app") struct SavedFileTests {
  static let server = "http://127.0.0.1:9"
  let directory: TemporaryDirectory
  var file: String { directory.file("data/containers/GTM-SHOP.twc") }

  init() throws { directory = try TemporaryDirectory() }

  @Test("C7, TM-212: an app that is killed at any of 100 moments of writing leaves the whole of one file")
  func killed() async throws {
    let contents = try (1...4).map { number in
      let text = String(repeating: "x", count: 20_000 * number)
      let macro = #"{"function":"__c","instance_name":"title","vtp_value":"\#(number)\#(text)"}"#
      let saved = SavedContainer(
        header: .init(
          id: "GTM-SHOP", fetchedAt: SystemHitClock().wallMilliseconds, etag: "\"\(number)\"", version: "\(number)",
          origin: Self.server),
        payload: Array(#"{"resource":{"version":"\#(number)","macros":[\#(macro)]}}"#.utf8))
      return Value.string(Data(try SavedContainerFile.encode(saved)).base64EncodedString())
    }
    for round in 0..<100 {
      let app = try AppProcess(directory, ["server": .string(Self.server)])
      _ = try await app.ask("churn", ["contents": .list(contents)])
      // In real time on purpose: the kill must not know where the app is.
      try await blocking { _ = usleep(UInt32(37 * (round % 50) + 200 * (round % 7))) }
      try await app.kill()
      let saved = try SavedContainerFile.decode(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
      let content = try #require(ContainerDecoder.decode(saved.payload, id: nil).container)
      #expect(content.version == saved.header.version)
    }
    let app = try AppProcess(directory, ["server": .string(Self.server)])
    let opened = try await app.ask("open", ["prefer": "nonDefault"])
    #expect(opened["endedBy"] == "saved")
    #expect(try await app.value("title")?.hasPrefix(opened["version"]?.string ?? "-") == true)
    try await app.end()
    // What the dead left behind is gone with the next start.
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("data/containers")) == ["GTM-SHOP.twc"])
  }

  @Test("C7, TM-213: one flipped byte anywhere is ioError, the file goes, and the network brings the content again")
  func flipped() async throws {
    let body = Array(
      #"{"resource":{"version":"5","macros":[{"function":"__c","instance_name":"title","vtp_value":"good"}]}}"#.utf8)
    let server = try LoopbackServer { _ in .response(status: 200, headers: ["ETag": "\"e\""], body: body) }
    let settings: [String: Value] = ["server": .string(server.url(""))]
    let first = try AppProcess(directory, settings)
    #expect(try await first.ask("open")["endedBy"] == "network")
    try await first.end()
    let good = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    // The header's name and version, its text, the payload, the digest.
    for position in [0, 8, 20, good.count - 60, good.count - 1] {
      var bad = good
      bad[position] ^= 0x10
      try Data(bad).write(to: URL(fileURLWithPath: file))
      let app = try AppProcess(directory, settings)
      let opened = try await app.ask("open")
      #expect(opened["endedBy"] == "network", "byte \(position)")
      #expect(try await app.value("title") == "good")
      try await app.end()
      let saved = try SavedContainerFile.decode(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
      #expect(saved.payload == body)
    }
  }
}
