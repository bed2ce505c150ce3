import Testing

@testable import VideoAds

@Suite struct SimulationTests {
  /// What a playback tells until nothing happens, with the time of each event.
  private static func told(
    _ media: SimulatedMedia, _ call: (inout SimulatedPlayback, Int64) -> Void = { _, _ in }
  ) -> [String] {
    var playback = SimulatedPlayback(media, token: PlayerToken(number: 1), at: 0)
    playback.play(at: 0)
    var words: [String] = []
    while let time = playback.nextTime, words.count < 200 {
      words += playback.step().map { "\(time) \($0)" }
      call(&playback, time)
    }
    return words
  }

  @Test("VA-1101: ready, first frame, positions, the end last")
  func order() {
    let media = SimulatedMedia(duration: 600, readyDelay: 100, frameDelay: 50)
    #expect(
      Self.told(media) == [
        "100 duration(600)", "150 firstFrame", "150 position(0)", "400 position(250)", "650 position(500)",
        "750 position(600)", "750 ended(600)",
      ])
  }

  @Test("VA-1103: stalls, failures and cut files")
  func faults() {
    let stalling = SimulatedMedia(duration: 500, stalls: [SimulatedMedia.Stall(at: 300, lasts: 1_000)])
    #expect(
      Self.told(stalling).dropFirst(3) == [
        "250 position(250)", "300 position(300)", "300 bufferingBegan", "1300 bufferingEnded", "1500 position(500)",
        "1500 ended(500)",
      ])
    let failing = SimulatedMedia(failure: SimulatedMedia.Failure(at: 0, kind: .unsupported))
    #expect(Self.told(failing) == ["0 duration(10000)", "0 failed(VideoAds.PlayerFailure.unsupported)"])
    let later = SimulatedMedia(failure: SimulatedMedia.Failure(at: 100, kind: .decode))
    #expect(Self.told(later).suffix(2) == ["100 position(100)", "100 failed(VideoAds.PlayerFailure.decode)"])
    #expect(Self.told(SimulatedMedia(end: 250)).suffix(1) == ["250 ended(250)"])
  }

  @Test("VA-1101: nothing after stop, and no time passes while paused")
  func calls() {
    let stopped = Self.told(SimulatedMedia()) { playback, time in if time >= 500 { playback.stop() } }
    #expect(stopped.last == "500 position(500)")
    var playback = SimulatedPlayback(SimulatedMedia(), token: PlayerToken(number: 1), at: 0)
    playback.play(at: 0)
    for _ in 0..<3 { _ = playback.step() }
    playback.pause(at: 350)
    #expect(playback.nextTime == nil && playback.position == 250)
    playback.play(at: 9_000)
    #expect(playback.nextTime == 9_150)
  }

  @Test("VA-1103, VA-1605: an hour of content with twelve breaks gives the same timeline each time")
  func hour() throws {
    let item = { (offset: String) in EngineHarness.item(offset, "pod") }
    let breaks = item("start") + (1...10).map { item(String($0 * 300)) }.joined() + item("end")
    let pod = Markup.vast(EngineHarness.ad("a", sequence: 1), EngineHarness.ad("b", sequence: 2))
    let outcome = FetchOutcome.document(VASTReader.read(Array(pod.utf8)), url: "https://t.test/pod")
    let engine = try EngineHarness(playlist: breaks).engine
    func run() -> SimulatedSession {
      var session = SimulatedSession(
        engine: engine, contentDuration: 3_600_000, media: { _ in SimulatedMedia(readyDelay: 300) },
        answer: { _ in outcome })
      session.run()
      return session
    }
    let session = run()
    #expect(session.engine.state == .done && session.contentTime == 3_600_000)
    let impressions = session.timeline.filter {
      if case .beacon(let beacon) = $0.action { beacon.event == "impression" } else { false }
    }
    #expect(impressions.count == 24)
    let requests = session.timeline.compactMap { entry -> String? in
      switch entry.action {
      case .requestContentPause: "pause"
      case .requestContentResume: "resume"
      default: nil
      }
    }
    #expect(requests == Array(repeating: ["pause", "resume"], count: 12).flatMap { $0 })
    // Twelve breaks of two ads of ten seconds, each ready after 0.3 s.
    #expect(session.now == 3_600_000 + 12 * 2 * 10_300)
    #expect(run().timeline == session.timeline)
  }
}
