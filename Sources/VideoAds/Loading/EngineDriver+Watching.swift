/// What the driver watches: content's playhead, what of the ad is seen, the app's life.
extension EngineDriver {
  /// Follows the playhead's reports, and asks it five times a second where it gives none (VA-530, VA-1104).
  func watchPlayhead() {
    guard let playhead = context.playhead else { return }
    guard let changes = playhead.changes else { return playheadSampling.start() }
    listening.append(
      Task { [weak self] in
        for await _ in changes where self?.samplePlayhead() == false { return }
      })
  }

  /// Tells where content is while it runs; false when nobody needs to know any more.
  func samplePlayhead() -> Bool {
    if engine?.content.isStopped == false, let position = context.contentPosition {
      if let duration = context.contentDuration, duration != toldDuration {
        toldDuration = duration
        handle(.contentDuration(duration))
      }
      handle(.contentTime(position))
    }
    return engine?.state != .destroyed && engine?.state != .done
  }

  /// Tells what of the ad is seen from its first frame on; false when there is nothing to see.
  func sampleGeometry() -> Bool {
    guard let provider = context.environment.geometry, let surface = context.container?.surface else { return false }
    if let state = engine?.state, [.starting, .playing].contains(state) {
      handle(.geometry(provider.geometry(of: surface)))
    }
    return [.starting, .playing, .paused].contains(engine?.state)
  }

  func watchLifecycle() {
    guard let events = context.environment.lifecycle?.events else { return }
    listening.append(
      Task { [weak self] in
        for await event in events { self?.handle(.lifecycle(event)) }
      })
  }
}
