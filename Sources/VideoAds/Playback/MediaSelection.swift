/// What a player can play (VA-1300).
public struct AdPlayerCapabilities: Sendable, Hashable, Codable {
  /// MIME types, the preferred first; one that ends in `/*` stands for all of its kind.
  public var mimeTypes: [String]
  /// How many ads it can hold at once, 1 or 2.
  public var slots: Int
  /// Whether it prefers streams over files.
  public var prefersAdaptive: Bool
  /// The bandwidth in kbit/s; nil when it is not known.
  public var bandwidth: Double?

  /// Makes capabilities.
  public init(mimeTypes: [String], slots: Int = 1, prefersAdaptive: Bool = false, bandwidth: Double? = nil) {
    self.mimeTypes = mimeTypes
    self.slots = slots
    self.prefersAdaptive = prefersAdaptive
    self.bandwidth = bandwidth
  }

  /// The place of a type among the preferred ones; nil when it does not play.
  func preference(of type: String) -> Int? {
    mimeTypes.firstIndex { own in
      own.hasSuffix("/*") ? type.hasPrefix(own.dropLast()) : own.lowercased() == type
    }
  }
}

/// Chooses among the files of a linear creative (VA-600 to VA-602).
struct MediaSelection: Sendable {
  /// A file, with why it is not played; nil when it may be.
  struct Choice: Sendable, Hashable {
    let file: VAST.MediaFile
    let objection: String?
  }

  var capabilities: AdPlayerCapabilities
  /// The types the app allows; empty for all.
  var allowedTypes: [String] = []
  /// kbit/s; −1 for automatic.
  var bitrate = -1
  var container: AdSize?
  var pixelRatio = 1.0
  var adType = VAST.Ad.Kind.video

  /// All files, those that may play first and best first, then the others in the document's order.
  func choices(of linear: VAST.Linear) -> [Choice] {
    let all = linear.mediaFiles.map { Choice(file: $0, objection: objection(to: $0)) }
    let playable = all.enumerated().filter { $0.element.objection == nil }
    let ranked = playable.map { (Rank(self, $0.element.file, linear.duration, index: $0.offset), $0.element) }
    return ranked.sorted { $0.0 < $1.0 }.map(\.1) + all.filter { $0.objection != nil }
  }

  /// The files that may play, best first; or the code of having none (VA-600).
  func candidates(of linear: VAST.Linear, isConditional: Bool) -> Result<[VAST.MediaFile], VASTErrorCode> {
    let files = choices(of: linear).filter { $0.objection == nil }.map(\.file)
    guard files.isEmpty else { return .success(files) }
    return .failure(isConditional && Self.hasExecutable(linear) ? .conditionalRejected : .noPlayableMedia)
  }

  /// Whether a part of the creative would have to be run.
  static func hasExecutable(_ linear: VAST.Linear) -> Bool {
    !linear.interactiveFiles.isEmpty || linear.mediaFiles.contains(where: isVPAID)
  }

  private static func isVPAID(_ file: VAST.MediaFile) -> Bool { file.apiFramework?.lowercased() == "vpaid" }

  private func objection(to file: VAST.MediaFile) -> String? {
    if Self.isVPAID(file) { return "VPAID is not run" }
    guard let type = file.type else { return "type unknown" }
    if type.contains("flash") || type == "video/x-flv" { return "Flash is not played" }
    if capabilities.preference(of: type) == nil { return "type not playable" }
    if !allowedTypes.isEmpty, !allowedTypes.contains(where: { DocumentValue.mimeType($0) == type }) {
      return "type not allowed"
    }
    if let mediaType = file.mediaType, mediaType.lowercased() != "2d" { return "not two-dimensional" }
    if type.hasPrefix("audio/"), adType == .video { return "audio not asked for" }
    return AdURL.isFetchable(file.url) ? nil : "URL refused"
  }

  /// The most kbit/s to play (VA-601).
  private var limit: Double {
    if bitrate > 0 { return Double(bitrate) }
    if let bandwidth = capabilities.bandwidth { return bandwidth * 0.8 }
    return (container?.width ?? 0) <= 1_280 ? 2_500 : 5_000
  }

  /// kbit/s of a file; nil when it is not known.
  static func bitrate(of file: VAST.MediaFile, duration: Int64?) -> Double? {
    if let bitrate = file.bitrate, bitrate > 0 { return Double(bitrate) }
    switch (file.minBitrate, file.maxBitrate) {
    case (let least?, let most?): return Double(least + most) / 2
    case (let only?, nil), (nil, let only?): return Double(only)
    default: break
    }
    guard let size = file.fileSize, let duration, duration > 0 else { return nil }
    return Double(size) * 8 / Double(duration)
  }

  /// What orders the playable files: lower comes first.
  private struct Rank: Comparable {
    let key: [Double]

    init(_ selection: MediaSelection, _ file: VAST.MediaFile, _ duration: Int64?, index: Int) {
      let limit = selection.limit
      let isManifest = file.type == "application/vnd.apple.mpegurl" || file.type == "application/dash+xml"
      var group: Double
      var distance: Double
      if isManifest {
        (group, distance) = selection.capabilities.prefersAdaptive ? (0, -1) : (2, 0)
      } else if let bitrate = MediaSelection.bitrate(of: file, duration: duration) {
        (group, distance) = bitrate <= limit ? (0, limit - bitrate) : (3, bitrate)
      } else {
        (group, distance) = (1, 0)
      }
      var misfit: [Double] = [0, 0]
      if let container = selection.container {
        misfit = [
          abs(Double(file.width ?? 0) - container.width * selection.pixelRatio),
          abs(Double(file.height ?? 0) - container.height * selection.pixelRatio),
        ]
      }
      let preference = file.type.flatMap(selection.capabilities.preference) ?? .max
      key = [group, distance] + misfit + [Double(preference), Double(index)]
    }

    static func < (left: Rank, right: Rank) -> Bool { left.key.lexicographicallyPrecedes(right.key) }
  }
}
