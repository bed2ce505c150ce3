import Foundation

/// A lock between processes on a file of its own, by `flock`; the death of the holder releases it (HQ-321).
package final class FileLock: Sendable {
  private let lock = NSLock()
  // Touched only under `lock`; below 0 once it is closed.
  nonisolated(unsafe) private var descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock, for itself or shared with others; nil when somebody else holds it.
  package static func take(_ path: String, shared: Bool = false) throws(StoreError) -> FileLock? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(errno: errno, code: .cannotOpen, doing: "open \(path)") }
    while flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      close(descriptor)
      if number == EWOULDBLOCK { return nil }
      throw StoreError(errno: number, code: .ioError, doing: "lock \(path)")
    }
    return FileLock(descriptor: descriptor)
  }

  /// Lets the next one have it; without this call, the end of the object does.
  package func release() {
    lock.withLock {
      guard descriptor >= 0 else { return }
      // Unlocks the copy of a forked child too; where that fails, the last close does.
      flock(descriptor, LOCK_UN)
      close(descriptor)
      descriptor = -1
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
