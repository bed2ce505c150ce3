/// Turns the reader's tokens into values: one method an element, each reading exactly that element.
///
/// The methods follow the grammar of VA-308, so they nest as deep as that and no deeper, whatever the input.
struct DocumentDecoder {
  var reader: XMLReader
  /// How many elements of extensions may still be kept (VA-303).
  var extensionNodes: Int
  /// Whether a playlist may be the document; inside of a playlist it may not, so that none is inside of itself.
  let allowsPlaylist: Bool

  init(reader: XMLReader, allowsPlaylist: Bool = true) {
    self.reader = reader
    self.allowsPlaylist = allowsPlaylist
    extensionNodes = reader.limits.extensionNodes
  }

  mutating func document() -> VASTReadResult.Content {
    guard case .start(let root) = reader.next() else { return .failure(VAST.Failure(reader.failure ?? .malformed)) }
    switch root {
    case .vast:
      switch vast() {
      case .success(let document): return .vast(document)
      case .failure(let failure): return .failure(failure)
      }
    case .vmap where allowsPlaylist:
      switch vmap() {
      case .success(let document): return .vmap(document)
      case .failure(let failure): return .playlistFailure(failure)
      }
    case .videoAdServingTemplate: return .failure(outdated())
    default:
      reader.report("vast.root", .error, "The root element is neither VAST nor VMAP.")
      return .failure(VAST.Failure(.invalidStructure))
    }
  }

  mutating func outdated() -> VAST.Failure {
    reader.report("vast.version", .error, "VAST 1 is not supported.")
    return VAST.Failure(.unsupportedVersion)
  }

  /// Reads the element VAST.
  mutating func vast() -> Result<VAST.Document, VAST.Failure> {
    let depth = reader.depth
    var document = VAST.Document(version: reader.attribute(.version))
    let isSupported = isSupported(document.version)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .ad:
        let ad = ad()
        if document.ads.count < reader.limits.ads {
          document.ads.append(ad)
        } else if document.ads.count == reader.limits.ads {
          reader.reportCap("Ads", reader.limits.ads)
        }
      case .error: addURL(to: &document.errors)
      default: continue
      }
    }
    if let code = reader.failure { return .failure(VAST.Failure(code, errors: document.errors)) }
    if !isSupported { return .failure(VAST.Failure(.unsupportedVersion, errors: document.errors)) }
    if reader.isTruncated, !document.ads.contains(where: { $0.content != .unusable(.malformed) }) {
      let lost = document.ads.flatMap(\.errors)
      return .failure(VAST.Failure(.malformed, errors: lost + document.errors))
    }
    return .success(document)
  }

  /// Whether the version is one of 2 to 4, or cannot be read (VA-301).
  private mutating func isSupported(_ version: String?) -> Bool {
    guard let major = version.flatMap(DocumentValue.major) else {
      reader.report("vast.version", .warning, "The version is missing or unreadable; every version's elements count.")
      return true
    }
    guard 2...4 ~= major else {
      reader.report("vast.version", .error, "The version is not supported.")
      return false
    }
    return true
  }
}

/// Single values: the first that is not blank counts (VA-305, VA-307).
extension DocumentDecoder {
  mutating func setText(_ field: inout String?) {
    let text = reader.text()
    if text.isEmpty { return }
    if field == nil { field = text } else { reportDuplicate() }
  }

  mutating func addURL(to list: inout [String]) {
    let url = reader.text()
    if !url.isEmpty { list.append(url) }
  }

  mutating func addLink(to list: inout [VAST.Link]) {
    let id = reader.attribute(.id)
    let url = reader.text()
    if !url.isEmpty { list.append(VAST.Link(url, id: id)) }
  }

  mutating func setLink(_ field: inout VAST.Link?) {
    var links: [VAST.Link] = []
    addLink(to: &links)
    guard let link = links.first else { return }
    if field == nil { field = link } else { reportDuplicate() }
  }

  mutating func set<Part>(_ field: inout Part?, to part: Part?) {
    guard let part else { return }
    if field == nil { field = part } else { reportDuplicate() }
  }

  mutating func reportDuplicate() {
    reader.report("vast.duplicate", .warning, "An element that may occur once occurs again; the first counts.")
  }

  mutating func reportMissing(_ what: String) {
    reader.report("vast.missing", .note, "\(what) is missing.")
  }
}

/// Attributes of the element that began last.
extension DocumentDecoder {
  func integer(_ name: DocumentName) -> Int? { reader.attribute(name).flatMap(DocumentValue.integer) }

  func boolean(_ name: DocumentName) -> Bool? { reader.attribute(name).flatMap(DocumentValue.boolean) }

  mutating func time(_ name: DocumentName) -> Int64? { reader.attribute(name).flatMap { time($0) } }

  /// A time in milliseconds; what is unusual or unreadable is reported (VA-311).
  mutating func time(_ text: String) -> Int64? {
    guard let time = DocumentValue.time(text) else {
      reader.report("vast.time", .warning, "A time cannot be read.")
      return nil
    }
    if time.isUnusual { reader.report("vast.time", .note, "Minutes or seconds count beyond 59.") }
    return time.milliseconds
  }

  mutating func offset(_ name: DocumentName) -> VAST.TimeOffset? {
    guard let text = reader.attribute(name) else { return nil }
    if let fraction = DocumentValue.fraction(text) { return .fraction(fraction) }
    return time(text).map { .milliseconds($0) }
  }
}
