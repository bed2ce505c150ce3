import VideoAds

/// What `ads play` shows through the program that plays: ads, overlay, companions, content and pages.
@MainActor
final class RemoteStage {
  /// The place of the ads; nil without a window.
  let container: AdDisplayContainer?
  /// Hears taps.
  weak var manager: AdsManager?
  /// Called when the person closes the window, and when the program is gone.
  var onClose: (@MainActor () -> Void)?
  private let process: PlayerProcess
  private let player: RemotePlayer
  private var companions: [RemoteCompanion] = []
  private var linkClosed: (@MainActor () -> Void)?

  static let videoSize = AdSize(width: 640, height: 360)
  static let companionSize = AdSize(width: 300, height: 250)

  /// Starts the program, with a window or without, and with content for the window.
  init(hasWindow: Bool, content: String?) async throws {
    let size = Self.companionSize
    process = try await PlayerProcess(
      hasWindow
        ? .init(title: "tagworks ads play", size: Self.videoSize, companions: [size], content: content) : nil)
    player = RemotePlayer(process)
    let companion = RemoteCompanion(0, process)
    companions = hasWindow ? [companion] : []
    container =
      hasWindow
      ? AdDisplayContainer(
        surface: SurfaceID("window"), size: Self.videoSize,
        companionSlots: [CompanionSlot(size: size, renderer: companion)]) : nil
    process.onReport = { [weak self] in self?.heard($0) }
    process.onEnd = { [weak self] in
      self?.player.fail()
      self?.onClose?()
    }
  }

  func show(_ model: OverlayModel?) { if container != nil { process.send(.overlay(model)) } }

  func playContent(_ isPlaying: Bool) { process.send(.content(isPlaying: isPlaying)) }

  func end() { process.end() }

  private func heard(_ report: PlayerReport) {
    switch report {
    case .event(let token, let event): player.heard(event, of: token)
    case .tap(let target, let point): manager?.tap(target, at: point)
    case .companionShown(let place, let isShown):
      if companions.indices.contains(place) { companions[place].report(isShown) }
    case .companionClicked(let place):
      if let slots = container?.companionSlots, slots.indices.contains(place) { slots[place].click() }
    case .resized(let size): container?.size = size
    case .linkClosed:
      linkClosed?()
      linkClosed = nil
    case .closed: onClose?()
    case .opened, .refused: break
    }
  }
}

extension RemoteStage: AdPlayerFactory {
  func makePlayer() -> (any AdPlayer)? { player }
}

extension RemoteStage: LinkOpener {
  func canOpen(_ url: String) -> Bool { container != nil }

  func open(_ url: String, closed: @escaping @MainActor () -> Void) {
    linkClosed?()
    linkClosed = closed
    process.send(.link(url))
  }
}

/// A companion slot of the window.
@MainActor
private final class RemoteCompanion: CompanionRenderer {
  private let place: Int
  private let process: PlayerProcess
  private var shown: (@MainActor (Bool) -> Void)?

  init(_ place: Int, _ process: PlayerProcess) { (self.place, self.process) = (place, process) }

  func show(_ companion: VAST.Companion?, in slot: CompanionSlot, shown: @escaping @MainActor (Bool) -> Void) {
    self.shown = shown
    process.send(.companion(place, companion))
  }

  func report(_ isShown: Bool) {
    shown?(isShown)
    shown = nil
  }
}
