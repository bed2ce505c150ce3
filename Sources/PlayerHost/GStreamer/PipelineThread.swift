#if os(Linux)
  import CGStreamer
  import Hits
  import VideoAds

  /// Runs a pipeline: takes its messages and the commands, and asks it for its position while it plays.
  ///
  /// Every load begins at the state NULL, in which no other thread posts: what the bus holds then is of the load before
  /// and is thrown away, so that nothing of it is taken for the new one (VA-776).
  final class PipelineThread {
    /// Between two positions while playing.
    private static let tick: GstClockTime = 50_000_000
    /// The seconds after which the HTTP source gives a silent server up.
    private static let sourceTimeout: UInt64 = 15_000_000_000

    private let mailbox: PipelineMailbox
    private let tell: @Sendable (AdPlayerToken, AdPlayerEvent) -> Void
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let bus: UnsafeMutablePointer<GstBus>
    private let clock = SystemHitClock()

    private var playback: SlotPlayback?
    private var token = AdPlayerToken(number: 0)
    /// Counts the loads and stops.
    private var generation = 0
    private var isRunning = false
    /// A live source has no beginning to stand at, and its buffer is its own affair.
    private var isLive = false
    private var startTime: Double?
    /// When something last came or moved.
    private var movedAt: UInt64 = 0
    private var position = 0.0

    init(_ mailbox: PipelineMailbox, _ tell: @escaping @Sendable (AdPlayerToken, AdPlayerEvent) -> Void) {
      self.mailbox = mailbox
      self.tell = tell
      pipeline = mailbox.objects.pipeline
      bus = mailbox.objects.bus
    }

    func run() {
      // The end of a load throws away what would wake the thread for commands: they are looked for before it sleeps.
      while performCommands() {
        let message = gst_bus_timed_pop(bus, isRunning ? Self.tick : .max)
        defer { if let message { gst_mini_object_unref(.init(OpaquePointer(message))) } }
        let generation = generation
        guard performCommands() else { break }
        if let message, generation == self.generation { take(message) }
        if isRunning { askPosition() }
      }
      close()
    }

    /// Performs what has been asked for; false when nothing more will be.
    private func performCommands() -> Bool {
      while true {
        let commands = mailbox.takeCommands()
        if commands.isEmpty { return true }
        for command in commands {
          if case .quit = command { return false }
          perform(command)
        }
      }
    }

    private func perform(_ command: MediaPipeline.Command) {
      switch command {
      case .load(let source, let token): load(source, token)
      case .play: act(playback?.play() ?? [])
      case .pause: act(playback?.pause() ?? [])
      case .stop:
        close()
        playback = nil
      case .seek(let time): seek(time)
      case .sound(let volume, let isMuted):
        cgst_set_double(pipeline, "volume", volume)
        cgst_set_bool(pipeline, "mute", isMuted ? 1 : 0)
      case .quit: break
      }
    }

    private func load(_ source: MediaPipeline.Source, _ token: AdPlayerToken) {
      close()
      self.token = token
      playback = SlotPlayback(needsPicture: source.needsPicture)
      (startTime, position, movedAt) = (nil, 0, clock.ageClock)
      mailbox.expect(isFileAllowed: source.allowsFiles)
      cgst_set_string(pipeline, "uri", source.url)
      switch gst_element_set_state(pipeline, GST_STATE_PAUSED) {
      // The error itself is on the bus, unless nothing could even be made of the URL.
      case GST_STATE_CHANGE_FAILURE:
        gst_bus_post(bus, gst_message_new_application(nil, gst_structure_new_empty("failed")))
      case GST_STATE_CHANGE_NO_PREROLL:
        isLive = true
        prepared()
      default: break
      }
    }

    /// Ends the load; nothing of it is on the bus afterwards.
    private func close() {
      generation += 1
      isRunning = false
      isLive = false
      gst_element_set_state(pipeline, GST_STATE_NULL)
      while let message = gst_bus_pop(bus) { gst_mini_object_unref(.init(OpaquePointer(message))) }
    }

    private func act(_ actions: [SlotPlayback.Action]) {
      for action in actions {
        switch action {
        case .tell(let event): tell(token, event)
        case .run(let isRunning):
          gst_element_set_state(pipeline, isRunning ? GST_STATE_PLAYING : GST_STATE_PAUSED)
          self.isRunning = isRunning
          movedAt = clock.ageClock
        case .close: close()
        }
      }
    }

    private func signal(_ signal: SlotPlayback.Signal) { act(playback?.handle(signal) ?? []) }

    private func seek(_ time: Double) {
      guard time.isFinite, time >= 0, time < 1e6 else { return }
      guard playback?.isReady == true else {
        startTime = time
        return
      }
      let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
      gst_element_seek_simple(pipeline, GST_FORMAT_TIME, flags, gint64(time * 1e9))
    }

    private func take(_ message: UnsafeMutablePointer<GstMessage>) {
      switch message.pointee.type {
      case GST_MESSAGE_ERROR: failed(message)
      case GST_MESSAGE_EOS:
        isRunning = false
        signal(.end(position: endPosition))
      case GST_MESSAGE_ASYNC_DONE: prepared()
      case GST_MESSAGE_STATE_CHANGED: stateChanged(message)
      case GST_MESSAGE_BUFFERING:
        var percent: gint = 0
        gst_message_parse_buffering(message, &percent)
        if !isLive { signal(.filled(Int(percent))) }
      case GST_MESSAGE_DURATION_CHANGED:
        if let duration = ask(gst_element_query_duration) { signal(.duration(duration)) }
      case GST_MESSAGE_CLOCK_LOST where isRunning:
        gst_element_set_state(pipeline, GST_STATE_PAUSED)
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
      case GST_MESSAGE_APPLICATION: ownMessage(cgst_message_name(message).map { String(cString: $0) })
      default: break
      }
    }

    private func ownMessage(_ name: String?) {
      switch name {
      case "frame": signal(.frame)
      case "refused": signal(.failure(.refusedSource))
      case "failed": signal(.failure(.other))
      default: break
      }
    }

    private func prepared() {
      if playback?.isReady == false {
        signal(.prepared(duration: ask(gst_element_query_duration), size: videoSize))
        if let startTime { seek(startTime) }
        startTime = nil
      }
    }

    private func stateChanged(_ message: UnsafeMutablePointer<GstMessage>) {
      guard cgst_is_from(message, pipeline) != 0 else { return }
      var new = GST_STATE_NULL
      gst_message_parse_state_changed(message, nil, &new, nil)
      if new == GST_STATE_PLAYING { signal(.running) }
    }

    private func failed(_ message: UnsafeMutablePointer<GstMessage>) {
      let factory = cgst_message_factory(message).map { String(cString: $0) }
      var failure = MediaFailure(message, isFromSource: factory == "souphttpsrc")
      failure.isSilent = clock.ageClock - movedAt >= Self.sourceTimeout
      failure.hasShown = playback?.hasShown ?? false
      signal(.failure(failure.kind))
    }

    private func askPosition() {
      guard playback?.hasShown == true, let now = ask(gst_element_query_position) else { return }
      if now != position { movedAt = clock.ageClock }
      position = now
      signal(.position(now))
      askBuffered()
    }

    /// How far the media is there, as the queue behind the source estimates it.
    private func askBuffered() {
      guard let duration = ask(gst_element_query_duration), let query = gst_query_new_buffering(GST_FORMAT_PERCENT)
      else { return }
      defer { gst_mini_object_unref(.init(OpaquePointer(query))) }
      guard gst_element_query(pipeline, query) != 0 else { return }
      var stop: gint64 = -1
      gst_query_parse_buffering_range(query, nil, nil, &stop, nil)
      // Parts of a million.
      if stop > 0 { signal(.buffered(min(1, Double(stop) / 1_000_000) * duration)) }
    }

    /// Where the media ended: at its end GStreamer tells the duration, which a cut file never reached.
    private var endPosition: Double {
      guard let end = ask(gst_element_query_position), end - position < 0.25 else { return position }
      return end
    }

    /// Seconds; nil when they are not known.
    private func ask(
      _ query: (UnsafeMutablePointer<GstElement>?, GstFormat, UnsafeMutablePointer<gint64>?) -> gboolean
    ) -> Double? {
      var time: gint64 = -1
      return query(pipeline, GST_FORMAT_TIME, &time) != 0 && time >= 0 ? Double(time) / 1e9 : nil
    }

    /// The size that the picture is to be shown at; nil without a picture.
    private var videoSize: AdSize? {
      guard let caps = cgst_video_caps(pipeline) else { return nil }
      defer { gst_mini_object_unref(.init(OpaquePointer(caps))) }
      guard let structure = gst_caps_get_structure(caps, 0) else { return nil }
      var (width, height): (gint, gint) = (0, 0)
      guard gst_structure_get_int(structure, "width", &width) != 0,
        gst_structure_get_int(structure, "height", &height) != 0, width > 0, height > 0
      else { return nil }
      var (numerator, denominator): (gint, gint) = (1, 1)
      gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator)
      let ratio = numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : 1
      return AdSize(width: (Double(width) * ratio).rounded(), height: Double(height))
    }
  }
#endif
