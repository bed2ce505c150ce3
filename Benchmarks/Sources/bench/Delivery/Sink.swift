import CBaselines

/// A server in a process of its own that takes everything; it ends with this one.
enum Sink {
  /// Starts it and gives its address.
  static func start() throws -> String {
    let port = baseline_sink_start()
    guard port > 0 else { throw BenchmarkFailure("the loopback sink does not start") }
    return "http://127.0.0.1:\(port)"
  }
}
