import VideoAds

/// The port of players, played by another program.
@MainActor
final class RemotePlayer: AdPlayer {
  let capabilities: AdPlayerCapabilities
  var onEvent: (@MainActor (AdPlayerToken, AdPlayerEvent) -> Void)?
  private let process: PlayerProcess
  private var tokens: [AdSlot: AdPlayerToken] = [:]

  init(_ process: PlayerProcess) {
    self.process = process
    capabilities = process.capabilities
  }

  func load(_ media: AdMedia, slot: AdSlot, token: AdPlayerToken) {
    tokens[slot] = token
    process.send(.load(url: media.url, type: media.type, slot: slot, token: token.number))
  }

  func play(_ slot: AdSlot) { process.send(.play(slot)) }
  func pause(_ slot: AdSlot) { process.send(.pause(slot)) }
  func seek(_ slot: AdSlot, to time: Double) { process.send(.seek(slot, time: time)) }
  func setVolume(_ volume: Float, muted: Bool) { process.send(.sound(volume: volume, isMuted: muted)) }

  func stop(_ slot: AdSlot) {
    tokens[slot] = nil
    process.send(.stop(slot))
  }

  /// Hands an event on, unless its load was dropped while it was on its way.
  func heard(_ event: AdPlayerEvent, of number: Int) {
    let token = AdPlayerToken(number: number)
    if tokens.values.contains(token) { onEvent?(token, event) }
  }

  /// Fails what is loaded: the program is gone.
  func fail() {
    for token in tokens.values { onEvent?(token, .failed(.output)) }
    tokens = [:]
  }
}
