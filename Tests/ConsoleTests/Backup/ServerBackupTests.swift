import DurableStore
import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Server backup") struct ServerBackupTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var file: String { directory.file("backup") }

  /// A server with a container of three versions and two hits.
  private func fill(_ server: ConsoleServer, data: String) async throws {
    let transport = PlatformTransport()
    let body = [CollectorTests.own(1), CollectorTests.own(2)].joined(separator: "\n")
    _ = try await transport.send(HTTPRequest(method: "POST", url: server.url + "/batch", body: Array(body.utf8)))
    let store = try SQLiteWorkspaceStore(path: data + "/console.sqlite3")
    try await WorkspaceStoreContract.prepare(store, versions: 3)
  }

  private func start(_ data: String) throws -> ConsoleServer {
    try ConsoleServer(ServeSettings(port: 0, data: data), limits: ServerLimits())
  }

  @Test("CO-1003: a backup of a running server, restored elsewhere, is what the server had")
  func roundTrip() async throws {
    let (first, second) = (directory.file("first"), directory.file("second"))
    let server = try start(first)
    try await fill(server, data: first)
    try ServerBackup(data: first).write(to: file)
    // What comes after it is not in it.
    _ = try await PlatformTransport().send(
      HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(CollectorTests.own(3).utf8)))
    try await server.stop()
    try ServerBackup(data: second).restore(from: file)
    let restored = try start(second)
    #expect(try IntakeReader(directory: second).statistics().total == 2)
    let store = try SQLiteWorkspaceStore(path: second + "/console.sqlite3")
    let former = try SQLiteWorkspaceStore(path: first + "/console.sqlite3")
    let id = WorkspaceStoreContract.id
    #expect(try await store.draft(of: id) == former.draft(of: id))
    #expect(try await store.versions(of: id, before: nil, limit: 9) == former.versions(of: id, before: nil, limit: 9))
    let log = try await store.activities(before: nil, of: nil, limit: 99)
    #expect(log == (try await former.activities(before: nil, of: nil, limit: 99)))
    try await restored.stop()
    let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["backup", "first", "second"])
  }

  @Test("CO-1003: a backup is consistent while authors save")
  func whileSaving() async throws {
    let data = directory.file("data")
    let server = try start(data)
    let store = try SQLiteWorkspaceStore(path: data + "/console.sqlite3")
    try await WorkspaceStoreContract.prepare(store)
    let saving = Task {
      let by = Authorship(WorkspaceStoreContract.ada, at: 1)
      var number = 1
      while !Task.isCancelled {
        _ = try await store.save(
          Array("\(number)".utf8), of: WorkspaceStoreContract.id, basedOn: Int64(number), subject: "", by: by)
        number += 1
      }
    }
    for round in 0..<3 { try ServerBackup(data: data).write(to: "\(file)\(round)") }
    saving.cancel()
    _ = await saving.result
    try await server.stop()
    for round in 0..<3 {
      let place = directory.file("restored\(round)")
      try ServerBackup(data: place).restore(from: "\(file)\(round)")
      let copy = try SQLiteWorkspaceStore(path: place + "/console.sqlite3")
      let draft = try #require(try await copy.draft(of: WorkspaceStoreContract.id))
      if draft.revision > 1 { #expect(draft.text == Array("\(draft.revision - 1)".utf8)) }
      let log = try await copy.activities(before: nil, of: nil, limit: .max)
      #expect(log.filter { $0.activity.action == .draftSaved }.count == Int(draft.revision) - 1)
    }
  }

  private func message(_ work: () throws -> Void) -> String {
    do { try work() } catch { return "\(error)" }
    return "nothing was wrong"
  }

  @Test("CO-1003: no server starts, and none makes a database, where a backup is being restored")
  func duringRestore() throws {
    let data = directory.file("data")
    try StoreDirectory.prepare(data)
    let lock = try #require(try ServerBackup.lock(data: data, shared: false))
    #expect(message { _ = try start(data) }.contains("a backup is being restored there"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["server.lock"])
    lock.release()
  }

  @Test("CO-1003: nothing is restored under a running server, over a database, or of a damaged file")
  func refused() async throws {
    let data = directory.file("data")
    let server = try start(data)
    try await fill(server, data: data)
    #expect(message { try ServerBackup(data: directory.file("none")).write(to: file) }.contains("does not exist"))
    try ServerBackup(data: data).write(to: file)
    #expect(message { try ServerBackup(data: data).write(to: file) }.contains("there already"))
    #expect(message { try ServerBackup(data: data).restore(from: file) }.contains("a server runs"))
    try await server.stop()
    #expect(message { try ServerBackup(data: data).restore(from: file) }.contains("there already"))
    // What is left beside a database that was moved away would be played into the restored one.
    let left = directory.file("left")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    _ = try directory.write("left", to: "left/console.sqlite3-wal")
    #expect(message { try ServerBackup(data: left).restore(from: file) }.contains("sqlite3-wal is there already"))
    #expect(message { _ = try start(left) }.contains("console.sqlite3-wal is there without its database"))
    let other = directory.file("other")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let middle = bytes.count * 3 / 4
    bytes[middle] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file + "-flipped"))
    #expect(message { try ServerBackup(data: other).restore(from: file + "-flipped") }.contains("damaged"))
    let made = (try? FileManager.default.contentsOfDirectory(atPath: other)) ?? []
    #expect(made.allSatisfy { $0 == "server.lock" })
    let text = try directory.write("no backup", to: "text")
    #expect(message { try ServerBackup(data: other).restore(from: text) } == "\(text) is no backup, or a damaged one")
    let nowhere = directory.file("nowhere/backup")
    #expect(
      message { try ServerBackup(data: data).write(to: nowhere) } == "cannot open \(nowhere): No such file or directory"
    )
    #expect(
      message { try ServerBackup(data: other).restore(from: data + "/console.sqlite3") }.contains("belongs to"))
  }
}
