package import Foundation
package import Hits

/// The built `tagworks` program, run as a person would.
package struct Program {
  /// What a run ended with.
  package struct Result: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String

    /// The output's lines, each read as JSON.
    package var json: [Value] {
      get throws { try output.split(separator: "\n").map { try Value(json: Array($0.utf8)) } }
    }
  }

  /// The program's path.
  package static let path = path(of: "tagworks")

  /// A built program beside the test bundle.
  package static func path(of name: String) -> String {
    let products = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    let folders = products.flatMap { [$0, $0.deletingLastPathComponent()] }
    let candidates = folders.map { $0.appendingPathComponent(name).path }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
  }

  /// Runs the program to its end.
  package static func run(
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
