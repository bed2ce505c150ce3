#if !canImport(Darwin)
  import Foundation

  /// A directory in which a helper's display makes its socket, and which is removed after the helper, however it ended.
  ///
  /// It is locked while this process lives. One that nobody holds is what a killed app left; it is removed before another
  /// is made.
  package struct HelperDirectory {
    let path: String
    private let lock: Int32

    private static let prefix = "tagworks-webhost-"
    /// Seconds; younger ones may not be locked yet.
    private static let leastAge = 600

    /// Makes one that this user alone can enter; nil when the system refuses.
    init?() {
      // A socket's path has at most 107 bytes, which a temporary directory's own may exceed.
      for parent in [FileManager.default.temporaryDirectory.path, "/tmp"] where parent.utf8.count < 50 {
        Self.removeLeftovers(in: parent)
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { continue }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        lock = Self.lock(path) ?? -1
        return
      }
      return nil
    }

    // What stays of it is removed before the next is made.
    func remove() {
      try? FileManager.default.removeItem(atPath: path)
      if lock >= 0 { close(lock) }
    }

    /// In the helper: has the directory that it was given removed with its own end, for the app may be gone by then.
    package static func removeAtExit() {
      atexit {
        guard let path = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"],
          URL(fileURLWithPath: path).lastPathComponent.hasPrefix(HelperDirectory.prefix)
        else { return }
        try? FileManager.default.removeItem(atPath: path)
      }
    }

    private static func removeLeftovers(in parent: String) {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
        let path = "\(parent)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
          status.st_mtim.tv_sec < time(nil) - leastAge, let lock = lock(path)
        else { continue }
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
      }
    }

    /// Locks a directory; nil when somebody holds it, or it is none.
    private static func lock(_ path: String) -> Int32? {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { return nil }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      close(descriptor)
      return nil
    }
  }
#endif
