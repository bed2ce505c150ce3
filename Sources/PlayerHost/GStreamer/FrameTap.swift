#if os(Linux)
  import CGStreamer

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
