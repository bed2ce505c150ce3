import Hits

/// What the engine wants, done at the ports (VA-702).
extension EngineDriver {
  func perform(_ action: EngineAction) {
    switch action {
    case .fetch(let id, let document): fetch(id, document)
    case .cancelFetches(let id):
      for (fetch, task) in fetches where fetch.breakID == id {
        task.cancel()
        fetches[fetch] = nil
      }
    case .load(let token, let file, let found): stage?.load(token, file, of: found.ad.linear)
    case .play(let token): stage?.play(token)
    case .pausePlayer(let token): stage?.pause(token)
    case .stop(let token): stage?.stop(token)
    case .setVolume(let volume, let isMuted): stage?.player?.setVolume(Float(volume), muted: isMuted)
    case .setTimer(let timer, let delay):
      timers.set(timer, after: delay) { [weak self] in self?.handle(.timer(timer)) }
    case .clearTimer(let timer): timers.clear(timer)
    case .adChanged(let ad):
      stage?.adChanged()
      current = ad
    case .emit(let notice): emit(notice)
    case .tellProgress:
      let info = playbackInfo
      tell(.progress(time: info.currentMediaTime, duration: info.totalMediaTime))
    case .requestContentPause:
      context.frozenPosition = context.contentPosition
      tell(.contentPause)
    case .requestContentResume(let position):
      context.frozenPosition = nil
      tell(.contentResume(at: position.map { Double($0) / 1_000 }))
    case .reportError(let error): tell(.error(error))
    case .beacon(let beacon): send(beacon)
    case .overlay(let model):
      overlay = model
      tell(.overlay(model))
    case .companion(let slot, let companion):
      companions.fill(slot, companion, isOver: engine?.state == .destroyed)
    case .openLink(let url): open(url)
    case .verification(let command): page.perform(command)
    }
  }

  private func fetch(_ id: BreakFetch, _ document: AdFetch) {
    let context = context
    fetches[id] = Task { [weak self] in
      let outcome = await context.fetch(document)
      guard !Task.isCancelled else { return }
      self?.fetches[id] = nil
      self?.handle(.fetched(id, outcome))
    }
  }

  private func send(_ beacon: Beacon) {
    let isAboutAd = beacon.adIndex == nil || beacon.adIndex == current?.index && beacon.breakID == current?.breakID
    do throws(AdURL.Refusal) {
      let sent = try context.send(beacon, about: isAboutAd ? current?.found : nil, media: stage?.currentFile)
      record(beacon, url: sent)
    } catch {
      record(beacon, refused: error)
      let diagnostic = AdDiagnostic.refused(beacon.event, error, adID: isAboutAd ? current?.ad.ad.id : nil)
      log(diagnostic)
    }
  }

  private func open(_ url: String) {
    let expansion = MacroExpansion(context.facts(), scope: .clickTracking, random: context.environment.random)
    let links = context.environment.links
    guard let url = ClickTarget(context.settings).url(url, expand: { expansion.expand($0) }), links.canOpen(url) else {
      return log("A click leads nowhere: its URL cannot be opened.")
    }
    handle(.pause(.link))
    links.open(url) { [weak self] in self?.handle(.resume(.link)) }
  }
}
