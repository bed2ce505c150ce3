#if os(Linux)
  import CGStreamer
  import VideoAds

  /// What GStreamer says of a failure, and what it means to an ad (VA-1102, VA-1110).
  ///
  /// The table was found by playing broken media: the codes do not say it by themselves.
  struct MediaFailure: Sendable, Hashable {
    /// Whose list the code is of.
    enum Domain: String, Sendable, Hashable {
      case core = "gst-core-error-quark"
      case library = "gst-library-error-quark"
      case resource = "gst-resource-error-quark"
      case stream = "gst-stream-error-quark"
      case other
    }

    var domain: Domain
    var code: Int
    /// The status that a server gave; nil where none was seen.
    var httpStatus: Int?
    /// Whether the element that fetches says it, and not one behind it.
    var isFromSource: Bool
    /// Whether nothing came from the server for as long as the source waits.
    var isSilent = false
    /// Whether a frame was shown before.
    var hasShown = false

    var kind: PlayerFailure {
      if let httpStatus, httpStatus >= 400 { return [403, 404, 410].contains(httpStatus) ? .notFound : .server }
      if isFromSource { return isSilent ? .timedOut : hasShown ? .decode : .notFound }
      switch domain {
      case .core: return [Code.missingPlugin, Code.negotiation, Code.caps].contains(code) ? .unsupported : .other
      case .resource: return Code.outputs.contains(code) ? .output : .other
      case .stream:
        switch code {
        case Code.typeNotFound, Code.wrongType, Code.codecNotFound, Code.format, Code.decrypt, Code.decryptNoKey:
          return .unsupported
        // What a demuxer calls a failed stream is media that it cannot follow.
        case Code.failed, Code.decode, Code.demux: return .decode
        default: return .other
        }
      case .library, .other: return .other
      }
    }

    /// The numbers of gsterror.h.
    private enum Code {
      static let failed = Int(GST_STREAM_ERROR_FAILED.rawValue)
      static let typeNotFound = Int(GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue)
      static let wrongType = Int(GST_STREAM_ERROR_WRONG_TYPE.rawValue)
      static let codecNotFound = Int(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue)
      static let decode = Int(GST_STREAM_ERROR_DECODE.rawValue)
      static let demux = Int(GST_STREAM_ERROR_DEMUX.rawValue)
      static let format = Int(GST_STREAM_ERROR_FORMAT.rawValue)
      static let decrypt = Int(GST_STREAM_ERROR_DECRYPT.rawValue)
      static let decryptNoKey = Int(GST_STREAM_ERROR_DECRYPT_NOKEY.rawValue)
      static let missingPlugin = Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue)
      static let negotiation = Int(GST_CORE_ERROR_NEGOTIATION.rawValue)
      static let caps = Int(GST_CORE_ERROR_CAPS.rawValue)
      static let outputs = [
        GST_RESOURCE_ERROR_BUSY, GST_RESOURCE_ERROR_OPEN_WRITE, GST_RESOURCE_ERROR_OPEN_READ_WRITE,
        GST_RESOURCE_ERROR_WRITE,
      ].map { Int($0.rawValue) }
    }
  }

  extension MediaFailure {
    /// Reads an error message of a pipeline's bus; takes nothing of it.
    init(_ message: UnsafeMutablePointer<GstMessage>, isFromSource: Bool) {
      var error: UnsafeMutablePointer<GError>?
      gst_message_parse_error(message, &error, nil)
      defer { if let error { g_error_free(error) } }
      domain =
        error.flatMap { g_quark_to_string($0.pointee.domain) }.flatMap { Domain(rawValue: String(cString: $0)) }
        ?? .other
      code = error.map { Int($0.pointee.code) } ?? 0
      var details: UnsafePointer<GstStructure>?
      gst_message_parse_error_details(message, &details)
      var status: guint = 0
      if let details, gst_structure_get_uint(details, "http-status-code", &status) != 0 { httpStatus = Int(status) }
      self.isFromSource = isFromSource
    }
  }
#endif
