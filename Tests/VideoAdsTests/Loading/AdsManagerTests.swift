import Foundation
import Hits
import TestSupport
import Testing

@testable import VideoAds

@Suite @MainActor struct AdsManagerTests {
  typealias M = Markup

  @Test("VA-705, VA-711: delegate, stream and play() tell the same facts in the same order")
  func order() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let manager = try await fixture.loader.load(fixture.request("a"))
    manager.delegate = fixture.listener
    let events = manager.events()
    manager.initialize()
    await fixture.run(manager, seconds: 11)
    #expect(
      fixture.listener.log == [
        "loaded", "PAUSE", "adBreakStarted", "started", "impression", "firstQuartile", "midpoint", "thirdQuartile",
        "complete", "adBreakEnded", "RESUME", "allAdsCompleted",
      ])
    manager.destroy()
    var streamed: [String] = []
    for await event in events {
      switch event {
      case .ad(let event): if event.kind != .log { streamed.append(event.kind.rawValue) }
      case .contentPause: streamed.append("PAUSE")
      case .contentResume: streamed.append("RESUME")
      default: continue
      }
    }
    #expect(streamed == fixture.listener.log)
    #expect(
      fixture.beacons
        == ["imp", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"].map { "a-" + $0 })
  }

  @Test("VA-113: play() initialises, starts and returns when all is over; its error is that of the delegate")
  func play() async throws {
    let fixture = AdsFixture(
      ["a": M.vast(M.full("a"))],
      media: { media in
        media.url.contains("bad") ? SimulatedMedia(failure: .init(at: 0, kind: .notFound)) : SimulatedMedia()
      })
    let manager = try await fixture.loader.load(fixture.request("a"))
    let playing = Task { try await manager.play() }
    while fixture.clock.advanceToNext() || !manager.isOver { await Task.yield() }
    #expect(try await playing.value == .completed)
    let bad = try await fixture.loader.load(AdsRequest(adsResponse: M.vast(M.full("bad"))))
    let failing = Task { () -> String in
      do throws(AdError) { return try await bad.play().rawValue } catch { return error.code.rawValue }
    }
    while fixture.clock.advanceToNext() || !bad.isOver { await Task.yield() }
    #expect(await failing.value == "mediaNotFound")
  }

  @Test("VA-710: what an app calls from inside a callback is done after it")
  func reentrance() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let listener = fixture.listener
    listener.onEvent = { manager, event in
      guard event.kind == .started else { return }
      manager.pause()
      listener.log.append("still inside")
    }
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 1)
    #expect(listener.log.suffix(4) == ["started", "still inside", "impression", "pause"])
  }

  @Test("VA-706, VA-707: start before initialize and a second initialize are misuse, told as log and ignored")
  func misuse() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let manager = try await fixture.loader.load(fixture.request("a"))
    manager.delegate = fixture.listener
    manager.start()
    manager.initialize()
    manager.initialize()
    #expect(fixture.listener.events.filter { $0.kind == .log }.map { $0.data["code"] } == ["apiMisuse", "apiMisuse"])
  }

  @Test("VA-110, case 37, 38: contentComplete plays the post-roll once and ends everything")
  func contentComplete() async throws {
    let fixture = AdsFixture(["m": M.vmap(M.adBreak("end", "p")), "p": M.vast(M.full("p"))])
    let manager = try await fixture.start("m")
    await fixture.run(manager, seconds: 5)
    #expect(fixture.listener.requests == ["RESUME"])
    for _ in 0..<2 { fixture.loader.contentComplete() }
    await fixture.run(manager, seconds: 12)
    #expect(fixture.listener.requests == ["RESUME", "PAUSE", "RESUME"])
    #expect(fixture.listener.log.filter { $0 == "allAdsCompleted" }.count == 1)
  }

  @Test("Case 39 (VA-734): destroy during an ad stops the player and calls nothing afterwards")
  func destroy() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 3)
    let before = fixture.listener.log
    manager.destroy()
    await fixture.run(manager, seconds: 20)
    #expect(fixture.listener.log == before && !before.contains("RESUME"))
    #expect(fixture.players.players.allSatisfy { !$0.isPlaying(.first) && !$0.isPlaying(.second) })
  }

  @Test("Case 40 (VA-117): dropping the last reference stops the player within a turn")
  func dropped() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))])
    weak var gone: AdsManager?
    do {
      let manager = try await fixture.start("a")
      gone = manager
      await fixture.run(manager, seconds: 3)
      #expect(fixture.players.players[0].isPlaying(.first))
    }
    #expect(gone == nil)
    for _ in 0..<3 { await Task.yield() }
    #expect(!fixture.players.players[0].isPlaying(.first))
    let beacons = fixture.beacons
    fixture.clock.advance(by: 20)
    #expect(fixture.beacons == beacons)
  }

  @Test("Case 41 (VA-116): content is asked to stop before an ad starts, and runs at no time before the pre-roll")
  func prerollFirst() async throws {
    let fixture = AdsFixture(["m": M.vmap(M.adBreak("start", "a")), "a": M.vast(M.full("a"))])
    let manager = try await fixture.start("m")
    await fixture.run(manager, seconds: 11)
    let log = fixture.listener.log
    #expect(try #require(log.firstIndex(of: "PAUSE")) < #require(log.firstIndex(of: "started")))
    #expect(fixture.listener.requests == ["PAUSE", "RESUME"])
  }

  @Test(
    "Case 42 (VA-731): one pair of requests, whether the last ad is skipped, fails or completes",
    arguments: ["skip", "fail", "complete", "discard"])
  func pairs(way: String) async throws {
    let pod = M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2, skip: "skipoffset='00:00:01'"))
    let fixture = AdsFixture(
      ["a": pod],
      media: { media in
        SimulatedMedia(failure: way == "fail" && media.url.contains("b.mp4") ? .init(at: 3_000, kind: .decode) : nil)
      })
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 12)
    if way == "skip" { manager.skip() }
    if way == "discard" { manager.discardAdBreak() }
    await fixture.run(manager, seconds: 12)
    #expect(fixture.listener.requests == ["PAUSE", "RESUME"])
    #expect(fixture.listener.log.last == "allAdsCompleted")
  }

  @Test("Case 43 (VA-740, VA-780): an interruption is one pause and one resume, and the ad plays on")
  func interruption() async throws {
    let lifecycle = ScriptedLifecycle()
    let fixture = AdsFixture(["a": M.vast(M.full("a"))], change: { $0.lifecycle = lifecycle })
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 3)
    await lifecycle.tell(.interruptionBegan)
    await lifecycle.tell(.background)
    await fixture.run(manager, seconds: 60)
    await lifecycle.tell(.foreground)
    await lifecycle.tell(.interruptionEnded)
    manager.resume()
    await fixture.run(manager, seconds: 8)
    #expect(fixture.listener.log.filter { $0 == "pause" || $0 == "resume" } == ["pause", "resume"])
    #expect(fixture.listener.log.last == "allAdsCompleted")
  }

  @Test("Case 44 (VA-741): pausing inside a pod leaves the rest of it")
  func pausedPod() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2))])
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 5)
    manager.pause()
    await fixture.run(manager, seconds: 30)
    manager.resume()
    await fixture.run(manager, seconds: 20)
    #expect(
      fixture.beacons.filter { $0.hasSuffix("-imp") || $0.hasSuffix("-complete") } == [
        "a-imp", "a-complete", "b-imp", "b-complete",
      ])
  }

  @Test("Case 45 (VA-108): after destroy, a second request plays in the same container")
  func secondRequest() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a")), "b": M.vast(M.full("b"))])
    let container = AdDisplayContainer.headless(size: AdSize(width: 640, height: 360))
    let first = try await fixture.start("a", container: container)
    await fixture.run(first, seconds: 2)
    first.destroy()
    let second = try await fixture.start("b", container: container)
    await fixture.run(second, seconds: 11)
    #expect(fixture.beacons.contains("b-complete"))
  }

  @Test("VA-521, VA-1300: an event carries the ad, its place in the pod and the break's time")
  func ads() async throws {
    let pod = M.vast(M.full("a", sequence: 1, skip: "skipoffset='00:00:05'"), M.full("b", sequence: 2))
    let fixture = AdsFixture(["m": M.vmap(M.adBreak("00:00:10", "p"), M.adBreak("end", "p")), "p": pod])
    let manager = try await fixture.start("m")
    await fixture.run(manager, seconds: 32)
    let started = fixture.listener.events.filter { $0.kind == .started }
    #expect(started.map { $0.ad?.id } == ["a", "b"] && started.map(\.breakTime) == [10, 10])
    #expect(
      started.map { $0.ad?.podInfo }
        == [1, 2].map {
          AdPodInfo(totalAds: 2, adPosition: $0, isBumper: false, podIndex: 1, timeOffset: 10, maxDuration: -1)
        })
    let ad = try #require(started.first?.ad)
    #expect(
      ad.duration == 10 && ad.isSkippable && ad.skipOffset == 5 && ad.contentType == "video/mp4" && ad.mediaWidth == 640
    )
    #expect(ad.system == "s" && ad.title == "t" && ad.isLinear)
  }

  @Test("VA-750: volume and muting reach the player, and are kept over ads")
  func sound() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2))])
    let manager = try await fixture.start("a")
    manager.volume = 0.5
    manager.isMuted = true
    await fixture.run(manager, seconds: 12)
    #expect(fixture.players.players[0].sound == (0.5, true) && manager.volume == 0.5)
    manager.volume = .nan
    manager.volume = 7
    #expect(manager.volume == 1)
  }

  @Test("VA-610, VA-1603: media of the first ad and of the pod's next one is ready before it plays: no time passes")
  func preloading() async throws {
    let pod = M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2))
    let fixture = AdsFixture(["a": pod], media: { _ in SimulatedMedia(readyDelay: 1_500) })
    fixture.listener.startsOnLoaded = false
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 1.4)
    #expect(fixture.listener.log == [])
    await fixture.run(manager, seconds: 0.2)
    #expect(fixture.listener.log == ["loaded"])
    let time = fixture.clock.now
    manager.start()
    #expect(!fixture.listener.log.contains("started"))
    fixture.clock.advance(by: 0)
    #expect(fixture.listener.log.contains("started") && fixture.clock.now == time)
    await fixture.run(manager, seconds: 10)
    #expect(fixture.beacons.contains("b-imp"))
  }

  @Test("VA-610: an ad whose media is slow is loaded after two seconds")
  func slowMedia() async throws {
    let fixture = AdsFixture(["a": M.vast(M.full("a"))], media: { _ in SimulatedMedia(readyDelay: 5_000) })
    fixture.listener.startsOnLoaded = false
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 1.9)
    #expect(fixture.listener.log == [])
    await fixture.run(manager, seconds: 0.2)
    #expect(fixture.listener.log == ["loaded"])
  }

  @Test("VA-760, VA-777: media that never comes is 402 after its time, sound without a picture 403")
  func noPicture() async throws {
    for (media, code) in [(SimulatedMedia(readyDelay: nil), 402), (SimulatedMedia(size: nil), 403)] {
      let fixture = AdsFixture(["a": M.vast(M.full("a"))], media: { _ in media })
      let manager = try await fixture.start("a")
      await fixture.run(manager, seconds: 11)
      #expect(fixture.beacons == ["a-error-\(code)"])
      #expect(fixture.listener.requests == ["PAUSE", "RESUME"])
    }
  }

  @Test("VA-1605: an hour of content with twelve breaks, on the simulated player")
  func hour() async throws {
    let breaks =
      M.adBreak("start", "p") + (1...10).map { M.adBreak("00:\($0 * 5 < 10 ? "0" : "")\($0 * 5):00", "p") }.joined()
      + M.adBreak("end", "p")
    let fixture = AdsFixture(["m": M.vmap(breaks), "p": M.vast(M.full("a", sequence: 1), M.full("b", sequence: 2))])
    fixture.playhead.duration = 3_600
    let manager = try await fixture.start("m")
    while fixture.playhead.currentTime < 3_600 { await fixture.run(manager, seconds: 1) }
    fixture.loader.contentComplete()
    await fixture.run(manager, seconds: 30)
    #expect(fixture.beacons.filter { $0.hasSuffix("-imp") }.count == 24)
    #expect(fixture.listener.requests == Array(repeating: ["PAUSE", "RESUME"], count: 12).flatMap { $0 })
    #expect(fixture.listener.log.last == "allAdsCompleted")
  }

  @Test("VA-1300: what is told of an ad's media is of that ad's, never of the one before")
  func ownMedia() async throws {
    let small = M.full("b", sequence: 2).replacingOccurrences(of: "width='640'", with: "width='320'")
    let fixture = AdsFixture(["x": M.vast(M.full("a", sequence: 1), small)])
    let manager = try await fixture.start("x")
    await fixture.run(manager, seconds: 21)
    let widths = fixture.listener.events.compactMap { event in event.ad.map { [$0.id ?? "", "\($0.mediaWidth ?? 0)"] } }
    #expect(Set(widths.filter { $0[1] != "0" }) == [["a", "640"], ["b", "320"]])
    let started = fixture.listener.events.filter { $0.kind == .started }
    #expect(started.map(\.ad?.mediaWidth) == [640, 320])
  }
}

/// Tells what a test says.
@MainActor
final class ScriptedLifecycle: AppLifecycle {
  let events: AsyncStream<LifecycleEvent>
  private let continuation: AsyncStream<LifecycleEvent>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream(of: LifecycleEvent.self) }

  func tell(_ event: LifecycleEvent) async {
    continuation.yield(event)
    for _ in 0..<5 { await Task.yield() }
  }
}
