/// One requirement's measurement.
struct Benchmark: Sendable {
  let number: String
  let rows: @Sendable () async throws -> [Row]

  init(_ number: String, _ rows: @escaping @Sendable () async throws -> [Row]) {
    self.number = number
    self.rows = rows
  }

  static let all =
    DecodingBenchmarks.all + PushBenchmarks.all + RegexBenchmarks.all + ReadingBenchmarks.all + ThreadBenchmarks.all
    + DeliveryBenchmarks.all + CollectorBenchmarks.all + StoreBenchmarks.all + CompilingBenchmarks.all
    + AdReadingBenchmarks.all + AdPlayingBenchmarks.all
    + OpeningBenchmarks.all + ContainerDeliveryBenchmarks.all + PageBenchmarks.all
    + TrackingBenchmarks.all
}
