import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Tagworks

@Suite("Saved container files")
struct SavedContainerFilesTests {
  @Test("TM-210, TM-212: what is saved is loaded, replaced and removed; a file beyond the limit is no content")
  func keeps() throws {
    let directory = try TemporaryDirectory()
    let files = try SavedContainerFiles(directory: directory.file("containers"))
    #expect(try files.load("GTM-A", limit: 10) == nil)
    try files.save([1, 2], for: "GTM-A")
    try files.save([3], for: "GTM-A")
    #expect(try files.load("GTM-A", limit: 10) == [3])
    try files.save(Array(repeating: 1, count: 11), for: "GTM-A")
    #expect(try files.load("GTM-A", limit: 10) == [])
    try files.remove("GTM-A")
    try files.remove("GTM-A")
    #expect(try files.load("GTM-A", limit: 10) == nil)
  }

  @Test("TM-212: what a writer left behind that died is removed; a living writer's file is not")
  func leftovers() throws {
    let directory = try TemporaryDirectory()
    let dead = try directory.write("half", to: "GTM-A.twc.999999999.7")
    let living = try directory.write("half", to: "GTM-A.twc.\(getpid()).7")
    _ = try SavedContainerFiles(directory: directory.path)
    #expect(!FileManager.default.fileExists(atPath: dead))
    #expect(FileManager.default.fileExists(atPath: living))
  }

  /// How often a writer is killed: `TAGWORKS_KILL_ROUNDS` makes it 100, which takes a while.
  private static let rounds = ProcessInfo.processInfo.environment["TAGWORKS_KILL_ROUNDS"].flatMap { Int($0) } ?? 10

  @Test("C7, TM-212: a writer killed at any moment leaves the whole of one file, never a part or a mixture")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    for round in 0..<Self.rounds {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, round = round as Int] in
        let files = try SavedContainerFiles(directory: path)
        let content = (0..<8).map { [UInt8](repeating: UInt8($0), count: 100_000 + $0) }
        try files.save(content[0], for: "GTM-A")
        Thread.detachNewThread {
          usleep(UInt32(300 + 337 * round))
          kill(getpid(), SIGKILL)
        }
        while true { for bytes in content { try files.save(bytes, for: "GTM-A") } }
      }
      let bytes = try #require(try SavedContainerFiles(directory: directory.path).load("GTM-A", limit: 200_000))
      let kind = try #require(bytes.first)
      #expect(bytes.count == 100_000 + Int(kind))
      #expect(bytes.allSatisfy { $0 == kind })
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["GTM-A.twc"])
    }
  }
}
