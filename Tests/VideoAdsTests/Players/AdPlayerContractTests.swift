import Hits
import TestSupport
import Testing

@testable import VideoAds

/// What every player has to keep (VA-1100, VA-1101), run on the simulated one.
@Suite @MainActor struct AdPlayerContractTests {
  private let clock = ManualAdClock()

  private func player() -> SimulatedPlayer {
    SimulatedPlayer(clock: clock) { media in
      media.url.hasSuffix("missing")
        ? SimulatedMedia(readyDelay: 20, failure: SimulatedMedia.Failure(at: 0, kind: .notFound))
        : SimulatedMedia(duration: 1_000, readyDelay: 100, frameDelay: 10, tick: 100)
    }
  }

  @Test("VA-1100, VA-1101: the simulated player keeps the contract of players", arguments: AdPlayerContract.cases)
  func contract(promise: AdPlayerContract.Case) async throws {
    let clock = clock
    let bench = PlayerBench(
      player: player(), clip: AdMedia(url: "https://m.test/1", type: "video/mp4"),
      missing: AdMedia(url: "https://m.test/missing", type: "video/mp4")
    ) { isSo in
      while !isSo() { guard clock.advanceToNext() else { return false } }
      return true
    }
    try await promise.run(on: bench)
  }

  @Test("VA-1100: the volume and muting that were set last are kept")
  func sound() {
    let player = player()
    player.setVolume(0.5, muted: true)
    #expect(player.sound.volume == 0.5 && player.sound.isMuted)
  }
}
