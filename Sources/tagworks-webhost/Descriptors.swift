import Foundation

/// The standard descriptors of this process.
enum Descriptors {
  /// Moves standard output to a descriptor that no child gets, and sends what the engine prints to standard error.
  ///
  /// The engine's processes inherit standard output: held by them, the pipe would not end with this process.
  static func takeOutput() -> Int32 {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    dup2(2, 1)
    return output
  }
}
