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
    }
  }
}
