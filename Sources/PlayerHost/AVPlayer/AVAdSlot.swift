// Guarded whole; not compiled on Linux. See AVAdPlayer.swift.
#if canImport(AVFoundation) && canImport(UIKit)
  import AVFoundation
  import Foundation
  import VideoAds

  /// One `AVPlayer`, its layer and its load: what both tell becomes `SlotPlayback`'s signals, as with GStreamer.
  @MainActor
  final class AVAdSlot {
    let layer: AVPlayerLayer
    private let player = AVPlayer()
    private let tell: @MainActor (AdPlayerToken, AdPlayerEvent) -> Void
    private var playback: SlotPlayback?
    private var token = AdPlayerToken(number: 0)
    private var observations: [NSKeyValueObservation] = []
    private var notifications: [any NSObjectProtocol] = []
    private var timeObserver: Any?

    init(tell: @escaping @MainActor (AdPlayerToken, AdPlayerEvent) -> Void) {
      self.tell = tell
      layer = AVPlayerLayer(player: player)
      layer.isHidden = true
      player.allowsExternalPlayback = false  // AirPlay of ads is not offered (VA-1111).
      player.actionAtItemEnd = .pause
    }

    func load(_ media: AdMedia, _ token: AdPlayerToken) {
      stop()
      self.token = token
      playback = SlotPlayback(needsPicture: media.type?.hasPrefix("video/") ?? false)
      guard let url = URL(string: media.url), ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
        // Nothing of a load is told from inside `load`.
        Task { [weak self] in if self?.token == token { self?.signal(.failure(.refusedSource)) } }
        return
      }
      let item = AVPlayerItem(url: url)
      observe(item)
      player.replaceCurrentItem(with: item)
    }

    func play() { act(playback?.play() ?? []) }
    func pause() { act(playback?.pause() ?? []) }

    func stop() {
      playback = nil
      close()
    }

    func seek(to time: Double) {
      guard playback?.isReady == true, time.isFinite, time >= 0 else { return }
      player.seek(
        to: CMTime(seconds: time, preferredTimescale: 1_000), toleranceBefore: .zero, toleranceAfter: .zero)
    }

    func setVolume(_ volume: Float, muted: Bool) {
      player.volume = volume
      player.isMuted = muted
    }

    private func signal(_ signal: SlotPlayback.Signal) { act(playback?.handle(signal) ?? []) }

    private func act(_ actions: [SlotPlayback.Action]) {
      for action in actions {
        switch action {
        case .tell(let event):
          if case .firstFrame = event { layer.isHidden = false }
          tell(token, event)
        case .run(let isRunning): if isRunning { player.play() } else { player.pause() }
        case .close: close()
        }
      }
    }

    private func close() {
      observations = []
      for notification in notifications { NotificationCenter.default.removeObserver(notification) }
      notifications = []
      if let timeObserver { player.removeTimeObserver(timeObserver) }
      timeObserver = nil
      player.pause()
      player.replaceCurrentItem(with: nil)
      layer.isHidden = true
    }

    /// Observes one item; what comes of another, or of an earlier load, is left out by its token (VA-776).
    private func observe(_ item: AVPlayerItem) {
      let token = token
      let heard: @Sendable (@escaping @MainActor (AVAdSlot) -> Void) -> Void = { [weak self] body in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { if let self, self.token == token, self.playback != nil { body(self) } }
        }
      }
      observations = [
        item.observe(\.status) { _, _ in heard { $0.statusChanged() } },
        item.observe(\.isPlaybackLikelyToKeepUp) { item, _ in
          let isFull = item.isPlaybackLikelyToKeepUp
          heard { $0.signal(.filled(isFull ? 100 : 0)) }
        },
        player.observe(\.timeControlStatus) { player, _ in
          let isRunning = player.timeControlStatus == .playing
          heard { if isRunning { $0.signal(.running) } }
        },
        layer.observe(\.isReadyForDisplay) { layer, _ in
          let isReady = layer.isReadyForDisplay
          heard { if isReady { $0.signal(.frame) } }
        },
      ]
      let center = NotificationCenter.default
      notifications = [
        center.addObserver(forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil) { _ in
          heard { $0.signal(.end(position: $0.player.currentTime().seconds)) }
        },
        center.addObserver(forName: AVPlayerItem.failedToPlayToEndTimeNotification, object: item, queue: nil) { _ in
          heard { $0.signal(.failure($0.failure)) }
        },
        center.addObserver(forName: AVPlayerItem.playbackStalledNotification, object: item, queue: nil) { _ in
          heard { $0.signal(.filled(0)) }
        },
      ]
      timeObserver = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 10), queue: .main
      ) { time in
        let seconds = time.seconds
        heard { if seconds > 0 { $0.signal(.position(seconds)) } }
      }
    }

    private func statusChanged() {
      guard let item = player.currentItem else { return }
      switch item.status {
      case .readyToPlay:
        let size = item.presentationSize
        let duration = item.duration.seconds
        signal(
          .prepared(
            duration: duration.isFinite ? duration : nil,
            size: size.width > 0 && size.height > 0 ? AdSize(width: size.width, height: size.height) : nil))
      case .failed: signal(.failure(failure))
      default: break
      }
    }

    /// By the status of the error log, then by the error's domain and code (VA-1102, VA-1111).
    private var failure: PlayerFailure {
      let item = player.currentItem
      if let status = item?.errorLog()?.events.last?.errorStatusCode, status >= 400 {
        return [403, 404, 410].contains(status) ? .notFound : .server
      }
      guard let error = item?.error as NSError? else { return .other }
      let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
      for error in [error, underlying].compactMap({ $0 }) {
        switch (error.domain, error.code) {
        case (NSURLErrorDomain, NSURLErrorTimedOut): return .timedOut
        case (NSURLErrorDomain, NSURLErrorBadServerResponse): return .server
        case (NSURLErrorDomain, _): return .notFound
        case (AVFoundationErrorDomain, AVError.fileFormatNotRecognized.rawValue),
          (AVFoundationErrorDomain, AVError.decoderNotFound.rawValue):
          return .unsupported
        case (AVFoundationErrorDomain, AVError.decodeFailed.rawValue),
          (AVFoundationErrorDomain, AVError.fileFailedToParse.rawValue):
          return .decode
        default: continue
        }
      }
      return .other
    }
  }
#endif
