import Foundation

/// A running `chromedriver`, which starts browsers and drives them over HTTP (WebDriver).
package final class ChromeDriver: Sendable {
  /// Where it listens.
  package let url: String
  private let process: Process

  /// Starts it; nil, with one line that says so, where there is none.
  package init?(for suite: String) throws {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromedriver" }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      print("\(suite): there is no chromedriver on PATH; nothing was checked")
      return nil
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--port=0"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    var port: Int?
    while port == nil {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      text += String(decoding: piece, as: UTF8.self)
      port = text.firstMatch(of: /successfully on port (\d+)\./).flatMap { Int($0.1) }
    }
    guard let port else {
      print("\(suite): chromedriver does not start; nothing was checked")
      return nil
    }
    self.process = process
    url = "http://127.0.0.1:\(port)"
  }

  // It may have been started with its signals blocked, as threads of a pool have them.
  deinit { kill(process.processIdentifier, SIGKILL) }
}
