import CBaselines

/// A queue of SQLite and libcurl alone: the baselines C and D.
enum RawQueue {
  /// Measures how rows of the size of a hit are sent, so many a request, and deleted.
  static func drain(_ hits: Int, each rows: Int32, to endpoint: String) throws -> Measurement {
    let directory = try ScratchDirectory()
    let store = directory.path + "/store"
    guard baseline_insert(store, Int32(hits), 285, 1_000) == 0 else {
      throw BenchmarkFailure("the raw SQLite program fails")
    }
    return try Measurement.once(operations: hits) {
      guard baseline_drain(store, endpoint + "/batch", rows) == 0 else { throw BenchmarkFailure("the raw drain fails") }
    }
  }
}
