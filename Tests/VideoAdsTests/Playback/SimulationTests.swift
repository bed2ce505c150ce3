import Testing

@testable import VideoAds

@Suite struct SimulationTests {
  /// What a playback tells until nothing happens, with the time of each event.
  private static func told(
    _ media: SimulatedMedia, _ call: (inout SimulatedPlayback, Int64) -> Void = { _, _ in }
  ) -> [String] {
    var playback = SimulatedPlayback(media, token: AdPlayerToken(number: 1), at: 0)
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
        "100 ready(Optional(600))", "150 firstFrame", "150 position(0)", "400 position(250)", "650 position(500)",
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
    #expect(Self.told(failing) == ["0 ready(Optional(10000))", "0 failed(VideoAds.PlayerFailure.unsupported)"])
    let later = SimulatedMedia(failure: SimulatedMedia.Failure(at: 100, kind: .decode))
    #expect(Self.told(later).suffix(2) == ["100 position(100)", "100 failed(VideoAds.PlayerFailure.decode)"])
    #expect(Self.told(SimulatedMedia(end: 250)).suffix(1) == ["250 ended(250)"])
  }

  @Test("VA-1101: nothing after stop, and no time passes while paused")
  func calls() {
    let stopped = Self.told(SimulatedMedia()) { playback, time in if time >= 500 { playback.stop() } }
    #expect(stopped.last == "500 position(500)")
    var playback = SimulatedPlayback(SimulatedMedia(), token: AdPlayerToken(number: 1), at: 0)
    playback.play(at: 0)
    for _ in 0..<3 { _ = playback.step() }
    playback.pause(at: 350)
    #expect(playback.nextTime == nil && playback.position == 250)
    playback.play(at: 9_000)
    #expect(playback.nextTime == 9_150)
  }
}
