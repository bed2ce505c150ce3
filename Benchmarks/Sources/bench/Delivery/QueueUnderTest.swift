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

  init(endpoint: String = "http://127.0.0.1:9") throws {
    directory = try ScratchDirectory()
    let device = FixedDevice(
      language: "vi-VN", appName: "Shop", appID: "com.example.shop", appVersion: "1.0")
    analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory.path + "/store", sendBudget: .seconds(10)),
      transport: PlatformTransport(), device: device)
    analytics.dispatchInterval = 0
    tracker = try analytics.tracker(
      name: "bench", property: "UA-12345-1", destination: .measurementProtocol(endpoint))
    tracker.set("app", for: "ds")
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

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
