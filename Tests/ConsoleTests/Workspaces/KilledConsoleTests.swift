import Foundation
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Killed console") struct KilledConsoleTests {
  /// A process that saves, makes versions and publishes, writes down each that was done, and is killed in the midst.
  @Test(
    "CO-103: after kill -9 every change that was answered is there, whole, with its line in the log", arguments: 1...5)
  func killed(round: Int) async throws {
    let directory = try TemporaryDirectory()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, round = round as Int] in
      let store = try SQLiteWorkspaceStore(path: path + "/console.sqlite3")
      try await WorkspaceStoreContract.prepare(store)
      let noted = open(path + "/done", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      // From another thread, so that it falls anywhere in a change.
      let killer = Thread {
        usleep(UInt32(1_000 + round * 1237))
        kill(getpid(), SIGKILL)
      }
      let by = Authorship(WorkspaceStoreContract.ada, at: 1)
      for number in 1... {
        let text = Array("\(number)".utf8)
        _ = try WorkspaceStoreContract.done(
          try await store.save(text, of: WorkspaceStoreContract.id, basedOn: Int64(number), subject: "", by: by))
        _ = try WorkspaceStoreContract.done(
          try await store.createVersion(
            of: WorkspaceStoreContract.id, basedOn: Int64(number + 1), name: "", notes: "", by: by))
        _ = try await store.publish(number, of: WorkspaceStoreContract.id, in: "live", share: .all, after: nil, by: by)
        let line = "\(number)\n"
        _ = line.withCString { write(noted, $0, strlen($0)) }
        if number == 3 { killer.start() }
      }
    }
    let text = try String(contentsOfFile: directory.path + "/done", encoding: .utf8)
    let done = text.split(separator: "\n").compactMap { Int($0) }.last ?? 0
    #expect(done > 2)
    let store = try SQLiteWorkspaceStore(path: directory.path + "/console.sqlite3")
    let draft = try #require(try await store.draft(of: WorkspaceStoreContract.id))
    let versions = try await store.versions(of: WorkspaceStoreContract.id, before: nil, limit: .max)
    let publications = try await store.publications(of: WorkspaceStoreContract.id, in: "live", limit: .max)
    #expect((done...done + 1).contains(publications.count))
    #expect((publications.count...done + 1).contains(versions.count))
    #expect((versions.count + 1...done + 2).contains(Int(draft.revision)))
    #expect(draft.text == Array("\(draft.revision - 1)".utf8))
    #expect(draft.base == versions.count)
    for version in versions {
      #expect(try await store.text(ofVersion: version.number, of: version.container) == Array("\(version.number)".utf8))
    }
    let log = try await store.activities(before: nil, of: nil, limit: .max).map(\.activity.action)
    #expect(log.filter { $0 == .draftSaved }.count == Int(draft.revision) - 1)
    #expect(log.filter { $0 == .versionCreated }.count == versions.count)
    #expect(log.filter { $0 == .published }.count == publications.count)
  }
}
