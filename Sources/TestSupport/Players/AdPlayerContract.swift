package import VideoAds

/// A player and what a contract needs to drive it.
@MainActor
package struct PlayerBench {
  package let player: any AdPlayer
  /// A video of one second.
  package let clip: AdMedia
  /// A URL of a file that is not there.
  package let missing: AdMedia
  /// What the player said, in order.
  package let heard: HeardEvents
  /// Lets time pass until something is so; false when it never is.
  package let wait: @MainActor (_ until: @MainActor () -> Bool) async -> Bool

  package init(
    player: any AdPlayer, clip: AdMedia, missing: AdMedia,
    wait: @escaping @MainActor (_ until: @MainActor () -> Bool) async -> Bool
  ) {
    self.player = player
    self.clip = clip
    self.missing = missing
    self.wait = wait
    let heard = HeardEvents()
    self.heard = heard
    player.onEvent = { token, event in heard.all.append((token, event)) }
  }
}

/// Keeps what a player says.
@MainActor
package final class HeardEvents {
  package var all: [(token: AdPlayerToken, event: AdPlayerEvent)] = []

  package init() {}

  /// The events of a load.
  package func events(of token: AdPlayerToken) -> [AdPlayerEvent] { all.filter { $0.token == token }.map(\.event) }

  /// The names of a load's events, each run of one name as one, without what may come at any time.
  package func names(of token: AdPlayerToken) -> [String] {
    events(of: token).map(\.name).filter { !["duration", "buffered"].contains($0) }
      .reduce(into: []) { names, name in if names.last != name { names.append(name) } }
  }

  package func has(_ name: String, of token: AdPlayerToken) -> Bool { events(of: token).contains { $0.name == name } }

  /// Whether a load has ended, one way or the other.
  package func isOver(_ token: AdPlayerToken) -> Bool { has("ended", of: token) || has("failed", of: token) }
}

extension AdPlayerEvent {
  /// What it is, without its values.
  package var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// What every `AdPlayer` promises (VA-1100, VA-1101).
package enum AdPlayerContract {
  package typealias Case = ContractCase<PlayerBench>

  private static let first = AdPlayerToken(number: 1)
  private static let second = AdPlayerToken(number: 2)

  package static let cases: [Case] = lives + slots + controls

  /// One load from its beginning to its end.
  private static let lives: [Case] = [
    Case("ready, then the first frame, then positions, and the end last and at the duration") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.isOver(first) }) else { throw silence(bench) }
        let names = bench.heard.names(of: first)
        try require(names, is: ["ready", "firstFrame", "position", "ended"], "events")
        let events = bench.heard.events(of: first)
        try require(events.count { $0.name == "firstFrame" }, is: 1, "first frames")
        guard case .ended(let end)? = events.last else { throw silence(bench) }
        try require(abs(end - 1) < 0.2, is: true, "the end at \(end)")
        let positions = events.compactMap { if case .position(let time) = $0 { time } else { nil } }
        try require(positions, is: positions.sorted(), "positions")
        try require(positions.count >= 3, is: true, "\(positions.count) positions in a second")
        guard case .ready(let duration?, _)? = events.first(where: { $0.name == "ready" }) else { throw silence(bench) }
        try require(abs(duration - 1) < 0.1, is: true, "the duration \(duration)")
        guard case .firstFrame(let size)? = events.first(where: { $0.name == "firstFrame" }) else {
          throw silence(bench)
        }
        try require(size, is: AdSize(width: 640, height: 360), "size")
      }
    },
    Case("what is prepared shows nothing before play, and then shows its first frame") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        guard await bench.wait({ bench.heard.has("ready", of: first) }) else { throw silence(bench) }
        try require(bench.heard.names(of: first).contains("firstFrame"), is: false, "a frame before play")
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.has("firstFrame", of: first) }) else { throw silence(bench) }
      }
    },
    Case("a file that is not there fails, once and last") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.missing, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.isOver(first) }) else { throw silence(bench) }
        try require(bench.heard.events(of: first).last, is: .failed(.notFound), "the failure")
        try require(bench.heard.events(of: first).count { $0.name == "failed" }, is: 1, "failures")
        bench.player.play(.first)
        try await nothingFollows(of: first, bench)
      }
    },
  ]

  /// Two loads beside and after each other.
  private static let slots: [Case] = [
    Case("two slots play on their own, and every event names its load") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        bench.player.load(bench.clip, slot: .second, token: second)
        guard await bench.wait({ bench.heard.isOver(first) && bench.heard.has("ready", of: second) }) else {
          throw silence(bench)
        }
        try require(bench.heard.names(of: second), is: ["ready"], "what is only prepared")
        bench.player.play(.second)
        guard await bench.wait({ bench.heard.isOver(second) }) else { throw silence(bench) }
        try require(bench.heard.names(of: first).last, is: "ended", "the first")
      }
    },
    Case("a load drops what its slot held, silently") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.has("position", of: first) }) else { throw silence(bench) }
        let before = bench.heard.events(of: first).count
        bench.player.load(bench.clip, slot: .first, token: second)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.isOver(second) }) else { throw silence(bench) }
        try require(bench.heard.events(of: first).count, is: before, "events of the old load")
      }
    },
    Case("after stop nothing is said, and play has nothing to play") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.has("position", of: first) }) else { throw silence(bench) }
        bench.player.stop(.first)
        bench.player.play(.first)
        try await nothingFollows(of: first, bench)
      }
    },
  ]

  /// Pausing, seeking, sound.
  private static let controls: [Case] = [
    Case("a pause holds the position, and play goes on from it") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.has("position", of: first) }) else { throw silence(bench) }
        bench.player.pause(.first)
        // What was on its way when the pause was asked for has come when the other slot's load is over.
        bench.player.load(bench.missing, slot: .second, token: second)
        bench.player.play(.second)
        guard await bench.wait({ bench.heard.isOver(second) }) else { throw silence(bench) }
        try require(bench.heard.isOver(first), is: false, "the end")
        try await nothingFollows(of: first, bench)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.isOver(first) }) else { throw silence(bench) }
        try require(bench.heard.events(of: first).count { $0.name == "firstFrame" }, is: 1, "first frames")
      }
    },
    Case("a seek goes there and plays on; one to nowhere is none") { bench in
      try await onMain(bench) { bench in
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        guard await bench.wait({ bench.heard.has("firstFrame", of: first) }) else { throw silence(bench) }
        for time in [-1, Double.nan, .infinity, 1e300] { bench.player.seek(.first, to: time) }
        bench.player.seek(.first, to: 0.8)
        guard await bench.wait({ bench.heard.isOver(first) }) else { throw silence(bench) }
        let positions = bench.heard.events(of: first).compactMap { event -> Double? in
          if case .position(let time) = event { time } else { nil }
        }
        try require(positions.contains { $0 > 0.3 && $0 < 0.7 }, is: false, "positions in what was left out")
        try require(bench.heard.names(of: first).last, is: "ended", "the end")
      }
    },
    Case("volume and muting are taken at any time") { bench in
      try await onMain(bench) { bench in
        bench.player.setVolume(0.5, muted: true)
        bench.player.load(bench.clip, slot: .first, token: first)
        bench.player.play(.first)
        for volume in [0, 1, -1, Float.nan, 2] { bench.player.setVolume(volume, muted: false) }
        guard await bench.wait({ bench.heard.isOver(first) }) else { throw silence(bench) }
        try require(bench.heard.names(of: first).last, is: "ended", "the end")
      }
    },
  ]

  /// Plays something else to its end, and looks whether a load says anything meanwhile.
  @MainActor
  private static func nothingFollows(of token: AdPlayerToken, _ bench: PlayerBench) async throws {
    let before = bench.heard.events(of: token).count
    let third = AdPlayerToken(number: 3)
    bench.player.load(bench.clip, slot: .second, token: third)
    bench.player.play(.second)
    guard await bench.wait({ bench.heard.isOver(third) }) else { throw silence(bench) }
    try require(bench.heard.events(of: token).count, is: before, "events of \(token)")
  }

  @MainActor
  private static func silence(_ bench: PlayerBench) -> ContractFailure {
    ContractFailure(description: "what was waited for did not come; heard \(bench.heard.all.map(\.event))")
  }

  private static func onMain(
    _ bench: PlayerBench, _ body: @MainActor (PlayerBench) async throws -> Void
  ) async throws { try await body(bench) }
}
