import Foundation
import Hits
import TestSupport

/// A program of this package while it runs: its lines as they come, and words for it.
final class RunningProgram: Sendable {
  private let lines: Locked<[String]>
  private let pid: Int32
  private let input: Pipe

  /// Starts a program that was built beside the tests.
  init(_ name: String, _ arguments: [String], environment: [String: String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
      .appendingPathComponent(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines = Locked<[String]>([])
    let handle = output.fileHandleForReading
    Thread.detachNewThread {
      var rest = Data()
      while case let piece = handle.availableData, !piece.isEmpty {
        rest += piece
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          lines.withLock { $0.append(line) }
          rest = Data(rest[(end + 1)...])
        }
      }
    }
    (self.lines, self.input, pid) = (lines, input, process.processIdentifier)
  }

  // Its signals are blocked, as those of the thread that started it were: only this one ends it.
  deinit { kill(pid, SIGKILL) }

  /// Everything it printed so far.
  var output: [String] { lines.withLock { $0 } }

  func has(_ text: String) -> Bool { output.contains { $0.contains(text) } }

  func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
}
