/// A player without media: it follows a clock, and each file behaves as it is told to (VA-1103).
@MainActor
public final class SimulatedPlayer: AdPlayer {
  /// What it says it can play.
  public let capabilities: AdPlayerCapabilities
  /// Hears what becomes of the loads.
  public var onEvent: (@MainActor (AdPlayerToken, AdPlayerEvent) -> Void)?
  /// The last volume set, and whether it is muted.
  public private(set) var sound: (volume: Float, isMuted: Bool) = (1, false)

  private let clock: any AdClock
  private let media: @MainActor (AdMedia) -> SimulatedMedia
  private var playbacks: [AdSlot: SimulatedPlayback] = [:]
  private var timers: [AdSlot: AdTimerID] = [:]

  /// Makes a player; media lasts as its document states, ten seconds without a statement, unless said otherwise.
  public init(
    clock: any AdClock, capabilities: AdPlayerCapabilities = SimulatedPlayer.everything,
    media: @escaping @MainActor (AdMedia) -> SimulatedMedia = SimulatedPlayer.asStated
  ) {
    self.clock = clock
    self.capabilities = capabilities
    self.media = media
  }

  /// Every type, in two slots.
  public nonisolated static let everything = AdPlayerCapabilities(
    mimeTypes: [
      "video/mp4", "video/webm", "application/vnd.apple.mpegurl", "application/dash+xml", "video/*", "audio/*",
    ],
    slots: 2)

  /// Media that lasts as its document states.
  public static func asStated(_ media: AdMedia) -> SimulatedMedia {
    let duration = media.duration.flatMap { 0.001...86_400 ~= $0 ? Int64(($0 * 1_000).rounded()) : nil }
    return SimulatedMedia(duration: duration ?? 10_000)
  }

  /// Whether a slot plays.
  public func isPlaying(_ slot: AdSlot) -> Bool { playbacks[slot]?.isPlaying ?? false }

  /// Prepares media in a slot.
  public func load(_ media: AdMedia, slot: AdSlot, token: AdPlayerToken) {
    playbacks[slot] = SimulatedPlayback(self.media(media), token: token, at: clock.now)
    arm(slot)
  }

  /// Plays what the slot holds.
  public func play(_ slot: AdSlot) {
    playbacks[slot]?.play(at: clock.now)
    arm(slot)
  }

  /// Pauses what the slot plays.
  public func pause(_ slot: AdSlot) {
    playbacks[slot]?.pause(at: clock.now)
    arm(slot)
  }

  /// Ends the slot's load.
  public func stop(_ slot: AdSlot) {
    playbacks[slot] = nil
    arm(slot)
  }

  /// Goes to a time.
  public func seek(_ slot: AdSlot, to time: Double) {
    guard time >= 0, time < 86_400 else { return }
    playbacks[slot]?.seek(to: Int64((time * 1_000).rounded()), at: clock.now)
    arm(slot)
  }

  /// Keeps the volume in `sound`.
  public func setVolume(_ volume: Float, muted: Bool) { sound = (volume, muted) }

  private func arm(_ slot: AdSlot) {
    if let timer = timers.removeValue(forKey: slot) { clock.cancel(timer) }
    guard let time = playbacks[slot]?.nextTime else { return }
    timers[slot] = clock.schedule(at: time) { [weak self] in self?.step(slot) }
  }

  private func step(_ slot: AdSlot) {
    timers[slot] = nil
    guard let token = playbacks[slot]?.token, let size = playbacks[slot].map(\.media.size) else { return }
    for report in playbacks[slot]?.step() ?? [] {
      // What is heard may load, pause or stop: what was told of a load that is gone is left out.
      guard playbacks[slot]?.token == token else { return }
      onEvent?(token, Self.event(report, size))
    }
    if playbacks[slot]?.token == token { arm(slot) }
  }

  private static func event(_ report: PlaybackReport, _ size: AdSize?) -> AdPlayerEvent {
    let seconds = { (time: Int64) in Double(time) / 1_000 }
    return switch report {
    case .ready(let duration): .ready(duration: duration.map(seconds), size: size)
    case .firstFrame, .soundOnly: .firstFrame(size: size)
    case .position(let position): .position(seconds(position))
    case .duration(let duration): .duration(seconds(duration))
    case .bufferingBegan: .bufferingBegan
    case .bufferingEnded: .bufferingEnded
    case .ended(let position): .ended(position: seconds(position))
    case .failed(let failure): .failed(failure)
    }
  }
}

/// Makes simulated players over one clock.
@MainActor
public final class SimulatedPlayerFactory: AdPlayerFactory {
  private let clock: any AdClock
  private let media: @MainActor (AdMedia) -> SimulatedMedia
  private let capabilities: AdPlayerCapabilities
  /// The players made, in order.
  public private(set) var players: [SimulatedPlayer] = []

  /// Makes a factory.
  public init(
    clock: any AdClock, capabilities: AdPlayerCapabilities = SimulatedPlayer.everything,
    media: @escaping @MainActor (AdMedia) -> SimulatedMedia = SimulatedPlayer.asStated
  ) {
    self.clock = clock
    self.capabilities = capabilities
    self.media = media
  }

  /// Makes one more player.
  public func makePlayer() -> (any AdPlayer)? {
    let player = SimulatedPlayer(clock: clock, capabilities: capabilities, media: media)
    players.append(player)
    return player
  }
}
