/// Playlists (VA-309).
extension DocumentDecoder {
  /// Reads the element VMAP.
  mutating func vmap() -> Result<VMAP.Document, VMAP.Failure> {
    let depth = reader.depth
    var document = VMAP.Document(version: reader.attribute(.version))
    let major = document.version?.prefix { $0 != "." }
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .adBreak:
        let adBreak = adBreak()
        if document.breaks.count < reader.limits.breaks {
          document.breaks.append(adBreak)
        } else if document.breaks.count == reader.limits.breaks {
          reader.reportCap("Breaks", reader.limits.breaks)
        }
      case .extensions: addPlainExtensions(to: &document.extensions)
      default: continue
      }
    }
    if let major, major != "1" {
      reader.report("vmap.version", .error, "The version is not supported.")
      return .failure(VMAP.Failure(.unsupportedVersion))
    }
    let isUsable = document.breaks.contains { $0.rejection != .malformed }
    if reader.failure != nil || reader.isTruncated && !isUsable { return .failure(VMAP.Failure(.malformed)) }
    return .success(document)
  }

  private mutating func adBreak() -> VMAP.AdBreak {
    let depth = reader.depth
    var item = VMAP.AdBreak()
    item.id = reader.attribute(.breakID)
    let types = reader.attribute(.breakType).map { DocumentValue.items($0.lowercased()) } ?? []
    item.types = types.isEmpty ? ["linear"] : types
    let offset = reader.attribute(.timeOffset)
    item.offset = offset.flatMap { breakOffset($0) }
    if item.offset == nil {
      item.rejection = offset == nil ? .invalidStructure : .malformed
      reader.report("vmap.offset", .error, "The break's timeOffset is missing or cannot be read.")
    }
    item.repeatAfter = repeatAfter(item.offset)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .adSource: set(&item.source, to: adSource())
      case .trackingEvents: addTracking(to: &item.tracking, in: .linear)
      case .extensions: addPlainExtensions(to: &item.extensions)
      default: continue
      }
    }
    if reader.isLost {
      item.rejection = .malformed
    } else if item.source?.content == .missing, item.rejection == nil {
      item.rejection = .invalidStructure
    }
    return item
  }

  /// When a break is due; nil when it cannot be read (VA-501).
  private mutating func breakOffset(_ text: String) -> VMAP.Offset? {
    switch text.lowercased() {
    case "start": return .start
    case "end": return .end
    default: break
    }
    if text.hasPrefix("#") {
      return DocumentValue.integer(String(text.dropFirst())).flatMap { $0 > 0 ? .opportunity($0) : nil }
    }
    if let fraction = DocumentValue.fraction(text) {
      return fraction == 0 ? .start : fraction == 1 ? .end : .fraction(fraction)
    }
    return time(text).map { $0 == 0 ? .start : .time($0) }
  }

  /// The time to the next repetition, only in the form `HH:MM:SS[.mmm]` and at least a second (VA-541).
  private mutating func repeatAfter(_ offset: VMAP.Offset?) -> Int64? {
    guard reader.attributes.contains(where: { $0.known == .repeatAfter }) else { return nil }
    let text = reader.attribute(.repeatAfter) ?? ""
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isStrict =
      parts.count == 3 && parts[0].utf8.count == 2 && parts[1].utf8.count == 2
      && parts[2].prefix { $0 != "." }.utf8.count == 2
    if isStrict, let time = DocumentValue.time(text), !time.isUnusual, time.milliseconds >= 1_000, offset != .end {
      return time.milliseconds
    }
    reader.report("vmap.repeatAfter", .warning, "The break's repeatAfter does not count.")
    return nil
  }

  private mutating func adSource() -> VMAP.AdSource {
    let depth = reader.depth
    var source = VMAP.AdSource()
    source.id = reader.attribute(.id)
    source.allowsMultipleAds = boolean(.allowMultipleAds) ?? true
    source.followsRedirects = boolean(.followRedirects) ?? true
    while let child = reader.nextChild(of: depth) {
      let template = reader.attribute(.templateType)
      var content: VMAP.AdSource.Content?
      switch child {
      case .vastAdData, .vastData: content = vastAdData()
      case .adTagURI:
        let url = reader.text()
        content = url.isEmpty ? nil : .adTag(url, template: template)
      case .customAdData: content = .custom(template: template)
      default: continue
      }
      guard let content else { continue }
      if source.content == .missing { source.content = content } else { reportDuplicate() }
    }
    return source
  }

  /// Reads ads that stand in the playlist, as elements or as text.
  private mutating func vastAdData() -> VMAP.AdSource.Content {
    let depth = reader.depth
    let start = reader
    var content: VMAP.AdSource.Content?
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .vast:
        switch vast() {
        case .success(let document): content = content ?? .document(document)
        case .failure(let failure): content = content ?? .unreadable(failure)
        }
      case .videoAdServingTemplate: content = content ?? .unreadable(outdated())
      default: continue
      }
    }
    if let content { return content }
    let end = reader
    reader = start
    let text = reader.text()
    reader = end
    guard !text.isEmpty else { return .unreadable(VAST.Failure(.malformed)) }
    let inner = VASTReader.read(text: text, limits: reader.limits, allowsPlaylist: false)
    reader.log.add(contentsOf: inner.diagnostics)
    switch inner.content {
    case .vast(let document): return .document(document)
    case .failure(let failure): return .unreadable(failure)
    case .vmap, .playlistFailure: return .unreadable(VAST.Failure(.invalidStructure))
    }
  }

  private mutating func addPlainExtensions(to list: inout [VAST.Extension]) {
    var linked = LinkedExtensions()
    addExtensions(to: &list, linked: &linked)
  }
}
