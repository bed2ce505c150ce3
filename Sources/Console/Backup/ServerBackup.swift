import DurableStore
import Foundation

/// Copies of a server's databases: authors' work and hits (CO-1003).
public struct ServerBackup: Sendable {
  /// The files of a server: each with its name in a backup.
  private let files: [(name: String, path: String)]
  private let data: String

  /// The server of a data directory.
  ///
  /// - Parameter database: the file of the console's database; nil for the one in the data directory.
  public init(data: String, database: String? = nil) {
    self.data = data
    files = [
      (WorkspaceSchema.fileName, database ?? data + "/" + WorkspaceSchema.fileName),
      (IntakeSchema.fileName, data + "/" + IntakeSchema.fileName),
    ]
  }

  /// The lock that a running server shares and a restore needs for itself.
  static func lock(data: String, shared: Bool) throws(StoreError) -> FileLock? {
    try FileLock.take(data + "/server.lock", shared: shared)
  }

  /// Writes a copy of each database, of one moment each, while the server may run.
  ///
  /// - Parameter path: a new file, readable by its owner alone; beside it there must be room for twice the databases.
  /// - Throws: `storeUnavailable` when there is no server's database, or the file cannot be made.
  public func write(to path: String) throws(ConsoleError) {
    try Self.work(namedAs: path) { () throws(StoreError) in
      let present = files.filter { FileIdentity(path: $0.path) != nil }
      guard present.contains(where: { $0.name == WorkspaceSchema.fileName }) else {
        throw StoreError(code: .cannotOpen, message: "\(files[0].path) does not exist")
      }
      var copies: [(name: String, path: String)] = []
      defer { for copy in copies { unlink(copy.path) } }
      for file in present {
        let copy = "\(path).\(file.name)-\(getpid())"
        unlink(copy)
        copies.append((file.name, copy))
        try StoreDirectory.prepareFile(copy)
        let statement = try Connection(readingFrom: file.path).prepare("VACUUM INTO ?1")
        statement.bind(copy, at: 1)
        try statement.run()
      }
      try BackupArchive.write(copies, to: path)
    }
  }

  /// Brings the databases of a backup into a data directory that has none.
  ///
  /// - Throws: `storeUnavailable` when a server runs there, a database is there already, or the backup is damaged; then
  ///   nothing was changed.
  public func restore(from path: String) throws(ConsoleError) {
    try Self.work { () throws(StoreError) in
      let archive = try Self.archive(path)
      let names = try archive.names()
      try StoreDirectory.prepare(data)
      guard let lock = try Self.lock(data: data, shared: false) else {
        throw StoreError(code: .busy, message: "a server runs on \(data)")
      }
      defer { lock.release() }
      let wanted = files.filter { names.contains($0.name) }
      // A log that is left of a former database would be played into the restored one.
      for path in wanted.flatMap({ DatabaseFile.paths(of: $0.path) }) where FileIdentity(path: path) != nil {
        throw StoreError(code: .cannotOpen, message: "\(path) is there already; move it away first")
      }
      var fresh: [String] = []
      defer { for path in fresh { for end in ["", "-wal", "-shm"] { unlink(path + end) } } }
      for file in wanted {
        let new = "\(file.path).new-\(getpid())"
        unlink(new)
        fresh.append(new)
        try archive.extract(file.name, to: new)
        let schema = file.name == IntakeSchema.fileName ? IntakeSchema.schema : WorkspaceSchema.schema
        let connection = try Connection(readingFrom: new)
        try schema.check(connection)
        try DatabaseFile.check(connection)
      }
      for (file, new) in zip(wanted, fresh) where link(new, file.path) != 0 {
        guard errno != EEXIST, rename(new, file.path) == 0 else {
          throw StoreError(errno: errno, code: .cannotOpen, doing: "make \(file.path)")
        }
      }
    }
  }

  private static func archive(_ path: String) throws(StoreError) -> BackupArchive {
    do throws(StoreError) { return try BackupArchive(path: path) } catch {
      guard error.code == .damaged else { throw error }
      throw StoreError(
        code: .damaged, message: "\(path) is no backup, or a damaged one", systemCode: error.systemCode)
    }
  }

  /// Does the work; an error about a file that nobody has named speaks of the one that it was to become.
  private static func work(
    namedAs path: String? = nil, _ work: () throws(StoreError) -> Void
  ) throws(ConsoleError) {
    do throws(StoreError) { try work() } catch {
      var message = error.message
      if let path {
        let inner = [WorkspaceSchema.fileName, IntakeSchema.fileName, "new"].map { "\(path).\($0)-\(getpid())" }
        for name in inner { message = message.replacing(name, with: path) }
      }
      throw ConsoleError(code: .storeUnavailable, message: message, cause: error)
    }
  }
}
