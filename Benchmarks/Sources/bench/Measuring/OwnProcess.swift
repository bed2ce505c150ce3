import Foundation

/// This program once more, for work whose memory or wake-ups must be nobody else's.
enum OwnProcess {
  /// Runs it with arguments, and gives the figures that it printed.
  static func figures(_ arguments: [String]) throws -> [Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("\(arguments) ends with an error") }
    return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }

  /// A number of a file of `/proc` by its name; nil where the system does not tell.
  static func fact(_ name: String, in file: String) -> Double? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
  }

  /// Bytes of memory that are this process's: `VmRSS:` now, `VmHWM:` at most.
  static func memory(_ name: String) -> Double? { fact(name, in: "/proc/self/status").map { $0 * 1_024 } }

  /// Bytes given to the system to write since the process began.
  static var written: Double? { fact("wchar:", in: "/proc/self/io") }

  /// How often the threads of this process were woken, but for the calling one.
  static var wakeUps: Double {
    let own = fact("Pid:", in: "/proc/thread-self/status").map { "\(Int($0))" }
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.filter { $0 != own }.reduce(0) { sum, thread in
      sum + (fact("voluntary_ctxt_switches:", in: "/proc/self/task/\(thread)/status") ?? 0)
    }
  }
}
