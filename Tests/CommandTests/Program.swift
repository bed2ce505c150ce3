import Foundation
import Hits
import Testing

/// The built `tagworks` program, run as a person would.
struct Program {
  /// What a run ended with.
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    /// The output's lines, each read as JSON.
    var json: [Value] {
      get throws { try output.split(separator: "\n").map { try Value(json: Array($0.utf8)) } }
    }
  }

  /// The program beside the test bundle.
  static let path: String = {
    let products = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    let folders = products.flatMap { [$0, $0.deletingLastPathComponent()] }
    let candidates = folders.map { $0.appendingPathComponent("tagworks").path }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "tagworks"
  }()

  /// Runs the program to its end.
  static func run(
    _ arguments: [String], input: String? = nil, directory: URL? = nil, environment: [String: String] = [:]
  ) async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let directory { process.currentDirectoryURL = directory }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    }
    let output = Pipe()
    let errors = Pipe()
    let standardInput = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = standardInput
    try process.run()
    if let input { try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try standardInput.fileHandleForWriting.close()
    async let errorText = read(errors)
    let outputText = await read(output)
    let result = (outputText, await errorText)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: result.0, errors: result.1)
  }

  private static func read(_ pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}
