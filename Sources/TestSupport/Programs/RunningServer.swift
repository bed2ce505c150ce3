import Foundation

/// `tagworks serve` in a process of its own, until it is stopped.
package final class RunningServer {
  /// Where it listens.
  package let url: String
  private let process = Process()

  /// Starts a server on a free port and waits for its first line.
  package init(data: String, arguments: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["serve", "--port", "0", "--data", data] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.hasSuffix("\n") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      line += String(decoding: piece, as: UTF8.self)
    }
    let words = line.split { $0 == " " || $0 == "," }
    url = words.first { $0.hasPrefix("http://") }.map(String.init) ?? ""
  }

  /// Asks it to stop, and gives its exit status.
  package func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { process.terminate() } }
}
