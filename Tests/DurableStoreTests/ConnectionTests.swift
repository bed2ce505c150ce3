import DurableStore
import Foundation
import TestSupport
import Testing

@Suite struct ConnectionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ durability: Connection.Durability = .processDeath) throws -> Connection {
    try Connection(path: directory.file("a.sqlite3"), durability: durability)
  }

  private func text(_ sql: String, _ connection: Connection) throws -> String {
    let statement = try connection.prepare(sql)
    return try statement.step() ? statement.text(at: 0) : ""
  }

  @Test("HQ-303: a library older than SQLite 3.24.0 is refused by name")
  func version() throws {
    #expect {
      try Connection.check(version: 3_023_001)
    } throws: {
      ($0 as? StoreError)?.code == .sqliteTooOld
    }
    try Connection.check(version: 3_024_000)
  }

  @Test("HQ-303: no statement uses what 3.24.0 does not have", arguments: ["DurableStore", "HitQueue"])
  func olderLanguage(target: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/\(target)").standardized
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var count = 0
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in [" RETURNING ", ") STRICT", "GENERATED ALWAYS", "DROP COLUMN", " RIGHT JOIN "] {
        #expect(!text.contains(word), "\(file.lastPathComponent)")
      }
    }
    #expect(count > 10)
  }

  @Test("HQ-306: the pragmas are those of the spec")
  func pragmas() throws {
    let connection = try open()
    #expect(connection.isWriteAheadLogged)
    let expected = [
      "journal_mode": "wal", "synchronous": "1", "busy_timeout": "5000", "auto_vacuum": "2",
      "journal_size_limit": "4194304", "cell_size_check": "1", "trusted_schema": "0", "temp_store": "2",
    ]
    for (pragma, value) in expected { #expect(try text("PRAGMA \(pragma)", connection) == value, "\(pragma)") }
  }

  @Test("HQ-310: to survive the loss of power, commits are synchronised")
  func powerLoss() throws {
    #expect(try text("PRAGMA synchronous", try open(.powerLoss)) == "2")
  }

  @Test("HQ-315: a transaction that throws leaves nothing behind, and the next one works")
  func rollback() throws {
    let connection = try open()
    try connection.execute("CREATE TABLE t(x INTEGER UNIQUE)")
    let insertion = try connection.prepare("INSERT INTO t VALUES(?)")
    let insert = { (values: [Int64]) in
      try connection.transaction { () throws(StoreError) in
        for value in values {
          insertion.bind(value, at: 1)
          try insertion.run()
        }
      }
    }
    try insert([1])
    #expect {
      try insert([2, 1])
    } throws: {
      ($0 as? StoreError)?.code == .constraint
    }
    try insert([3])
    #expect(try connection.integer("SELECT group_concat(x, '') FROM t") == 13)
  }

  @Test("Values of every type come back as they were bound")
  func values() throws {
    let connection = try open()
    let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
    statement.bind(Int64.min, at: 1)
    statement.bind("tiếng Việt \u{0} 👍", at: 2)
    statement.bind("", at: 3)
    statement.bind([0, 255, 1], at: 4)
    statement.bind([UInt8](), at: 5)
    statement.bind(Int64?.none, at: 6)
    statement.bind(String?.none, at: 7)
    #expect(try statement.step())
    #expect(statement.integer(at: 0) == .min)
    #expect(statement.text(at: 1) == "tiếng Việt \u{0} 👍")
    #expect(statement.optionalText(at: 2) == "")
    #expect(statement.blob(at: 3) == [0, 255, 1])
    #expect(statement.optionalBlob(at: 4) == [])
    #expect(statement.optionalInteger(at: 5) == nil)
    #expect(statement.optionalText(at: 6) == nil)
  }

  @Test("HQ-314: a lock of another connection is told as busy, after the time that was set")
  func busy() throws {
    let first = try open()
    try first.execute("CREATE TABLE t(x)")
    let second = try open()
    second.setBusyTimeout(.milliseconds(1))
    try first.execute("BEGIN IMMEDIATE")
    #expect {
      try second.transaction { () throws(StoreError) in }
    } throws: {
      ($0 as? StoreError)?.code == .busy
    }
    try first.execute("COMMIT")
    try second.transaction { () throws(StoreError) in }
  }

  @Test("HQ-340, HQ-334: a file at its bound of pages is full, is sound, and takes rows again after a deletion")
  func full() throws {
    let connection = try open()
    try connection.execute("CREATE TABLE t(x); PRAGMA max_page_count=20")
    let insertion = try connection.prepare("INSERT INTO t VALUES(zeroblob(3000))")
    #expect {
      for _ in 0..<100 { try insertion.run() }
    } throws: {
      ($0 as? StoreError)?.code == .full
    }
    try connection.execute("DELETE FROM t")
    try insertion.run()
    #expect(try text("PRAGMA quick_check", connection) == "ok")
  }

  @Test("HQ-350, HQ-302: what cannot be a database is told apart from what cannot be opened")
  func otherFiles() throws {
    try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: directory.file("noise")))
    #expect {
      try Connection(path: directory.file("noise"), durability: .processDeath)
    } throws: {
      ($0 as? StoreError)?.code == .damaged
    }
    #expect {
      try Connection(path: directory.file("missing/a"), durability: .processDeath)
    } throws: {
      ($0 as? StoreError)?.code == .cannotOpen
    }
    #expect {
      try Connection(readingFrom: directory.file("missing"))
    } throws: {
      ($0 as? StoreError)?.code == .cannotOpen
    }
  }
}
