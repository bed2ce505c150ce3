import Foundation
import Hits
import TagManager

/// Work whose instructions a simulator counts, by running it two numbers of times.
enum HotPath: String, CaseIterable {
  case pushWithoutEvent = "push-without-event"
  case pushWithEvent = "push-with-event"
  case stringForKey = "string-for-key"
  case buildHit = "build-hit"
  case durableSend = "durable-send"
  case groupedSend = "grouped-send"
  case groupedSendAndDrain = "grouped-send-and-drain"

  func run(times: Int) throws {
    switch self {
    case .pushWithoutEvent:
      let running = try RunningManager(ContainerText.rules(10))
      let update: [String: Value] = ["screenName": "Home Screen", "count": 3]
      for _ in 0..<times { running.dataLayer.push(update) }
    case .pushWithEvent:
      let running = try RunningManager(ContainerText.rules(10))
      let update: [String: Value] = ["event": "event 5", "screenName": "Home Screen"]
      for _ in 0..<times { running.dataLayer.push(update) }
    case .stringForKey:
      let running = try RunningManager(ContainerText.constants(190, textLength: 60))
      for _ in 0..<times { _ = running.container.string(for: "key 100") }
    case .buildHit:
      let queue = try QueueUnderTest()
      queue.analytics.dryRun = true
      for _ in 0..<times { queue.tracker.enqueue(QueueUnderTest.hit) }
    case .durableSend:
      let queue = try QueueUnderTest()
      try queue.sendOneByOne(times)
    case .groupedSend:
      let queue = try QueueUnderTest()
      try Self.wait { try await queue.send(times, tasks: 64) }
    case .groupedSendAndDrain:
      let sink = try Sink()
      defer { sink.stop() }
      let queue = try QueueUnderTest(endpoint: sink.endpoint)
      try Self.wait {
        try await queue.send(times, tasks: 64)
        _ = await queue.analytics.drain()
      }
    }
  }

  private static func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let end = DispatchSemaphore(value: 0)
    let result = Locked<Result<Void, any Error>>(.success(()))
    Task {
      do { try await work() } catch { result.withLock { $0 = .failure(error) } }
      end.signal()
    }
    end.wait()
    try result.withLock { $0 }.get()
  }
}
