import Hits
import Testing

@testable import VideoAds

/// What every player has to keep (VA-1100, VA-1101), run on the simulated one.
@Suite @MainActor struct AdPlayerContractTests {
  private let clock = ManualAdClock()
  private let first = AdPlayerToken(number: 1)
  private let second = AdPlayerToken(number: 2)

  private func player(_ heard: Locked<[(AdPlayerToken, String)]>) -> SimulatedPlayer {
    let player = SimulatedPlayer(clock: clock) { _ in SimulatedMedia(duration: 1_000, readyDelay: 100, tick: 250) }
    player.onEvent = { token, event in heard.withLock { $0.append((token, String("\(event)".prefix { $0 != "(" }))) } }
    return player
  }

  @Test("VA-1100: two slots play on their own, and every event names its load")
  func slots() {
    let heard = Locked<[(AdPlayerToken, String)]>([])
    let player = player(heard)
    player.load(AdMedia(url: "https://m.test/1"), slot: .first, token: first)
    player.play(.first)
    player.load(AdMedia(url: "https://m.test/2"), slot: .second, token: second)
    clock.advance(by: 0.2)
    #expect(player.isPlaying(.first) && !player.isPlaying(.second))
    clock.advance(by: 2)
    let events = heard.withLock { $0 }
    #expect(events.filter { $0.0 == second }.map(\.1) == ["ready"])
    let own = events.filter { $0.0 == first }.map(\.1)
    #expect(own.prefix(3) == ["ready", "firstFrame", "position"] && own.last == "ended")
    #expect(own.filter { $0 == "firstFrame" }.count == 1)
  }

  @Test(
    "VA-1100: what plays before it is ready plays as soon as it is; a load drops what its slot held; stop is silent")
  func order() {
    let heard = Locked<[(AdPlayerToken, String)]>([])
    let player = player(heard)
    player.load(AdMedia(url: "https://m.test/1"), slot: .first, token: first)
    player.play(.first)
    clock.advance(by: 0.05)
    #expect(heard.withLock { $0.isEmpty })
    player.load(AdMedia(url: "https://m.test/2"), slot: .first, token: second)
    player.play(.first)
    clock.advance(by: 0.3)
    #expect(heard.withLock { $0.allSatisfy { $0.0 == second } })
    player.pause(.first)
    let paused = heard.withLock { $0.count }
    clock.advance(by: 5)
    #expect(heard.withLock { $0.count } == paused)
    player.stop(.first)
    player.play(.first)
    clock.advance(by: 5)
    #expect(heard.withLock { $0.count } == paused)
  }

  @Test("VA-1100: volume and muting hold for all slots; seeking goes there and plays on")
  func soundAndSeeking() {
    let heard = Locked<[(AdPlayerToken, String)]>([])
    let player = player(heard)
    player.setVolume(0.5, muted: true)
    #expect(player.sound.volume == 0.5 && player.sound.isMuted)
    player.load(AdMedia(url: "https://m.test/1"), slot: .first, token: first)
    player.play(.first)
    clock.advance(by: 0.1)
    player.seek(.first, to: 0.9)
    clock.advance(by: 0.2)
    #expect(heard.withLock { $0.last?.1 } == "ended")
    for time in [-1, Double.nan, .infinity, 1e300] { player.seek(.first, to: time) }
  }
}
