/// Creatives and linear media.
extension DocumentDecoder {
  mutating func addCreatives(to list: inout [VAST.Creative], errors: inout [String]) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      if child == .creative { list.append(creative(errors: &errors)) }
    }
  }

  private mutating func creative(errors: inout [String]) -> VAST.Creative {
    let depth = reader.depth
    var creative = VAST.Creative()
    creative.id = reader.attribute(.id)
    creative.adID = reader.attribute(.adID)
    creative.sequence = integer(.sequence)
    creative.apiFramework = reader.attribute(.apiFramework)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .universalAdID: universalAdID().map { creative.universalAdIDs.append($0) }
      case .linear: set(&creative.linear, to: linear(errors: &errors))
      case .nonLinearAds: set(&creative.nonLinearAds, to: nonLinearAds(errors: &errors))
      case .companionAds: set(&creative.companionAds, to: companionAds())
      case .creativeExtensions: addCreativeExtensions(to: &creative.extensions)
      default: continue
      }
    }
    return creative
  }

  mutating func universalAdID() -> VAST.UniversalAdID? {
    let registry = reader.attribute(.idRegistry)
    let value = reader.attribute(.idValue)
    let text = reader.text()
    let id = text.isEmpty ? value ?? "" : text
    return id.isEmpty ? nil : VAST.UniversalAdID(value: id, registry: registry ?? "unknown")
  }

  private mutating func linear(errors: inout [String]) -> VAST.Linear {
    let depth = reader.depth
    var linear = VAST.Linear()
    linear.skipOffset = offset(.skipOffset)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .duration: set(&linear.duration, to: time(reader.text()))
      case .mediaFiles: addMediaFiles(to: &linear)
      case .adParameters: set(&linear.adParameters, to: adParameters())
      case .trackingEvents:
        addTracking(to: &linear.tracking, in: .linear)
        moveErrors(from: &linear.tracking, to: &errors)
      case .videoClicks: addClicks(to: &linear)
      case .icons: addIcons(to: &linear.icons)
      // Some servers put these outside MediaFiles.
      case .interactiveCreativeFile: interactiveFile().map { linear.interactiveFiles.append($0) }
      default: continue
      }
    }
    return linear
  }

  private mutating func addMediaFiles(to linear: inout VAST.Linear) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .mediaFile:
        guard let file = mediaFile() else { continue }
        if linear.mediaFiles.count < reader.limits.mediaFiles {
          linear.mediaFiles.append(file)
        } else {
          reader.reportCap("Media files", reader.limits.mediaFiles, of: " of a creative")
        }
      case .mezzanine: mediaFile().map { linear.mezzanines.append($0) }
      case .interactiveCreativeFile: interactiveFile().map { linear.interactiveFiles.append($0) }
      case .closedCaptionFiles: addCaptions(to: &linear.captionFiles)
      default: continue
      }
    }
  }

  mutating func mediaFile() -> VAST.MediaFile? {
    let delivery = reader.attribute(.delivery)?.lowercased()
    let type = reader.attribute(.type)
    var file = VAST.MediaFile(
      url: "", id: reader.attribute(.id), type: type.flatMap(DocumentValue.mimeType),
      isStreaming: delivery.map { $0 == "streaming" }, width: integer(.width), height: integer(.height),
      codec: reader.attribute(.codec), bitrate: integer(.bitrate), minBitrate: integer(.minBitrate),
      maxBitrate: integer(.maxBitrate), isScalable: boolean(.scalable),
      keepsAspectRatio: boolean(.maintainAspectRatio), fileSize: integer(.fileSize),
      mediaType: reader.attribute(.mediaType), apiFramework: reader.attribute(.apiFramework))
    file.url = reader.text()
    if file.url.isEmpty { return nil }
    if file.type == nil { file.type = DocumentValue.typeByPath(file.url) }
    if file.isStreaming == nil { reportMissing("A media file's delivery") }
    if file.width == nil || file.height == nil { reportMissing("A media file's size") }
    return file
  }

  mutating func interactiveFile() -> VAST.InteractiveFile? {
    let depth = reader.depth
    let start = reader
    let file = VAST.InteractiveFile(
      source: .url(""), type: reader.attribute(.type), apiFramework: reader.attribute(.apiFramework),
      hasVariableDuration: boolean(.variableDuration) ?? false, mediaFileID: reader.attribute(.mediaFileID))
    let url = reader.text()
    let end = reader
    reader = start
    var html: String?
    var parameters: String?
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .htmlResource: setText(&html)
      case .adParameters: set(&parameters, to: adParameters())
      default: continue
      }
    }
    reader = end
    guard let source = html.map(VAST.InteractiveFile.Source.html) ?? (url.isEmpty ? nil : .url(url)) else { return nil }
    var copy = file
    copy.source = source
    copy.adParameters = parameters
    return copy
  }

  private mutating func addCaptions(to list: inout [VAST.CaptionFile]) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      guard child == .closedCaptionFile else { continue }
      let type = reader.attribute(.type)
      let language = reader.attribute(.language)
      let url = reader.text()
      if !url.isEmpty { list.append(VAST.CaptionFile(url: url, type: type, language: language)) }
    }
  }

  /// Reads parameters; a blank text is one, unlike elsewhere.
  mutating func adParameters() -> String {
    let isEncoded = boolean(.xmlEncoded) ?? false
    let text = reader.text()
    guard isEncoded, text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    return XMLText(range: bytes.indices, kind: .characters, isPlain: false).string(in: bytes)
  }

  private mutating func addClicks(to linear: inout VAST.Linear) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .clickThrough: setLink(&linear.clickThrough)
      case .clickTracking: addLink(to: &linear.clickTrackings)
      case .customClick: addLink(to: &linear.customClicks)
      default: continue
      }
    }
  }

  mutating func addTracking(to list: inout [VAST.Tracking], in context: VAST.TrackingEvent.Context) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      guard child == .tracking else { continue }
      let event = VAST.TrackingEvent.named(reader.attribute(.event) ?? "", in: context)
      let id = reader.attribute(.id)
      let offset = event == .progress ? offset(.offset) : nil
      let url = reader.text()
      if url.isEmpty { continue }
      if event == .progress, offset == nil {
        reader.report("vast.time", .warning, "A progress tracker without a readable offset is dropped.")
      } else if list.count < reader.limits.tracking {
        list.append(VAST.Tracking(event: event, url: url, offset: offset, id: id))
      } else if list.count == reader.limits.tracking {
        reader.reportCap("Trackers", reader.limits.tracking, of: " of a creative")
      }
    }
  }

  /// Makes trackers of the event `error` further `Error` URLs of the ad (VA-316).
  mutating func moveErrors(from tracking: inout [VAST.Tracking], to errors: inout [String]) {
    guard tracking.contains(where: { $0.event == .error }) else { return }
    errors += tracking.filter { $0.event == .error }.map(\.url)
    tracking.removeAll { $0.event == .error }
  }
}
