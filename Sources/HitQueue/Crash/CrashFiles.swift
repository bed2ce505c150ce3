import DurableStore
import Foundation

/// The files `crash-<pid>.bin` of a store's directory (HQ-301): empty while their process lives, one record after its
/// crash.
struct CrashFiles: Sendable {
  let directory: String

  /// The file of this process.
  var own: String { directory + "/crash-\(getpid()).bin" }

  /// Hands every report to `take`, each to one process only, and removes the file when it says so; what is no record and
  /// belongs to nobody any more is removed.
  func takeReports(_ take: (CrashReport) -> Bool) throws(StoreError) {
    for (path, process) in try files() {
      guard let file = try LockedFile(path) else { continue }
      defer { file.close() }
      let bytes = try file.read()
      if let report = CrashReport(bytes) {
        if take(report) { unlink(path) }
      } else if !Self.isAlive(process) {
        unlink(path)
      }
    }
  }

  /// Removes the records of crashes, whoever wrote them.
  func removeAll() throws(StoreError) {
    for (path, process) in try files() where !Self.isAlive(process) { unlink(path) }
  }

  private func files() throws(StoreError) -> [(path: String, process: pid_t)] {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
      throw StoreError(code: .cannotOpen, message: "\(directory) cannot be read: \(error)")
    }
    return names.sorted().compactMap { name in
      guard name.hasPrefix("crash-"), name.hasSuffix(".bin"), let process = pid_t(name.dropFirst(6).dropLast(4)) else {
        return nil
      }
      return ("\(directory)/\(name)", process)
    }
  }

  private static func isAlive(_ process: pid_t) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}

/// A file that no other process reads at the same time.
private struct LockedFile {
  private let descriptor: Int32

  /// Opens and locks a file; nil when it is gone, or another process has it.
  init?(_ path: String) throws(StoreError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)")
    }
    var facts = stat()
    // Another process may have removed it between the two calls.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &facts) == 0, facts.st_nlink > 0 else {
      close()
      return nil
    }
  }

  /// The first bytes, one more than a record has.
  func read() throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 513)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw StoreError(errno: errno, code: .ioError, doing: "read a crash record") }
    return Array(bytes[..<count])
  }

  func close() { Foundation.close(descriptor) }
}
