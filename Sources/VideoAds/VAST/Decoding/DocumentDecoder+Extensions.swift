/// Extensions: kept as trees, and those with a meaning read a second time as what they mean (VA-303, VA-310).
extension DocumentDecoder {
  mutating func addExtensions(to list: inout [VAST.Extension], linked: inout LinkedExtensions) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      guard child == .extension else { continue }
      let start = self
      guard let item = extensionElement() else { continue }
      list.append(item)
      let name = item.type ?? item.element.attributes.first { $0.name.lowercased() == "name" }?.value ?? ""
      guard let meaning = LinkedExtensions.Meaning(rawValue: name.lowercased()) else { continue }
      let end = reader
      reader = start.reader
      addMeaning(meaning, to: &linked)
      reader = end
    }
  }

  mutating func addCreativeExtensions(to list: inout [VAST.Extension]) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      guard child == .creativeExtension, let item = extensionElement() else { continue }
      list.append(item)
    }
  }

  /// Reads the element that began last as an extension; nil when it is damaged or beyond the limit.
  private mutating func extensionElement() -> VAST.Extension? {
    let type = reader.attribute(.type)
    return tree().map { VAST.Extension(type: type, element: $0) }
  }

  private mutating func tree() -> VAST.Element? {
    var open = [node()]
    while true {
      switch reader.next() {
      case .start: open.append(node())
      case .text(let piece): open[open.count - 1].add(piece, in: reader.bytes)
      case .end:
        guard let node = open.popLast() else { return nil }
        let element = node.finished(in: reader.bytes)
        guard let parent = open.indices.last else { return node.isKept && !reader.isLost ? element : nil }
        if node.isKept { open[parent].element.children.append(element) }
      case .endOfInput: return nil
      }
    }
  }

  private mutating func node() -> OpenNode {
    extensionNodes -= 1
    if extensionNodes == -1 {
      reader.report("vast.cap", .warning, "Elements of extensions beyond the limit are not kept.")
    }
    return OpenNode(reader, isKept: extensionNodes >= 0)
  }

  private mutating func addMeaning(_ meaning: LinkedExtensions.Meaning, to linked: inout LinkedExtensions) {
    let depth = reader.depth
    let outer = LinkedExtensions.Link(creativeID: reader.attribute(.creativeID), mediaFileID: nil)
    var token = reader.next()
    while token != .endOfInput, reader.depth >= depth {
      if case .start(let name?) = token {
        var link = outer
        if let id = reader.attribute(.creativeID) { link.creativeID = id }
        link.mediaFileID = reader.attribute(.mediaFileID)
        switch (meaning, name) {
        case (.adVerifications, .verification): linked.verifications.append(verification())
        case (.universalAdID, .universalAdID): universalAdID().map { linked.universalAdIDs.append((link, $0)) }
        case (.icon, .icon): linked.icons.append((link, icon()))
        case (.interactiveFile, .interactiveCreativeFile):
          interactiveFile().map { linked.interactiveFiles.append((link, $0)) }
        case (.mezzanine, .mezzanine): mediaFile().map { linked.mezzanines.append((link, $0)) }
        default: break
        }
        if reader.depth < depth { return }
      }
      token = reader.next()
    }
  }
}

/// An extension's element while it is being read.
private struct OpenNode {
  var element: VAST.Element
  let isKept: Bool
  private var sections = XMLTextPieces()
  private var characters = XMLTextPieces()

  init(_ reader: XMLReader, isKept: Bool) {
    self.isKept = isKept
    func string(_ range: Range<Int>) -> String {
      String(decoding: reader.bytes[reader.localName(range)], as: UTF8.self)
    }
    element = VAST.Element(name: reader.open.last.map { string($0.name) } ?? "")
    element.attributes = reader.attributes.map {
      VAST.Element.Attribute(name: string($0.name), value: $0.value.string(in: reader.bytes))
    }
  }

  mutating func add(_ piece: XMLText, in bytes: [UInt8]) {
    if piece.isSection { sections.add(piece, in: bytes) } else { characters.add(piece, in: bytes) }
  }

  func finished(in bytes: [UInt8]) -> VAST.Element {
    var element = element
    element.text = sections.isBlank ? characters.string(in: bytes) : sections.string(in: bytes)
    return element
  }
}

/// What extensions add to an ad: parts that later versions have elements for.
struct LinkedExtensions {
  /// The types of extension that mean something, in small letters.
  enum Meaning: String {
    case adVerifications = "adverifications"
    case universalAdID = "universaladid"
    case icon
    case interactiveFile = "interactivecreativefile"
    case mezzanine
  }

  /// Which creative a part belongs to; without a link, the first linear one.
  struct Link {
    var creativeID: String?
    var mediaFileID: String?
  }

  var verifications: [VAST.Verification] = []
  var universalAdIDs: [(Link, VAST.UniversalAdID)] = []
  var icons: [(Link, VAST.Icon)] = []
  var interactiveFiles: [(Link, VAST.InteractiveFile)] = []
  var mezzanines: [(Link, VAST.MediaFile)] = []

  func apply(to ad: inout VAST.Ad) {
    ad.verifications += verifications
    for (link, id) in universalAdIDs {
      if let index = creative(for: link, in: ad) { ad.creatives[index].universalAdIDs.append(id) }
    }
    for (link, icon) in icons {
      if let index = creative(for: link, in: ad) { ad.creatives[index].linear?.icons.append(icon) }
    }
    for (link, file) in interactiveFiles {
      if let index = creative(for: link, in: ad) { ad.creatives[index].linear?.interactiveFiles.append(file) }
    }
    for (link, file) in mezzanines {
      if let index = creative(for: link, in: ad) { ad.creatives[index].linear?.mezzanines.append(file) }
    }
  }

  private func creative(for link: Link, in ad: VAST.Ad) -> Int? {
    if let id = link.creativeID, let index = ad.creatives.firstIndex(where: { $0.id == id || $0.adID == id }) {
      return index
    }
    if let id = link.mediaFileID,
      let index = ad.creatives.firstIndex(where: { $0.linear?.mediaFiles.contains { $0.id == id } ?? false })
    {
      return index
    }
    return ad.creatives.firstIndex { $0.linear != nil }
  }
}
