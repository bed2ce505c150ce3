#if os(Linux)
  import CGStreamer
  import Foundation
  import Hits

  /// Where a pipeline's pictures and sound go.
  struct MediaOutput: Sendable {
    /// Takes a picture on a thread of GStreamer; the pixels are BGRA and are there for the call only.
    typealias FrameHandler = @Sendable (_ pixels: UnsafeRawBufferPointer, _ width: Int, _ height: Int) -> Void

    /// The largest picture that is asked for, so that a large film is not converted in full for a small place.
    var largest = (width: 1_280, height: 720)
    /// Takes the pictures; nil for a clock that runs without a screen.
    var frames: FrameHandler?
    /// Whether sound is to be heard; where there is no device, a silent clock takes its place.
    var isAudible = true

    func makeVideoSink() -> UnsafeMutablePointer<GstElement>? {
      guard frames != nil else { return Self.silentSink() }
      guard let sink = gst_element_factory_make("appsink", nil) else { return nil }
      cgst_set_text(
        sink, "caps",
        "video/x-raw,format=BGRA,pixel-aspect-ratio=1/1,width=[2,\(largest.width)],height=[2,\(largest.height)]")
      for (name, value) in [
        ("max-buffers", "2"), ("drop", "true"), ("sync", "true"), ("emit-signals", "false"),
        ("enable-last-sample", "false"),
      ] { cgst_set_text(sink, name, value) }
      return sink
    }

    func makeAudioSink() -> UnsafeMutablePointer<GstElement>? {
      // `autoaudiosink` falls back by itself too, but complains at length, and a device may be there that does not open.
      guard isAudible, Self.hasSoundDevice else { return Self.silentSink() }
      return gst_element_factory_make("autoaudiosink", nil) ?? Self.silentSink()
    }

    /// Whether a sound card or a sound server is there.
    private static var hasSoundDevice: Bool {
      let environment = ProcessInfo.processInfo.environment
      let sockets = environment["XDG_RUNTIME_DIR"].map { [$0 + "/pulse/native", $0 + "/pipewire-0"] } ?? []
      return environment["PULSE_SERVER"] != nil
        || (["/dev/snd"] + sockets).contains { FileManager.default.fileExists(atPath: $0) }
    }

    private static func silentSink() -> UnsafeMutablePointer<GstElement>? {
      guard let sink = gst_element_factory_make("fakesink", nil) else { return nil }
      cgst_set_text(sink, "sync", "true")
      cgst_set_text(sink, "enable-last-sample", "false")
      return sink
    }
  }

  /// Hands a sink's pictures on.
  final class FrameTap: Sendable {
    private let handler: MediaOutput.FrameHandler?

    init(_ output: MediaOutput) { handler = output.frames }

    /// The tap must outlive the sink.
    func attach(to sink: UnsafeMutablePointer<GstElement>) {
      if handler != nil {
        cgst_sink_callbacks(sink, prerollArrived, sampleArrived, Unmanaged.passUnretained(self).toOpaque())
      }
    }

    fileprivate func take(_ sample: OpaquePointer) {
      guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
        let structure = gst_caps_get_structure(caps, 0)
      else { return }
      var (width, height): (gint, gint) = (0, 0)
      gst_structure_get_int(structure, "width", &width)
      gst_structure_get_int(structure, "height", &height)
      var info = GstMapInfo()
      guard gst_buffer_map(buffer, &info, GST_MAP_READ) != 0 else { return }
      defer { gst_buffer_unmap(buffer, &info) }
      let count = Int(width) * Int(height) * 4
      guard width > 0, height > 0, Int(info.size) >= count else { return }
      handler?(UnsafeRawBufferPointer(start: info.data, count: count), Int(width), Int(height))
    }
  }

  private typealias SinkCallback = @convention(c) (UnsafeMutablePointer<GstAppSink>?, gpointer?) -> GstFlowReturn

  private let prerollArrived: SinkCallback = { sink, context in taken(gst_app_sink_pull_preroll(sink), context) }
  private let sampleArrived: SinkCallback = { sink, context in taken(gst_app_sink_pull_sample(sink), context) }

  private func taken(_ sample: OpaquePointer?, _ context: gpointer?) -> GstFlowReturn {
    guard let sample, let context else { return GST_FLOW_OK }
    Unmanaged<FrameTap>.fromOpaque(context).takeUnretainedValue().take(sample)
    gst_mini_object_unref(.init(sample))
    return GST_FLOW_OK
  }
#endif
