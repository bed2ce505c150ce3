import CBaselines
import Foundation
import HTTPClient
import HitQueue
import Hits

/// A queue in a new directory, its tracker, and the hit of HQ-614.
final class QueueUnderTest: Sendable {
  let analytics: Analytics
  let tracker: Tracker
  private let directory: ScratchDirectory

  /// Eight of the line's eleven fields; the queue adds the others.
  static var hit: HitBuilder {
    .event(category: "Trò chơi", action: "Mở & chạy", label: "50% 👍")
  }

  convenience init(endpoint: String = "http://127.0.0.1:9") throws {
    try self.init(in: ScratchDirectory(), to: .measurementProtocol(endpoint))
  }

  /// Opens the queue of a directory, made when it is missing.
  init(
    in directory: ScratchDirectory, to destination: Destination, transport: any HTTPTransport = PlatformTransport(),
    interval: Double = 0
  ) throws {
    self.directory = directory
    let device = FixedDevice(
      language: "vi-VN", appName: "Shop", appID: "com.example.shop", appVersion: "1.0")
    analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.path + "/store", sendBudget: .seconds(10)),
      // Sessions of hundreds of thousands of hits are warned of.
      transport: transport, device: device, logger: StandardHitLogger(level: .error))
    analytics.dispatchInterval = interval
    tracker = try analytics.tracker(name: "bench", property: "UA-12345-1", destination: destination)
    tracker.set("app", for: "ds")
  }

  /// Sends hits in groups, each group durable before the next.
  func send(_ hits: Int, groupsOf size: Int) async throws {
    for first in stride(from: 0, to: hits, by: size) {
      let group = [HitBuilder](repeating: Self.hit, count: min(size, hits - first))
      guard await tracker.send(contentsOf: group).allSatisfy({ $0.state == .durable }) else {
        throw BenchmarkFailure("a group is not durable")
      }
    }
  }

  /// Delivers all hits that wait, measures that, and closes the queue.
  func drain(_ hits: Int) async throws -> Measurement {
    let figure = try await Measurement.once(operations: hits) {
      let report = await analytics.drain()
      guard report.accepted == hits else { throw BenchmarkFailure("drained \(report)") }
    }
    await analytics.close()
    return figure
  }

  /// Sends hits one at a time, each durable before the next.
  func sendOneByOne(_ hits: Int) throws {
    for _ in 0..<hits {
      let receipt = tracker.send(Self.hit)
      guard receipt.state == .durable else { throw BenchmarkFailure("a hit is \(receipt.state)") }
    }
  }

  /// Sends hits from several tasks at once.
  func send(_ hits: Int, tasks: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask { [tracker] in
          for _ in 0..<(hits / tasks + (task < hits % tasks ? 1 : 0)) {
            let receipt = await tracker.send(Self.hit)
            guard receipt.state == .durable else { throw BenchmarkFailure("a hit is \(receipt.state)") }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// A directory that goes with the object.
final class ScratchDirectory: Sendable {
  let path: String
  private let isOwned: Bool

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    isOwned = true
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Another process's directory, which stays.
  init(lentBy path: String) {
    self.path = path
    isOwned = false
  }

  deinit { if isOwned { try? FileManager.default.removeItem(atPath: path) } }
}
