import Foundation

/// `tagworks serve` in a process of its own, until it is stopped.
package final class RunningServer {
  /// Where it listens.
  package let url: String
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private var read = ""

  /// Starts a server on a port, 0 for a free one, and waits for its first line.
  ///
  /// - Parameter keepsLog: whether `log` is wanted; it must be short, since nobody reads it before the end.
  package init(data: String, port: UInt16 = 0, arguments: [String] = [], keepsLog: Bool = false) throws {
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["serve", "--port", String(port), "--data", data] + arguments
    process.standardOutput = output
    process.standardError = keepsLog ? errors : FileHandle.nullDevice
    try process.run()
    let line = Self.line(1, of: &read, from: output)
    let words = line.split { $0 == " " || $0 == "," }
    url = words.first { $0.hasPrefix("http://") }.map(String.init) ?? ""
  }

  /// The token for setting it up, which a server on a new directory prints on its second line.
  package func setupToken() -> String? {
    Self.line(2, of: &read, from: output).split { $0 == " " || $0 == "=" }.last { $0.hasPrefix("tws_") }.map(
      String.init)
  }

  /// A line of the output, counted from 1; waits for it.
  private static func line(_ number: Int, of read: inout String, from output: Pipe) -> String {
    while read.filter({ $0 == "\n" }).count < number {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      read += String(decoding: piece, as: UTF8.self)
    }
    let lines = read.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.count >= number ? String(lines[number - 1]) : ""
  }

  /// What it wrote to standard error until its end.
  package var log: String {
    try? errors.fileHandleForWriting.close()
    return String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// Asks it to stop.
  package func signal() { process.terminate() }

  /// Asks it to stop, and gives its exit status.
  package func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { process.terminate() } }
}
