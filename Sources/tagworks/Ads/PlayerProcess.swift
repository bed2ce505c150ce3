import Foundation
import VideoAds

/// The program `tagworks-player`, which plays what this one decides: GStreamer and GTK stay out of the command line.
@MainActor
final class PlayerProcess {
  /// Hears every report but the first.
  var onReport: (@MainActor (PlayerReport) -> Void)?
  /// Called when the program has ended by itself.
  var onEnd: (@MainActor () -> Void)?
  let capabilities: AdPlayerCapabilities
  private let process: Process
  private let requests: Pipe
  private let encoder = JSONEncoder()

  /// Starts the program, and waits until it can play.
  init(_ window: PlayerRequest.Window?) async throws {
    let process = Process()
    process.executableURL = Self.program
    let (requests, output) = (Pipe(), Pipe())
    process.standardInput = requests
    process.standardOutput = output
    do { try process.run() } catch {
      throw CommandFailure("tagworks-player cannot be started: it belongs beside tagworks", status: .unavailable)
    }
    (self.process, self.requests) = (process, requests)
    let first = try Self.line(.open(window: window), encoder)
    try requests.fileHandleForWriting.write(contentsOf: first)
    let reports = Self.reports(of: output)
    switch await Self.first(of: reports) {
    case .opened(let capabilities): self.capabilities = capabilities
    case .refused(let reason): throw CommandFailure("cannot play: \(reason)", status: .unavailable)
    default: throw CommandFailure("tagworks-player ended before it could play", status: .unavailable)
    }
    follow(reports)
  }

  private static func first(of reports: AsyncStream<PlayerReport>) async -> PlayerReport? {
    for await report in reports { return report }
    return nil
  }

  private func follow(_ reports: AsyncStream<PlayerReport>) {
    Task { [weak self] in
      for await report in reports { self?.onReport?(report) }
      self?.onEnd?()
    }
  }

  func send(_ request: PlayerRequest) {
    // A program that is gone is told by the end of its reports.
    guard let line = try? Self.line(request, encoder) else { return }
    try? requests.fileHandleForWriting.write(contentsOf: line)
  }

  /// Ends the program.
  func end() {
    onEnd = nil
    try? requests.fileHandleForWriting.close()
    // It has nothing to save, and nothing that it does may keep this program.
    process.terminate()
    process.waitUntilExit()
  }

  private static var program: URL {
    let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return own.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("tagworks-player")
  }

  private static func line(_ request: PlayerRequest, _ encoder: JSONEncoder) throws -> Data {
    try encoder.encode(request) + Data("\n".utf8)
  }

  /// The reports in order; the stream ends with the program, and at a line that is no report.
  private static func reports(of output: Pipe) -> AsyncStream<PlayerReport> {
    let (stream, continuation) = AsyncStream.makeStream(of: PlayerReport.self)
    let handle = output.fileHandleForReading
    Thread.detachNewThread {
      let decoder = JSONDecoder()
      var rest = Data()
      while case let piece = handle.availableData, !piece.isEmpty {
        rest += piece
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          guard let report = try? decoder.decode(PlayerReport.self, from: rest[..<end]) else {
            return continuation.finish()
          }
          continuation.yield(report)
          rest = Data(rest[(end + 1)...])
        }
      }
      continuation.finish()
    }
    return stream
  }
}
