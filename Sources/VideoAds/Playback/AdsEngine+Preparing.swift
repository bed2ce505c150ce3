/// Media made ready before it is to play (VA-610 to VA-612).
extension AdsEngine {
  /// Loads an ad's best file beside the one that plays; at most one is ready.
  mutating func prepare(_ index: Int) {
    guard rendering.preloads, let run, run.prepared == nil, run.ads.indices.contains(index),
      let linear = run.ads[index].ad.linear,
      case .success(let files) = rendering.selection.candidates(
        of: linear, isConditional: run.ads[index].ad.ad.isConditional), let file = files.first
    else { return }
    tokens += 1
    let token = AdPlayerToken(number: tokens)
    self.run?.prepared = PreparedAd(index: index, token: token, file: file, files: Array(files.dropFirst()), since: now)
    act(.load(token, file, of: run.ads[index]))
  }

  mutating func preparedAd(_ report: PlaybackReport) {
    switch report {
    case .ready(let duration):
      run?.prepared?.isReady = true
      if let duration { run?.prepared?.duration = duration }
    case .duration(let duration): run?.prepared?.duration = duration
    case .failed(let failure): run?.prepared?.failure = failure
    default: return
    }
    if state == .ready { emitLoaded() }
  }

  /// Plays the media that was made ready for the current ad; false when there is none.
  mutating func adoptPrepared() -> Bool {
    guard let run, let prepared = run.prepared else { return false }
    self.run?.prepared = nil
    guard prepared.index == run.index, now - prepared.since <= PreparedAd.lifetime else {
      act(.stop(prepared.token))
      return false
    }
    self.run?.current.token = prepared.token
    self.run?.current.files = prepared.files
    self.run?.current.isAudio = prepared.file.isAudio
    if let duration = prepared.duration { setDuration(duration) }
    if prepared.isReady { trackLoaded() }
    armLoadTimer()
    if let failure = prepared.failure {
      playerFailed(failure.code)
    } else if pauseReasons.isEmpty {
      act(.play(prepared.token))
    }
    return true
  }
}

extension VAST.MediaFile {
  /// Whether the file has sound alone.
  var isAudio: Bool { type?.hasPrefix("audio/") ?? false }
}
