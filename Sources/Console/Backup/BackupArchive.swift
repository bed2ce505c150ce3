import Digests
import DurableStore
import Foundation

/// One file that holds others, piece by piece, so that no file needs to fit into memory.
///
///     archive = SQLite database of application id "TWBK": piece(name, number, digest, bytes)
///
/// Pieces of a file are numbered from 0 and have at most 4 MiB; a digest is the SHA-256 of its piece. An archive is
/// written beside its place and then takes its name: what has the name is whole.
struct BackupArchive {
  private static let pieceBytes = 4 << 20
  private static let schema = Schema(
    applicationID: 0x5457_424B,  // TWBK
    migrations: [
      Schema.Migration(
        version: 1,
        sql: """
          CREATE TABLE piece(name TEXT NOT NULL, number INTEGER NOT NULL, digest BLOB NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY(name, number));
          """)
    ])

  /// Writes files into a new archive, each under a name.
  ///
  /// - Throws: `cannotOpen` when there is a file already.
  static func write(_ files: [(name: String, path: String)], to path: String) throws(StoreError) {
    guard FileIdentity(path: path) == nil else {
      throw StoreError(code: .cannotOpen, message: "\(path) is there already")
    }
    let temporary = "\(path).new-\(getpid())"
    defer { for end in ["", "-wal", "-shm"] { unlink(temporary + end) } }
    try fill(temporary, with: files)
    guard link(temporary, path) == 0 || (errno != EEXIST && rename(temporary, path) == 0) else {
      throw StoreError(errno: errno, code: .cannotOpen, doing: "make \(path)")
    }
  }

  /// The connection is closed on return, which brings everything into the one file.
  private static func fill(_ path: String, with files: [(name: String, path: String)]) throws(StoreError) {
    try StoreDirectory.prepareFile(path)
    let connection = try Connection(path: path, durability: .powerLoss)
    try schema.apply(to: connection)
    let insert = try connection.prepare("INSERT INTO piece VALUES(?1, ?2, ?3, ?4)")
    for file in files {
      let reader = try FileReader(file.path)
      var number = 0
      while true {
        let bytes = try reader.read(upTo: pieceBytes)
        guard !bytes.isEmpty || number == 0 else { break }
        insert.bind(file.name, at: 1)
        insert.bind(number, at: 2)
        insert.bind(Digest.sha256(bytes), at: 3)
        insert.bind(bytes, at: 4)
        try insert.run()
        number += 1
      }
    }
    // A file that is read beside its log would leave one there.
    try connection.execute("PRAGMA journal_mode=DELETE")
  }

  private let connection: Connection

  /// Opens an archive.
  ///
  /// - Throws: `foreign`, `newer` or `damaged` for what is none that can be read.
  init(path: String) throws(StoreError) {
    connection = try Connection(readingFrom: path)
    try Self.schema.check(connection)
    try DatabaseFile.check(connection)
  }

  /// The names of the files in it.
  func names() throws(StoreError) -> [String] {
    try connection.prepare("SELECT DISTINCT name FROM piece ORDER BY name").query { row throws(StoreError) in
      var names: [String] = []
      while try row.step() { names.append(row.text(at: 0)) }
      return names
    }
  }

  /// Writes a file of the archive to a path where there is none.
  ///
  /// - Throws: `damaged` when a piece is missing or another one than was written.
  func extract(_ name: String, to path: String) throws(StoreError) {
    let select = try connection.prepare("SELECT number, digest, bytes FROM piece WHERE name = ?1 ORDER BY number")
    select.bind(name, at: 1)
    let writer = try FileWriter(path)
    try select.query { row throws(StoreError) in
      var expected: Int64 = 0
      while try row.step() {
        let bytes = row.blob(at: 2)
        guard row.integer(at: 0) == expected, row.blob(at: 1) == Digest.sha256(bytes) else {
          throw StoreError(code: .damaged, message: "\(connection.path) is damaged at piece \(expected) of \(name)")
        }
        try writer.write(bytes)
        expected += 1
      }
    }
    try writer.synchronize()
  }
}

/// A file that is read from its start.
private final class FileReader {
  private let descriptor: Int32
  private let path: String

  init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)") }
  }

  deinit { close(descriptor) }

  /// As many bytes as there are, up to a count.
  func read(upTo count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw StoreError(errno: errno, code: .ioError, doing: "read \(path)") }
      guard got > 0 else { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }
}

/// A new file for its owner alone.
private final class FileWriter {
  private let descriptor: Int32
  private let path: String

  init(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(errno: errno, code: .cannotOpen, doing: "make \(path)") }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(StoreError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw StoreError(errno: errno, code: errno == ENOSPC ? .full : .ioError, doing: "write \(path)")
      }
      rest = rest.dropFirst(count)
    }
  }

  func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, code: .ioError, doing: "synchronise \(path)") }
  }
}
