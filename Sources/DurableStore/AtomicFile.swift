import Foundation

/// A small file that is replaced as a whole: a reader sees the old bytes or the new ones, also after a crash (HQ-211).
///
/// New bytes go to a temporary file beside it, which is synchronised before it takes the name; then the directory is.
package struct AtomicFile: Sendable {
  package let path: String

  private let permissions: mode_t

  /// Takes a path; unless it is for everybody to read, a new file is its owner's alone.
  package init(path: String, isForEverybody: Bool = false) {
    self.path = path
    permissions = isForEverybody ? 0o644 : 0o600
  }

  /// The bytes; nil when there is no file.
  package func read(limit: Int = 1 << 20) throws(StoreError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, code: .ioError, doing: "read \(path)") }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw StoreError(code: .damaged, message: "\(path) is longer than \(limit) bytes")
      }
    }
  }

  /// Replaces the file.
  package func replace(with bytes: [UInt8]) throws(StoreError) {
    let temporary = try writeTemporary(bytes)
    guard rename(temporary, path) == 0 else { throw failure("rename to \(path)", removing: temporary) }
    try synchronizeDirectory()
  }

  /// Replaces the file, and keeps the old one in a folder beside it; where that fails, the old one stays.
  package func replace(with bytes: [UInt8], keepingOldIn folder: String) throws(StoreError) {
    let temporary = try writeTemporary(bytes)
    let kept = try place(in: folder)
    unlink(kept)
    guard link(path, kept) == 0 || errno == ENOENT else { throw failure("link \(kept)", removing: temporary) }
    guard rename(temporary, path) == 0 else { throw failure("rename to \(path)", removing: temporary) }
    try synchronizeDirectory()
  }

  /// Removes the file, if there is one.
  package func remove() throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw StoreError(errno: errno, code: .ioError, doing: "remove \(path)")
    }
  }

  /// Makes the file; false when there is one, which then stays as it is.
  package func create(with bytes: [UInt8]) throws(StoreError) -> Bool {
    let temporary = try writeTemporary(bytes)
    // A link fails where a rename would replace what another process has just made.
    let isFirst = link(temporary, path) == 0
    guard isFirst || errno == EEXIST else { throw failure("link \(path)", removing: temporary) }
    unlink(temporary)
    try synchronizeDirectory()
    return isFirst
  }

  /// Moves the file into a folder beside it, which is made when it is not there.
  package func move(toFolder folder: String) throws(StoreError) {
    guard rename(path, try place(in: folder)) == 0 || errno == ENOENT else {
      throw StoreError(errno: errno, code: .ioError, doing: "move \(path) to \(folder)")
    }
    try synchronizeDirectory()
  }

  /// The path of the same name in a folder beside the file, which is made when it is not there.
  private func place(in folder: String) throws(StoreError) -> String {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    try StoreDirectory.prepare(directory + folder)
    return directory + folder + "/" + name
  }

  private func writeTemporary(_ bytes: [UInt8]) throws(StoreError) -> String {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
    guard descriptor >= 0 else {
      throw StoreError(errno: errno, code: Self.isFull(errno) ? .full : .cannotOpen, doing: "make \(temporary)")
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("write \(temporary)", removing: temporary) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure("synchronise \(temporary)", removing: temporary) }
    return temporary
  }

  private func synchronizeDirectory() throws(StoreError) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(errno: errno, code: .ioError, doing: "open \(directory)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StoreError(errno: errno, code: .ioError, doing: "synchronise \(directory)")
    }
  }

  private func failure(_ action: String, removing temporary: String) -> StoreError {
    let error = StoreError(errno: errno, code: Self.isFull(errno) ? .full : .ioError, doing: action)
    unlink(temporary)
    return error
  }

  private static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }
}
