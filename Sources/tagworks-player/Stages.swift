#if os(Linux)
  import PlayerHost
  import VideoAds

  extension PlayerRequest {
    /// Does what concerns media alone; false when the request is about something else.
    @MainActor
    func perform(on player: any AdPlayer) -> Bool {
      switch self {
      case .load(let url, let type, let slot, let token):
        player.load(AdMedia(url: url, type: type), slot: slot, token: AdPlayerToken(number: token))
      case .play(let slot): player.play(slot)
      case .pause(let slot): player.pause(slot)
      case .stop(let slot): player.stop(slot)
      case .seek(let slot, let time): player.seek(slot, to: time)
      case .sound(let volume, let isMuted): player.setVolume(volume, muted: isMuted)
      case .open, .overlay, .companion, .link, .content: return false
      }
      return true
    }
  }

  /// Plays without a screen.
  @MainActor
  final class HeadlessStage {
    private let player: any AdPlayer
    private let reports: ReportWriter

    init(_ player: any AdPlayer, _ reports: ReportWriter) {
      (self.player, self.reports) = (player, reports)
      player.onEvent = { token, event in reports.write(.event(token: token.number, event)) }
      reports.write(.opened(player.capabilities))
    }

    func perform(_ request: PlayerRequest) {
      if request.perform(on: player) { return }
      // Nobody closes a page that nobody sees.
      if case .link = request { reports.write(.linkClosed) }
    }
  }

  /// Plays in a window.
  @MainActor
  final class WindowStage {
    private let window: PlayerWindow
    private let player: any AdPlayer
    private let links: BrowserLinks
    private let reports: ReportWriter
    private var slots: [CompanionSlot] { window.container.companionSlots }

    init?(_ window: PlayerWindow, _ description: PlayerRequest.Window, _ reports: ReportWriter) {
      guard let player = window.makePlayer() else { return nil }
      (self.window, self.player, self.reports) = (window, player, reports)
      links = BrowserLinks(window: window)
      player.onEvent = { token, event in reports.write(.event(token: token.number, event)) }
      window.onTap = { target, point in reports.write(.tap(target, point)) }
      window.onResize = { size in reports.write(.resized(size)) }
      for (place, slot) in window.container.companionSlots.enumerated() {
        slot.clicks { reports.write(.companionClicked(place)) }
      }
      if let content = description.content { window.content?.open(content) }
      reports.write(.opened(player.capabilities))
    }

    func perform(_ request: PlayerRequest) {
      if request.perform(on: player) { return }
      switch request {
      case .overlay(let model): window.show(model)
      case .content(let isPlaying):
        if isPlaying { window.showContent() }
        if isPlaying { window.content?.play() } else { window.content?.pause() }
      case .companion(let place, let companion): show(companion, at: place)
      case .link(let url): links.open(url) { [reports] in reports.write(.linkClosed) }
      default: break
      }
    }

    private func show(_ companion: VAST.Companion?, at place: Int) {
      guard slots.indices.contains(place) else { return }
      let slot = slots[place]
      slot.renderer?.show(companion, in: slot) { [reports] isShown in
        if companion != nil { reports.write(.companionShown(place, isShown)) }
      }
    }
  }
#endif
