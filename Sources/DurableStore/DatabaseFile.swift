import CSQLite
import Foundation

/// What stands at a database's place, before SQLite looks: it takes an empty file for a new one and deletes its log.
package enum DatabaseFile: Sendable, Hashable {
  /// No file, or an empty one.
  case empty
  /// Too short for a header, or one by which SQLite would open a file for reading only.
  case damaged
  /// Anything else, which SQLite judges.
  case filled

  private static let headerBytes = 100
  private static let pageBytes = 4096

  /// Looks at the file of a name.
  package init(at path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      self = errno == ENOENT ? .empty : .filled
      return
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      self = .filled
      return
    }
    switch Int(facts.st_size) {
    case 0: self = .empty
    case 1..<Self.headerBytes: self = .damaged
    default: self = Self.hasKnownFormat(path) ? .filled : .damaged
    }
  }

  /// Whether the file format's version for writing is one that SQLite writes; a file that cannot be read passes.
  ///
  /// It is read by SQLite's own file: to close any other would take away the locks that this process holds on it.
  private static func hasKnownFormat(_ path: String) -> Bool {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { return true }
    var file: UnsafeMutablePointer<sqlite3_file>?
    var version: UInt8 = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let read = file.pointee.pMethods?.pointee.xRead, read(file, &version, 1, 18) == SQLITE_OK
    else { return true }
    return version == 1 || version == 2
  }

  /// Copies a database with its log, under the first page of a database that was made alike, for as long as it is read.
  ///
  /// The first page says where the tables begin, which is the same for all files of one schema. So what is behind a page
  /// that is damaged can be read, and a log whose file is gone.
  package static func withMendedCopy<Result>(
    of path: String, schema: Schema, _ read: (String) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let copy = path + "-copy"
    let model = path + "-model"
    defer { for name in [copy, model] { for ending in ["", "-wal", "-shm"] { unlink(name + ending) } } }
    let page = try firstPage(of: schema, madeAt: model)
    for ending in ["", "-wal"] where access(path + ending, F_OK) == 0 {
      do { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) } catch {
        throw StoreError(code: .ioError, message: "cannot copy \(path)\(ending): \(error.localizedDescription)")
      }
    }
    try StoreDirectory.prepareFile(copy)
    try write(page, to: copy)
    return try read(copy)
  }

  private static func firstPage(of schema: Schema, madeAt path: String) throws(StoreError) -> [UInt8] {
    try StoreDirectory.prepareFile(path)
    do {
      let model = try Connection(path: path, durability: .processDeath)
      try schema.apply(to: model)
    }
    // The connection has ended, and with it the log.
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count >= pageBytes else {
      throw StoreError(code: .ioError, message: "cannot read \(path)")
    }
    return [UInt8](bytes.prefix(pageBytes))
  }

  /// Overwrites the first page and says there how many pages the file has.
  private static func write(_ page: [UInt8], to path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)") }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    let pages = max(1, (Int(size) + pageBytes - 1) / pageBytes)
    var page = page
    withUnsafeBytes(of: UInt32(clamping: pages).bigEndian) { page.replaceSubrange(28..<32, with: $0) }
    // The number of pages holds where these two agree.
    page.replaceSubrange(92..<96, with: page[24..<28])
    guard size >= 0, ftruncate(descriptor, off_t(pages * pageBytes)) == 0,
      pwrite(descriptor, page, page.count, 0) == page.count
    else { throw StoreError(errno: errno, code: .ioError, doing: "write to \(path)") }
  }
}
