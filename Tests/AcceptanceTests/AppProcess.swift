import Foundation
import Hits
import TestSupport
import Testing

/// The test's app in a process of its own, asked by lines.
final class AppProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors: String
  private var pending = Data()

  /// Starts the app with its data below a directory.
  init(_ directory: TemporaryDirectory, _ settings: [String: Value] = [:]) throws {
    let settings = settings.merging(["data": .string(directory.path)]) { own, _ in own }
    process.executableURL = URL(fileURLWithPath: Program.path(of: "AcceptanceApp"))
    process.arguments = [Value.map(settings).jsonText]
    process.standardInput = input
    process.standardOutput = output
    errors = directory.file("app.log")
    let file = open(errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    try #require(file >= 0)
    let log = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    process.standardError = log
    try process.run()
  }

  /// Asks for one thing and waits for the answer.
  func ask(_ what: String, _ fields: [String: Value] = [:]) async throws -> [String: Value] {
    try send(what, fields)
    let answer = try await answer()
    if let error = answer["error"] { Issue.record("the app says \(error)") }
    return answer
  }

  /// Asks for one thing; `answer` waits for what comes of it.
  func send(_ what: String, _ fields: [String: Value] = [:]) throws {
    let request = Value.map(fields.merging(["do": .string(what)]) { own, _ in own })
    try input.fileHandleForWriting.write(contentsOf: Data((request.jsonText + "\n").utf8))
  }

  func answer() async throws -> [String: Value] {
    let handle = output.fileHandleForReading
    while !pending.contains(UInt8(ascii: "\n")) {
      let piece = try await blocking { handle.availableData }
      guard !piece.isEmpty else { throw AppEnded() }
      pending += piece
    }
    let line = pending.prefix { $0 != UInt8(ascii: "\n") }
    pending = Data(pending.dropFirst(line.count + 1))
    return try Value(json: Array(line)).map ?? [:]
  }

  /// A value as the app reads it.
  func value(_ key: String) async throws -> String? {
    try await ask("values", ["keys": [.string(key)]])[key]?.string
  }

  /// What the app has logged so far, in all its starts.
  var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Lets the app end.
  func end() async throws {
    try input.fileHandleForWriting.close()
    try await blocking { [process] in process.waitUntilExit() }
    #expect(process.terminationStatus == 0, "\(log)")
  }

  /// Ends it in the middle of whatever it does.
  func kill() async throws {
    Foundation.kill(process.processIdentifier, SIGKILL)
    try await blocking { [process] in process.waitUntilExit() }
  }

  deinit { if process.isRunning { process.terminate() } }
}

/// The app's process is gone.
struct AppEnded: Error {}
