#if os(Linux)
  import Foundation
  import VideoAds

  /// Writes reports to standard output.
  @MainActor
  final class ReportWriter {
    private let encoder = JSONEncoder()

    func write(_ report: PlayerReport) {
      // Reports have nothing that JSON cannot say: their numbers are finite.
      guard let line = try? encoder.encode(report) else { return }
      // Who started this program is gone when the pipe is: its end is read on standard input.
      try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
    }
  }

  /// Reads requests from standard input.
  @MainActor
  final class RequestReader {
    private let decoder = JSONDecoder()

    /// Waits for the first request; nil when the line is none.
    func first() -> PlayerRequest? {
      signal(SIGPIPE, SIG_IGN)
      return readLine().flatMap { try? decoder.decode(PlayerRequest.self, from: Data($0.utf8)) }
    }

    /// Hands on every request that follows, on the main actor, and tells the end; a line that is no request is one too.
    func follow(_ body: @escaping @MainActor (PlayerRequest) -> Void, end: @escaping @MainActor () -> Void) {
      Thread.detachNewThread {
        let decoder = JSONDecoder()
        while let line = readLine(), let request = try? decoder.decode(PlayerRequest.self, from: Data(line.utf8)) {
          DispatchQueue.main.async { MainActor.assumeIsolated { body(request) } }
        }
        DispatchQueue.main.async { MainActor.assumeIsolated { end() } }
      }
    }
  }
#endif
