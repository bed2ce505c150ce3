import Foundation

/// A script of the project that prepares what a test needs.
package enum ProjectScript {
  /// Runs a script of the folder `Scripts`.
  ///
  /// - Returns: what it printed; nil when it failed, its reason then being on standard error.
  package static func output(of name: String) throws -> String? {
    let script = Process()
    script.executableURL = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scripts/\(name)")
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    return script.terminationStatus == 0 ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }
}
