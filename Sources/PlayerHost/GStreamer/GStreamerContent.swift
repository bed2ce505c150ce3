#if os(Linux)
  import Hits
  public import VideoAds

  /// Plays content with GStreamer, in a pipeline of its own: an ad pauses it and never tears it down (VA-1112).
  @MainActor
  public final class GStreamerContent {
    /// Called at the end of the media, and when it cannot be played.
    public var onEnd: (@MainActor (PlayerFailure?) -> Void)?
    /// Called when the media's first picture is to be shown: not before it plays (VA-116).
    var onFirstFrame: (@MainActor () -> Void)?
    /// Seconds.
    public private(set) var currentTime = 0.0
    /// Seconds; nil while it is not known.
    public private(set) var duration: Double?
    /// Whether it runs.
    public private(set) var isPlaying = false
    /// Whether the media is at its end, from which there is nothing to play.
    private var isOver = false
    private var pipeline: MediaPipeline?
    private var token = AdPlayerToken(number: 0)

    /// Makes a player without a screen; nil when GStreamer or what it needs is not installed.
    public convenience init?() { self.init(MediaOutput()) }

    init?(_ output: MediaOutput) {
      pipeline = MediaPipeline(output) { [weak self] token, event in
        if self?.token == token { self?.heard(event) }
      }
      if pipeline == nil { return nil }
    }

    /// Opens media, paused: a URL, or a file of this machine as a `file` URL.
    public func open(_ url: String, at time: Double = 0) {
      token = AdPlayerToken(number: token.number + 1)
      (currentTime, duration, isPlaying, isOver) = (time, nil, false, false)
      pipeline?.perform(.load(MediaPipeline.Source(url: url, needsPicture: false, allowsFiles: true), token))
      if time > 0 { pipeline?.perform(.seek(time)) }
    }

    /// Plays; nothing is played after the end, as when a post-roll asks for content to go on.
    public func play() {
      guard !isOver else { return }
      isPlaying = true
      pipeline?.perform(.play)
    }

    /// Pauses; the picture stays.
    public func pause() {
      isPlaying = false
      pipeline?.perform(.pause)
    }

    /// Goes to a time in seconds.
    public func seek(to time: Double) {
      currentTime = time
      pipeline?.perform(.seek(time))
    }

    private func heard(_ event: AdPlayerEvent) {
      switch event {
      case .ready(let duration, _): self.duration = duration
      case .duration(let duration): self.duration = duration
      case .firstFrame: onFirstFrame?()
      case .position(let time): currentTime = time
      case .ended(let time):
        (currentTime, isPlaying, isOver) = (duration ?? time, false, true)
        onEnd?(nil)
      case .failed(let failure):
        (isPlaying, isOver) = (false, true)
        onEnd?(failure)
      case .bufferingBegan, .bufferingEnded, .buffered: break
      }
    }
  }

  /// Tells where content is that GStreamer plays (VA-1113).
  @MainActor
  public final class GStreamerContentPlayhead: ContentPlayhead {
    private let player: GStreamerContent

    /// Makes the playhead of a player.
    public init(player: GStreamerContent) { self.player = player }

    /// Seconds.
    public var currentTime: Double { player.currentTime }
    /// Seconds; nil while it is not known.
    public var duration: Double? { player.duration }
    /// Whether content runs.
    public var isPlaying: Bool { player.isPlaying }
  }
#endif
