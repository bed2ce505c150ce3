import Foundation

/// How often this process was forked off: to compare numbers costs nothing, to ask for the process's own is a system call.
enum Forks {
  // Written only in a new child, where the thread that forked is the only one.
  nonisolated(unsafe) private static var ancestors = 0
  private static let watch: Void = { _ = pthread_atfork(nil, nil) { Forks.ancestors += 1 } }()

  /// Rises in every child from the first call in a parent on.
  static var count: Int {
    watch
    return ancestors
  }
}
