import DurableStore
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Workspace store") struct SQLiteWorkspaceStoreTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.file("console.sqlite3") }

  @Test("CO-1000: the port's contract on SQLite", arguments: WorkspaceStoreContract.cases)
  func contract(promise: ContractCase<any WorkspaceStore>) async throws {
    try await promise.run(on: SQLiteWorkspaceStore(path: path))
  }

  @Test("CO-1000: the port's contract on the fake", arguments: WorkspaceStoreContract.cases)
  func fake(promise: ContractCase<any WorkspaceStore>) async throws {
    try await promise.run(on: MemoryWorkspaceStore())
  }

  @Test("what was stored is there after the store was opened again")
  func reopened() async throws {
    try await WorkspaceStoreContract.prepare(SQLiteWorkspaceStore(path: path), versions: 1)
    let store = try SQLiteWorkspaceStore(path: path)
    #expect(try await store.container(WorkspaceStoreContract.id) == WorkspaceStoreContract.container())
    #expect(try await store.text(ofVersion: 1, of: WorkspaceStoreContract.id) == Array("{}".utf8))
  }

  /// The columns of the last version.
  private static let columns: [String: [String]] = [
    "setup": ["only", "digest", "finished"], "delivery": ["only", "stamp"],
    "user": ["id", "name", "password", "created", "disabled"], "role": ["user", "container", "scope"],
    "container": ["id", "kind", "name", "approval", "created", "removed"],
    "draft": ["container", "revision", "base", "actor", "actor_name", "time", "text"],
    "version": [
      "container", "number", "name", "notes", "parent", "actor", "actor_name", "time", "approver", "approver_name",
      "text",
    ],
    "environment": ["container", "number", "name", "digest", "created", "removed"],
    "publication": [
      "container", "environment", "sequence", "environment_number", "version", "share", "previous", "actor",
      "actor_name", "time",
    ],
    "token": ["id", "name", "digest", "scope", "container", "created", "expires", "revoked", "user"],
    "author": ["container", "version", "person"], "session": ["digest", "user", "created", "used"],
    "preview": ["id", "digest", "container", "version", "actor", "actor_name", "time", "expires", "revoked"],
    "activity": ["pos", "time", "actor", "actor_name", "action", "container", "subject", "before", "after"],
  ]

  @Test("CO-1000: the tables and their columns, the write-ahead log, full synchronisation")
  func schema() throws {
    let tables = try WorkspaceTables(path: path)
    let names = try tables.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
      $0.text(at: 0)
    }
    #expect(Set(names) == Set(Self.columns.keys))
    for (table, columns) in Self.columns {
      #expect(try tables.rows("SELECT name FROM pragma_table_info('\(table)')") { $0.text(at: 0) } == columns)
    }
    #expect(tables.connection.isWriteAheadLogged)
    #expect(try tables.connection.integer("PRAGMA synchronous") == 2)
    #expect(try tables.connection.integer("PRAGMA foreign_keys") == 1)
  }

  @Test("CO-1000: migrations have the numbers 1, 2, 3 and so on")
  func migrations() {
    let versions = WorkspaceSchema.schema.migrations.map(\.version)
    #expect(versions == Array(1...Int64(versions.count)))
  }

  @Test("CO-1000: a file of version 1, as servers have written it, gets the tables of the last and keeps what is in it")
  func migrated() async throws {
    do {
      let connection = try Connection(path: path, durability: .processDeath)
      let first = Schema(
        applicationID: WorkspaceSchema.schema.applicationID,
        migrations: Array(WorkspaceSchema.schema.migrations.prefix(1)))
      try first.apply(to: connection)
      try connection.execute(
        """
        INSERT INTO user(id, name, created) VALUES('u1', 'Ada', 5);
        INSERT INTO role(user, scope) VALUES('u1', 'admin');
        INSERT INTO setup(only, finished) VALUES(1, 5);
        INSERT INTO container VALUES('GTM-SHOP', 'ios', 'Shop', 0, 1000, NULL);
        """)
      #expect(try connection.integer("PRAGMA user_version") == 1)
    }
    let store = try SQLiteWorkspaceStore(path: path)
    #expect(try await store.users() == [ConsoleUser(id: "u1", name: "Ada", created: 5)])
    #expect(try await store.account(named: "ada")?.password == nil)
    #expect(try await store.isSetUp())
    #expect(try await store.container("GTM-SHOP")?.name == "Shop")
    try await store.create(ConsoleSession(digest: SecretDigest(of: "s"), user: "u1", created: 9, used: 9))
    #expect(try await store.session(SecretDigest(of: "s"))?.user == "u1")
    let tables = try WorkspaceTables(path: path)
    #expect(try tables.connection.integer("PRAGMA user_version") == 2)
  }

  @Test("CO-1000: a file of a newer version, another program's and a damaged one are refused")
  func refused() async throws {
    do { _ = try WorkspaceTables(path: path) }
    let connection = try Connection(path: path, durability: .processDeath)
    try connection.execute("PRAGMA user_version=999")
    #expect(throws: WorkspaceStoreError.self) { try SQLiteWorkspaceStore(path: path) }
    try connection.execute("PRAGMA user_version=1; PRAGMA application_id=7")
    #expect(throws: WorkspaceStoreError.self) { try SQLiteWorkspaceStore(path: path) }
    let empty = try directory.write("", to: "empty.sqlite3")
    #expect(throws: WorkspaceStoreError.self) { try SQLiteWorkspaceStore(path: empty) }
    let text = try directory.write("no database", to: "text.sqlite3")
    #expect(throws: WorkspaceStoreError.self) { try SQLiteWorkspaceStore(path: text) }
  }

  @Test(
    "CO-400, CO-403: what was versioned, published or logged is not changed, whoever writes to the file",
    arguments: [
      "UPDATE version SET text = 'x'", "DELETE FROM version", "UPDATE publication SET version = 1",
      "DELETE FROM publication", "UPDATE activity SET subject = ''", "DELETE FROM activity",
    ])
  func kept(statement: String) async throws {
    let store = try SQLiteWorkspaceStore(path: path)
    try await WorkspaceStoreContract.prepare(store, versions: 1)
    let by = Authorship(WorkspaceStoreContract.ada, at: 1)
    _ = try await store.publish(1, of: WorkspaceStoreContract.id, in: "live", share: .all, after: nil, by: by)
    let other = try Connection(path: path, durability: .processDeath)
    let error = #expect(throws: StoreError.self) { try other.execute(statement) }
    #expect(error?.code == .constraint)
  }

  @Test("CO-904: the file has no secret in it")
  func secrets() async throws {
    let store = try SQLiteWorkspaceStore(path: path)
    try await WorkspaceStoreContract.prepare(store)
    let random = SeededRandomSource(seed: 4)
    let secrets = Secret.Kind.allCases.map { Secret($0, from: random) }
    let by = Authorship(WorkspaceStoreContract.ada, at: 1)
    _ = try await store.offerSetup(secrets[0].digest)
    var token = WorkspaceStoreContract.token("t")
    token.digest = secrets[1].digest
    try await store.create(token, by: by)
    _ = try await store.createEnvironment(
      "e", of: WorkspaceStoreContract.id, digest: secrets[2].digest, by: by)
    var preview = WorkspaceStoreContract.preview("p", version: nil)
    preview.digest = secrets[3].digest
    try await store.create(preview)
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      let content = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
      for secret in secrets {
        #expect(content.range(of: Data(secret.text.utf8)) == nil, "\(name)")
        #expect(content.range(of: Data(secret.text.dropFirst(4).utf8)) == nil, "\(name)")
      }
    }
  }
}
