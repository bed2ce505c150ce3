import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct LifecycleStateTests {
  @Test("WT-480: counters and marks of launch, wake and sleep, and no double for one change")
  func life() {
    var state = LifecycleState()
    #expect(
      state.handle(.launch, 1_000, day: 1) == [
        "lifecycle_type": "launch", "lifecycle_isfirstlaunch": "true", "lifecycle_isfirstwaketoday": "true",
        "lifecycle_launchcount": "1", "lifecycle_wakecount": "1", "lifecycle_sleepcount": "0",
        "lifecycle_priorsecondsawake": "0",
      ])
    #expect(state.handle(.launch, 1_001, day: 1) == nil)
    #expect(state.handle(.wake, 1_002, day: 1) == nil)
    #expect(
      state.handle(.sleep, 61_000, day: 1) == [
        "lifecycle_type": "sleep", "lifecycle_launchcount": "1", "lifecycle_wakecount": "1",
        "lifecycle_sleepcount": "1",
      ])
    #expect(state.handle(.sleep, 61_001, day: 1) == nil)
    #expect(
      state.handle(.wake, 70_000, day: 2) == [
        "lifecycle_type": "wake", "lifecycle_isfirstwaketoday": "true", "lifecycle_launchcount": "1",
        "lifecycle_wakecount": "2", "lifecycle_sleepcount": "1",
      ])
  }

  @Test("WT-480: only the first launch ever is the first, and an end without sleep is a crash (peer bugs 11, 23)")
  func restart() throws {
    var state = LifecycleState()
    _ = state.handle(.launch, 0, day: 1)
    _ = state.handle(.sleep, 60_000, day: 1)
    var calm = try JSONDecoder().decode(LifecycleState.self, from: try JSONEncoder().encode(state))
    let launch = calm.handle(.launch, 100_000, day: 1)
    #expect(launch?["lifecycle_isfirstlaunch"] == nil && launch?["lifecycle_isfirstwaketoday"] == nil)
    #expect(launch?["lifecycle_diddetectcrash"] == nil && launch?["lifecycle_priorsecondsawake"] == "60")
    var crashed = try JSONDecoder().decode(LifecycleState.self, from: try JSONEncoder().encode(calm))
    #expect(crashed.handle(.launch, 200_000, day: 1)?["lifecycle_diddetectcrash"] == "true")
    #expect(crashed.handle(.sleep, 200_001, day: 1)?["lifecycle_diddetectcrash"] == nil)
  }
}
