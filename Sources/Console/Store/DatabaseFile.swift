import DurableStore
import Foundation

/// The file of one of the server's databases: whole from its first moment, and refused when it is damaged.
enum DatabaseFile {
  /// Makes the file where there is none.
  ///
  /// It is made under another name and then given its own: an empty file under that name is never one that was being
  /// made, and what somebody trusted the server with may have been in it.
  ///
  /// - Parameter fill: makes the tables in a file of the name it is given, and closes it.
  /// - Throws: `cannotOpen` for an empty file, and for a log without its database, with the path.
  static func prepare(_ path: String, fill: (_ path: String) throws(StoreError) -> Void) throws(StoreError) {
    try StoreDirectory.check(path)
    if access(path, F_OK) != 0 {
      for log in paths(of: path).dropFirst() where access(log, F_OK) == 0 && access(path, F_OK) != 0 {
        throw StoreError(
          code: .cannotOpen, message: "\(log) is there without its database; move it away, or bring that back")
      }
      try make(path, fill)
    }
    try StoreDirectory.checkContent(path)
  }

  /// The files of a database: its own, first, and the logs that SQLite keeps beside it.
  static func paths(of path: String) -> [String] { ["", "-wal", "-journal"].map { path + $0 } }

  private static func make(
    _ path: String, _ fill: (_ path: String) throws(StoreError) -> Void
  ) throws(StoreError) {
    let temporary = "\(path).new-\(getpid())"
    unlink(temporary)
    try StoreDirectory.prepareFile(temporary)
    defer { for end in ["", "-wal", "-shm"] { unlink(temporary + end) } }
    // Closed again, which brings everything into the one file.
    try fill(temporary)
    guard link(temporary, path) != 0, errno != EEXIST else { return }
    // A file system without links.
    guard rename(temporary, path) == 0 else {
      throw StoreError(
        code: .cannotOpen, message: "\(path) cannot be made: \(String(cString: strerror(errno)))", systemCode: errno)
    }
  }

  /// Looks at every page.
  ///
  /// - Throws: `damaged` with the file's path.
  static func check(_ connection: Connection) throws(StoreError) {
    let statement = try connection.prepare("PRAGMA quick_check(1)")
    let verdict = try statement.query { row throws(StoreError) in try row.step() ? row.text(at: 0) : "no answer" }
    guard verdict == "ok" else {
      let line = verdict.split(separator: "\n").joined(separator: " ")
      throw StoreError(code: .damaged, message: "\(connection.path) is damaged: \(line)")
    }
  }
}
