#if os(Linux)
  import Hits
  public import VideoAds

  /// Plays ads with GStreamer, in two pipelines: one ad can be prepared while another plays (VA-1110).
  ///
  /// Needs the Debian packages `gstreamer1.0-plugins-base`, `-good`, `-bad` and `-libav`. Only http and https are ever
  /// read, inside manifests too. Without a screen it needs no display, and without a sound device it is silent.
  @MainActor
  public final class GStreamerPlayer: AdPlayer {
    /// What the installed elements play.
    public let capabilities: AdPlayerCapabilities
    /// Hears what becomes of the loads.
    public var onEvent: (@MainActor (AdPlayerToken, AdPlayerEvent) -> Void)?
    /// Told when a slot has a first frame to show, and when it has nothing to show any more.
    var onSlot: (@MainActor (AdSlot, _ isShown: Bool) -> Void)?
    private var pipelines: [AdSlot: MediaPipeline] = [:]
    private var tokens: [AdSlot: AdPlayerToken] = [:]

    /// Makes a player without a screen; nil when GStreamer or what it needs is not installed.
    public convenience init?() { self.init([AdSlot.first: MediaOutput(), .second: MediaOutput()]) }

    init?(_ outputs: [AdSlot: MediaOutput]) {
      let types = GStreamer.playableTypes
      capabilities = AdPlayerCapabilities(mimeTypes: types, slots: outputs.count)
      for (slot, output) in outputs {
        let pipeline = MediaPipeline(output) { [weak self] token, event in self?.heard(event, of: token, in: slot) }
        guard let pipeline, !types.isEmpty else { return nil }
        pipelines[slot] = pipeline
      }
    }

    /// Prepares media in a slot.
    public func load(_ media: AdMedia, slot: AdSlot, token: AdPlayerToken) {
      tokens[slot] = token
      guard Self.isFetchable(media.url) else {
        pipelines[slot]?.perform(.stop)
        // Nothing of a load is told from inside `load`.
        Task { [weak self] in self?.heard(.failed(.refusedSource), of: token, in: slot) }
        return
      }
      let source = MediaPipeline.Source(url: media.url, needsPicture: media.type?.hasPrefix("video/") ?? false)
      pipelines[slot]?.perform(.load(source, token))
    }

    /// Plays what the slot holds.
    public func play(_ slot: AdSlot) { pipelines[slot]?.perform(.play) }

    /// Pauses what the slot plays.
    public func pause(_ slot: AdSlot) { pipelines[slot]?.perform(.pause) }

    /// Ends the slot's load.
    public func stop(_ slot: AdSlot) {
      tokens[slot] = nil
      pipelines[slot]?.perform(.stop)
      onSlot?(slot, false)
    }

    /// Goes to a time.
    public func seek(_ slot: AdSlot, to time: Double) { pipelines[slot]?.perform(.seek(time)) }

    /// Sets the linear amplitude of both slots.
    public func setVolume(_ volume: Float, muted: Bool) {
      let volume = volume.isFinite ? Double(min(max(volume, 0), 1)) : 1
      for pipeline in pipelines.values { pipeline.perform(.sound(volume: volume, isMuted: muted)) }
    }

    private func heard(_ event: AdPlayerEvent, of token: AdPlayerToken, in slot: AdSlot) {
      guard tokens[slot] == token else { return }
      if case .firstFrame = event { onSlot?(slot, true) }
      onEvent?(token, event)
    }

    private static func isFetchable(_ url: String) -> Bool {
      let scheme = url.prefix { $0 != ":" }.lowercased()
      return scheme == "http" || scheme == "https"
    }
  }

  /// Makes GStreamer players without a screen.
  @MainActor
  public final class GStreamerPlayerFactory: AdPlayerFactory {
    /// Makes a factory.
    public init() {}

    /// Makes one more player; nil when GStreamer or what it needs is not installed.
    public func makePlayer() -> (any AdPlayer)? { GStreamerPlayer() }
  }
#endif
