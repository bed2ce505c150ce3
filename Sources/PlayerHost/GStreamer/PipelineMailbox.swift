#if os(Linux)
  import CGStreamer
  import Hits

  /// What a pipeline's thread waits on: its bus, which also wakes it for the commands put here.
  final class PipelineMailbox: Sendable {
    /// GObjects count their references atomically, and the calls made on these are thread-safe.
    struct Objects: @unchecked Sendable {
      let pipeline: UnsafeMutablePointer<GstElement>
      let bus: UnsafeMutablePointer<GstBus>
      let frames: FrameTap
    }

    private struct State {
      var commands: [MediaPipeline.Command] = []
      var isFileAllowed = false
      var isFrameAwaited = false
    }

    let objects: Objects
    private let state = Locked(State())

    private init(_ objects: Objects) { self.objects = objects }

    /// Builds the pipeline of an output; nil when an element is not installed.
    static func make(_ output: MediaOutput) -> PipelineMailbox? {
      GStreamer.start()
      guard let pipeline = gst_element_factory_make("playbin", nil), let video = output.makeVideoSink(),
        let audio = output.makeAudioSink(), let bus = gst_element_get_bus(pipeline)
      else { return nil }
      gst_object_ref_sink(pipeline)
      cgst_set_object(pipeline, "video-sink", video)
      cgst_set_object(pipeline, "audio-sink", audio)
      // No subtitles and no visualisation of sound: only what an ad owes.
      cgst_set_text(pipeline, "flags", "audio+video+soft-volume+deinterlace")
      // The bus stays open without media: commands come through it.
      cgst_keep_bus(pipeline)
      let mailbox = PipelineMailbox(Objects(pipeline: pipeline, bus: bus, frames: FrameTap(output)))
      mailbox.watch(video)
      return mailbox
    }

    deinit {
      gst_element_set_state(objects.pipeline, GST_STATE_NULL)
      cgst_unref(objects.bus)
      cgst_unref(objects.pipeline)
    }

    private func watch(_ sink: UnsafeMutablePointer<GstElement>) {
      // The pipeline, and with it every caller of these handlers, ends before the mailbox does.
      let context = Unmanaged.passUnretained(self).toOpaque()
      cgst_connect(objects.pipeline, "deep-element-added", unsafeBitCast(elementAdded, to: GCallback.self), context)
      if let pad = gst_element_get_static_pad(sink, "sink") {
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, bufferArrived, context, nil)
        cgst_unref(pad)
      }
      objects.frames.attach(to: sink)
    }

    func put(_ command: MediaPipeline.Command) {
      state.withLock { $0.commands.append(command) }
      post("wake")
    }

    func takeCommands() -> [MediaPipeline.Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Says what the next load is: whether files may be read, and that its first picture is to be told.
    func expect(isFileAllowed: Bool) {
      state.withLock { state in
        state.isFileAllowed = isFileAllowed
        state.isFrameAwaited = true
      }
    }

    fileprivate func frameArrived() {
      let isFirst = state.withLock { state in
        defer { state.isFrameAwaited = false }
        return state.isFrameAwaited
      }
      if isFirst { post("frame") }
    }

    /// Keeps everything from reading that is not an HTTP client: manifests name what they like (VA-1402, VA-1110).
    fileprivate func added(_ element: UnsafeMutablePointer<GstElement>) {
      guard cgst_is_source(element) != 0 else { return }
      let name = cgst_factory_name(element).map { String(cString: $0) }
      if name == "souphttpsrc" { return }
      if name == "filesrc" {
        if state.withLock({ $0.isFileAllowed }) { return }
        // A demuxer that goes on to its next part compares this one's URL with that: there must be one.
        cgst_set_string(element, "location", "/dev/null")
      }
      cgst_block(element)
      post("refused")
    }

    private func post(_ name: String) {
      gst_bus_post(objects.bus, gst_message_new_application(nil, gst_structure_new_empty(name)))
    }
  }

  private let elementAdded:
    @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void = {
      _, _, element, context in
      guard let element, let context else { return }
      Unmanaged<PipelineMailbox>.fromOpaque(context).takeUnretainedValue().added(element)
    }

  private let bufferArrived:
    @convention(c) (UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstPadProbeInfo>?, gpointer?) ->
      GstPadProbeReturn = {
        _, _, context in
        if let context { Unmanaged<PipelineMailbox>.fromOpaque(context).takeUnretainedValue().frameArrived() }
        return GST_PAD_PROBE_OK
      }
#endif
