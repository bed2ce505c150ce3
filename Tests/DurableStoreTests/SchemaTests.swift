import DurableStore
import Foundation
import TestSupport
import Testing

@Suite struct SchemaTests {
  private let directory: TemporaryDirectory
  private let first = Schema(
    applicationID: 77, migrations: [.init(version: 1, sql: "CREATE TABLE a(x); INSERT INTO a VALUES(1)")])

  init() throws { directory = try TemporaryDirectory() }

  private func open() throws -> Connection {
    try Connection(path: directory.file("a.sqlite3"), durability: .processDeath)
  }

  private func second(_ sql: String) -> Schema {
    Schema(applicationID: 77, migrations: first.migrations + [.init(version: 2, sql: sql)])
  }

  @Test("A new file gets all steps, an old one those it lacks, and its rows stay")
  func steps() throws {
    let connection = try open()
    try first.apply(to: connection)
    try first.apply(to: connection)
    try second("ALTER TABLE a ADD COLUMN y DEFAULT 5").apply(to: connection)
    #expect(try connection.integer("SELECT x * 10 + y FROM a") == 15)
    #expect(try connection.integer("PRAGMA user_version") == 2)
    #expect(try connection.integer("PRAGMA application_id") == 77)
  }

  @Test("HQ-360: a step that fails leaves the file at the version before it")
  func failure() throws {
    let connection = try open()
    try first.apply(to: connection)
    #expect {
      try second("CREATE TABLE b(x); nonsense").apply(to: connection)
    } throws: {
      ($0 as? StoreError)?.code == .statement
    }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'b'") == 0)
  }

  @Test("HQ-350, HQ-360: another program's file and a newer one are refused, and not touched")
  func others() throws {
    let connection = try open()
    try second("CREATE TABLE b(x)").apply(to: connection)
    #expect {
      try first.apply(to: connection)
    } throws: {
      ($0 as? StoreError)?.code == .newer
    }
    #expect {
      try Schema(applicationID: 78, migrations: first.migrations).apply(to: connection)
    } throws: {
      ($0 as? StoreError)?.code == .foreign
    }
    let plain = try Connection(path: directory.file("plain"), durability: .processDeath)
    try plain.execute("CREATE TABLE c(x)")
    #expect {
      try first.apply(to: plain)
    } throws: {
      ($0 as? StoreError)?.code == .foreign
    }
    #expect(try plain.integer("SELECT COUNT(*) FROM sqlite_master") == 1)
  }

  @Test("HQ-320: many connections that open a new file at once make it once", arguments: 1...100)
  func race(round: Int) throws {
    let path = directory.file("\(round).sqlite3")
    DispatchQueue.concurrentPerform(iterations: 8) { [first] _ in
      do { try first.apply(to: try Connection(path: path, durability: .processDeath)) } catch { Issue.record(error) }
    }
    let connection = try Connection(path: path, durability: .processDeath)
    #expect(try connection.integer("SELECT COUNT(*) FROM a") == 1)
    #expect(connection.isWriteAheadLogged)
  }
}
