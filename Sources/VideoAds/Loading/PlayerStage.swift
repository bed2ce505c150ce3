/// Two slots of a player: which load is where, and what plays (VA-610).
@MainActor
final class PlayerStage {
  let player: (any AdPlayer)?
  private let showsCaptions: Bool
  private let language: String
  private var files: [AdPlayerToken: VAST.MediaFile] = [:]
  private var tokens: [AdSlot: AdPlayerToken] = [:]
  /// The load that plays, or played last.
  private(set) var playing: AdPlayerToken?
  /// Seconds up to which media is there.
  var buffered = 0.0

  init(_ player: (any AdPlayer)?, captions: Bool, _ language: String) {
    self.player = player
    showsCaptions = captions
    self.language = language
  }

  var capabilities: AdPlayerCapabilities { player?.capabilities ?? AdPlayerCapabilities(mimeTypes: []) }

  /// The file that plays.
  var currentFile: VAST.MediaFile? { playing.flatMap { files[$0] } }

  private func slot(of token: AdPlayerToken) -> AdSlot {
    capabilities.slots > 1 && token.number % 2 == 0 ? .second : .first
  }

  /// Loads a file of an ad's media.
  func load(_ token: AdPlayerToken, _ file: VAST.MediaFile, of linear: VAST.Linear?) {
    let slot = slot(of: token)
    if let old = tokens[slot] { files[old] = nil }
    tokens[slot] = token
    files[token] = file
    let captions = showsCaptions ? (linear?.captionFiles ?? []).filter { AdURL.isFetchable($0.url) } : []
    let url = try? AdURL(file.url, base: nil)
    player?.load(
      AdMedia(
        // A URL that is never read is told apart by the selection before.
        url: url?.text ?? "", type: file.type, duration: linear?.duration.map { Double($0) / 1_000 },
        captions: captions.filter { isNear($0) } + captions.filter { !isNear($0) }),
      slot: slot, token: token)
  }

  private func isNear(_ caption: VAST.CaptionFile) -> Bool {
    caption.language?.lowercased().hasPrefix(language.lowercased().prefix(2)) ?? false
  }

  /// Forgets what played: what is told from now on is about another ad.
  func adChanged() { playing = nil }

  func play(_ token: AdPlayerToken) {
    playing = token
    if tokens[slot(of: token)] == token { player?.play(slot(of: token)) }
  }

  func pause(_ token: AdPlayerToken) { if tokens[slot(of: token)] == token { player?.pause(slot(of: token)) } }

  func stop(_ token: AdPlayerToken) {
    guard tokens[slot(of: token)] == token else { return }
    tokens[slot(of: token)] = nil
    files[token] = nil
    player?.stop(slot(of: token))
  }

  /// What an event means to the engine; nil for nothing.
  func report(_ event: AdPlayerEvent, of token: AdPlayerToken) -> PlaybackReport? {
    switch event {
    case .ready(let duration, _): return .ready(duration.flatMap(RequestContext.milliseconds))
    case .firstFrame(let size):
      return files[token]?.isAudio == true || size != nil ? .firstFrame : .soundOnly
    case .position(let time): return RequestContext.milliseconds(time).map { .position($0) }
    case .duration(let time): return RequestContext.milliseconds(time).map { .duration($0) }
    case .bufferingBegan: return .bufferingBegan
    case .bufferingEnded: return .bufferingEnded
    case .buffered: return nil
    case .ended(let position): return .ended(RequestContext.milliseconds(position) ?? 0)
    case .failed(let failure): return .failed(failure)
    }
  }
}
