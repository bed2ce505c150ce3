import CBaselines

/// A server in a process of its own that takes everything.
struct Sink {
  let endpoint: String
  private let process: Int32

  /// Starts it.
  init() throws {
    var process: Int32 = 0
    let port = baseline_sink_start(&process)
    guard port > 0 else { throw BenchmarkFailure("the loopback sink does not start") }
    self.process = process
    endpoint = "http://127.0.0.1:\(port)"
  }

  /// Ends it: what it holds of this process's memory is not to stand in later figures.
  func stop() { baseline_stop(process) }
}
