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
#endif
