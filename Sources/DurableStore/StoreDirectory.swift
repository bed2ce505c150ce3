import Foundation

/// The directory of one store: made for its owner alone, and checked before anything in it is opened (HQ-300, HQ-302).
package enum StoreDirectory {
  /// Makes the directory and what is missing above it, for the owner alone; on Apple's platforms it is kept out of
  /// backups, and can be read from the first unlocking of the device on.
  ///
  /// - Throws: `insecure` for a symbolic link or another user's directory, `cannotOpen` for one that cannot be made or
  ///   written.
  package static func prepare(_ path: String) throws(StoreError) {
    for end in path.indices.dropFirst() where path[end] == "/" { try make(String(path[..<end])) }
    try make(path)
    try check(path, isDirectory: true)
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw StoreError(errno: errno, code: .cannotOpen, doing: "write to \(path)")
    }
    #if canImport(Darwin)
      var url = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // A volume without this attribute has no backups either.
      try? url.setResourceValues(values)
      #if !os(macOS)
        // Nor has one without this attribute any protection to ask for.
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
      #endif
    #endif
  }

  private static func make(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o700) != 0 else { return }
    let number = errno
    // A parent that may not be written is no obstacle where the directory is already there.
    if access(path, F_OK) != 0 { throw StoreError(errno: number, code: .cannotOpen, doing: "make \(path)") }
  }

  /// Refuses a symbolic link and what belongs to another user; what does not exist passes.
  package static func check(_ path: String, isDirectory: Bool = false) throws(StoreError) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      if errno == ENOENT { return }
      throw StoreError(errno: errno, code: .cannotOpen, doing: "look at \(path)")
    }
    let type = facts.st_mode & S_IFMT
    guard type != S_IFLNK, facts.st_uid == geteuid() else {
      throw StoreError(code: .insecure, message: "\(path) is a symbolic link or belongs to somebody else")
    }
    guard type == (isDirectory ? S_IFDIR : S_IFREG) else {
      throw StoreError(errno: isDirectory ? ENOTDIR : EISDIR, code: .cannotOpen, doing: "open \(path)")
    }
  }

  /// Refuses what `check` refuses, and a file that is not there or empty.
  package static func checkContent(_ path: String) throws(StoreError) {
    try check(path)
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      throw StoreError(code: .cannotOpen, message: "\(path) does not exist", systemCode: errno)
    }
    // SQLite takes a file of one byte for an empty one, and deletes its log.
    guard facts.st_size > 1 else { throw StoreError(code: .cannotOpen, message: "\(path) is empty, no store is in it") }
  }

  /// Makes a database file for the owner alone, so that SQLite does not make it for everybody.
  package static func prepareFile(_ path: String) throws(StoreError) {
    try check(path)
    // Only a new file: to close one that is there would take away the locks that this process holds on it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)")
    }
  }
}
