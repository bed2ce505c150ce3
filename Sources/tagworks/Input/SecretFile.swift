import Foundation

/// A file with a secret, which only its owner may read.
enum SecretFile {
  /// The text without white space around it.
  ///
  /// - Throws: a failure for a file that others may read; a pipe is nobody else's.
  static func text(path: String, limit: Int) throws(CommandFailure) -> String {
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 {
      throw CommandFailure("\(path) can be read by others; protect it with 'chmod 600 \(path)'")
    }
    let text = String(decoding: try InputFile(path: path).data(limit: limit), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw CommandFailure("\(path) is empty") }
    return text
  }
}
