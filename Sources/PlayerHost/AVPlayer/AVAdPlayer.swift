// Written for Apple's platforms and guarded whole: it was never compiled where AVFoundation is missing, on Linux, and
// waits for its first build and its run of the contract of players (`AdPlayerContract`) on a Mac.
#if canImport(AVFoundation) && canImport(UIKit)
  public import AVFoundation
  import UIKit
  public import VideoAds

  /// Plays ads with AVFoundation: one `AVPlayer` and one layer a slot, kept for one load after another (VA-1111).
  ///
  /// The layers belong into the app's view, above content's own; the layer of an ad comes at its first frame, so that
  /// there is no black picture (VA-1112). Media comes over http and https alone.
  @MainActor
  public final class AVAdPlayer: AdPlayer {
    /// What AVFoundation plays.
    public let capabilities = AdPlayerCapabilities(
      mimeTypes: [
        "application/vnd.apple.mpegurl", "application/x-mpegurl", "video/mp4", "video/quicktime", "audio/mp4",
        "audio/mpeg",
      ], slots: 2, prefersAdaptive: true)
    /// Hears what becomes of the loads.
    public var onEvent: (@MainActor (AdPlayerToken, AdPlayerEvent) -> Void)?
    private var slots: [AdSlot: AVAdSlot] = [:]

    /// Makes a player.
    ///
    /// - Parameter disablesNowPlaying: leaves the system's now-playing information alone (VA-1111).
    public init(disablesNowPlaying: Bool = false) {
      for slot in AdSlot.allCases {
        slots[slot] = AVAdSlot { [weak self] token, event in self?.onEvent?(token, event) }
      }
      // An AVPlayer tells the system nothing by itself: the app's now-playing session stays content's.
      _ = disablesNowPlaying
    }

    /// The layers to put above content's, hidden until an ad's first frame.
    public var layers: [AVPlayerLayer] { AdSlot.allCases.compactMap { slots[$0]?.layer } }

    /// Prepares media in a slot.
    public func load(_ media: AdMedia, slot: AdSlot, token: AdPlayerToken) { slots[slot]?.load(media, token) }

    /// Plays what the slot holds.
    public func play(_ slot: AdSlot) { slots[slot]?.play() }

    /// Pauses what the slot plays.
    public func pause(_ slot: AdSlot) { slots[slot]?.pause() }

    /// Ends the slot's load.
    public func stop(_ slot: AdSlot) { slots[slot]?.stop() }

    /// Goes to a time.
    public func seek(_ slot: AdSlot, to time: Double) { slots[slot]?.seek(to: time) }

    /// Sets the linear amplitude of both slots.
    public func setVolume(_ volume: Float, muted: Bool) {
      for slot in slots.values { slot.setVolume(volume.isFinite ? min(max(volume, 0), 1) : 1, muted: muted) }
    }

    /// Takes the pictures of ads away: content is to go on.
    public func showContent() { for layer in layers { layer.isHidden = true } }
  }

  /// Makes players on AVFoundation.
  @MainActor
  public final class AVAdPlayerFactory: AdPlayerFactory {
    /// Called with each player that is made, so that its layers can be put into a view.
    private let made: @MainActor (AVAdPlayer) -> Void

    /// Makes a factory.
    public init(made: @escaping @MainActor (AVAdPlayer) -> Void) { self.made = made }

    /// Makes one more player.
    public func makePlayer() -> (any AdPlayer)? {
      let player = AVAdPlayer()
      made(player)
      return player
    }
  }

  /// Tells where the content of an `AVPlayer` is (VA-1113).
  @MainActor
  public final class AVPlayerContentPlayhead: ContentPlayhead {
    private let player: AVPlayer

    /// Makes the playhead of a player.
    public init(avPlayer: AVPlayer) { player = avPlayer }

    /// Seconds.
    public var currentTime: Double { player.currentTime().seconds }

    /// Seconds; nil while it is not known, and for live streams.
    public var duration: Double? {
      guard let seconds = player.currentItem?.duration.seconds, seconds.isFinite else { return nil }
      return seconds
    }

    /// Whether content runs.
    public var isPlaying: Bool { player.rate != 0 }
  }
#endif
