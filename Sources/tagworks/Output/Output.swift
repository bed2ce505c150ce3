import Foundation

/// Standard output and standard error: results on the one, messages on the other.
enum Output {
  /// Prints a result and a line feed.
  static func line(_ text: String = "") { write(text + "\n", to: .standardOutput) }

  /// Prints a message about the work, with the program's name before it.
  static func message(_ text: String) { write("tagworks: \(text)\n", to: .standardError) }

  /// Prints lines of a log, each with its end, to standard error.
  static func log(lines: String) { write(lines, to: .standardError) }

  /// Prints a text as it is.
  static func text(_ text: String) { write(text, to: .standardOutput) }

  /// Writes bytes as they are.
  static func data(_ data: Data) { write(data, to: .standardOutput) }

  private static func write(_ text: String, to handle: FileHandle) { write(Data(text.utf8), to: handle) }

  private static func write(_ data: Data, to handle: FileHandle) {
    do {
      try handle.write(contentsOf: data)
    } catch {
      // A reader that has had enough, as `| head`, is no failure; a full disk behind `>` is one.
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let isReaderGone = errno == EPIPE || cause?.code == Int(EPIPE)
      exit((isReaderGone ? ExitStatus.success : .unavailable).rawValue)
    }
  }
}
