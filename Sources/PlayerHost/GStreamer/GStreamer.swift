#if os(Linux)
  import CGStreamer

  /// The library, started once a process.
  enum GStreamer {
    private static let started: Void = gst_init(nil, nil)

    static func start() { _ = started }

    /// Whether an element of a name is installed.
    static func has(_ name: String) -> Bool {
      start()
      guard let factory = gst_element_factory_find(name) else { return false }
      cgst_unref(UnsafeMutableRawPointer(factory))
      return true
    }

    /// The MIME types that the installed elements play, the preferred first.
    static var playableTypes: [String] {
      let table: [(type: String, needs: [[String]])] = [
        ("video/mp4", [["qtdemux"], ["avdec_h264", "openh264dec"]]),
        ("video/webm", [["matroskademux"], ["vp9dec", "avdec_vp9"]]),
        ("application/vnd.apple.mpegurl", [["hlsdemux"], ["tsdemux"], ["avdec_h264", "openh264dec"]]),
        ("application/x-mpegurl", [["hlsdemux"], ["tsdemux"], ["avdec_h264", "openh264dec"]]),
        ("application/dash+xml", [["dashdemux"], ["qtdemux"], ["avdec_h264", "openh264dec"]]),
        ("video/quicktime", [["qtdemux"], ["avdec_h264", "openh264dec"]]),
        ("video/ogg", [["oggdemux"], ["theoradec", "avdec_theora"]]),
        ("audio/mp4", [["qtdemux"], ["avdec_aac", "faad"]]),
        ("audio/mpeg", [["mpegaudioparse"], ["mpg123audiodec", "avdec_mp3"]]),
        ("audio/ogg", [["oggdemux"], ["vorbisdec", "opusdec"]]),
        ("audio/webm", [["matroskademux"], ["opusdec", "vorbisdec"]]),
      ]
      return table.filter { $0.needs.allSatisfy { $0.contains(where: has) } }.map(\.type)
    }
  }
#endif
