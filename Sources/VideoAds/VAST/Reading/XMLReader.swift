/// Reads markup as ad servers send it, token by token: one pass over UTF-8 bytes, no recursion, no tree (VA-320, VA-331).
///
///     document   = leading? (declaration | comment | instruction | doctype | blank)* element trailing?
///     element    = start tag (text | CDATA section | comment | instruction | element)* end tag
///     start tag  = "<" name (blank name "=" value)* "/"? ">"
///
/// What is not well-formed is mended, and each repair becomes a diagnostic. An element whose end tag is missing is
/// closed by the end tag around it; an ad or break that this happens in is *lost*: from there on nothing of it is
/// delivered, and its end says so (`isLost`). The reader is total: every input ends in `endOfInput`.
struct XMLReader: Sendable {
  enum Token: Sendable, Hashable {
    /// An element begins; nil for a name without meaning here. Its attributes are in `attributes`.
    case start(DocumentName?)
    case text(XMLText)
    /// The innermost element ended.
    case end
    /// Nothing follows: the root ended, the input did, or the document failed.
    case endOfInput
  }

  let bytes: [UInt8]
  let limits: VASTLimits

  /// The attributes of the element that began last.
  var attributes: [XMLAttribute] = []
  /// The elements begun and not ended.
  var open: [OpenElement] = []
  /// Whether the element that ended last lost something: for an ad or break itself, for an opaque element its content.
  var isLost = false
  /// Why nothing of the document counts; nil as long as something may.
  var failure: VASTErrorCode?
  /// Whether the input ended before the root did.
  var isTruncated = false
  var log = DiagnosticLog()

  var position = 0
  var isFinished = false
  /// While elements are being closed without an end tag of their own: how many stay open.
  var closing: Int?
  /// The index of the outermost open element that is lost.
  var lostIndex: Int?
  var elementCount = 0
  /// Namespace prefixes declared by open elements; with more of them than anybody declares, none is checked.
  var prefixes: [Range<Int>] = []
  /// Namespace prefixes reported as not declared.
  var strayPrefixes: [Range<Int>] = []

  /// Makes a reader of UTF-8 bytes.
  init(_ bytes: [UInt8], limits: VASTLimits = .standard) {
    self.bytes = bytes
    self.limits = limits
    open.reserveCapacity(16)
    attributes.reserveCapacity(16)
    skipLeading()
  }

  /// How many elements are open: the depth of the element that began last.
  var depth: Int { open.count }

  mutating func next() -> Token {
    while true {
      if let target = closing {
        if open.count > target {
          if pop() { return .end }
          continue
        }
        closing = nil
      }
      if isFinished { return .endOfInput }
      guard position < bytes.count else {
        truncate()
        continue
      }
      if isMarkup(at: position) {
        if let token = readMarkup() { return token }
      } else {
        let text = readCharacters()
        if isDelivering { return .text(text) }
      }
    }
  }

  /// Goes to the next child with a meaning of the element at a depth, skipping what is left of the child before.
  ///
  /// Nil at the element's end.
  mutating func nextChild(of parent: Int) -> DocumentName? {
    while true {
      switch next() {
      case .start(let name?) where open.count == parent + 1: return name
      case .end where open.count < parent: return nil
      case .endOfInput: return nil
      default: continue
      }
    }
  }

  /// Reads to the end of the element that began last and gives its text (VA-304).
  ///
  /// The text is that of its CDATA sections when one of them is not blank, else its characters; trimmed, and without
  /// those of children.
  mutating func text() -> String {
    let depth = open.count
    var sections = XMLTextPieces()
    var characters = XMLTextPieces()
    while true {
      switch next() {
      case .text(let piece) where open.count == depth:
        if piece.isSection { sections.add(piece, in: bytes) } else { characters.add(piece, in: bytes) }
      case .end where open.count < depth, .endOfInput:
        return sections.isBlank ? characters.string(in: bytes) : sections.string(in: bytes)
      default: continue
      }
    }
  }

  /// The value of an attribute of the element that began last, trimmed; nil when it is missing or blank.
  func attribute(_ name: DocumentName) -> String? {
    for attribute in attributes where attribute.known == name {
      let value = attribute.value.trimmed(in: bytes)
      return value.isEmpty ? nil : value
    }
    return nil
  }

  /// Adds a diagnostic about the place reached.
  mutating func report(
    _ code: AdDiagnostic.Code, _ severity: AdDiagnostic.Severity, _ message: String, at offset: Int? = nil
  ) {
    if log.isClosed { return }
    let path = log.isOpen ? path() : ""
    log.add(code, severity, message, at: offset ?? position, in: bytes, path: path)
  }

  /// Reports that only so many things of a kind count, once for all that are beyond it.
  mutating func reportCap(_ kind: String, _ limit: Int, of owner: String = "", at offset: Int? = nil) {
    guard log.isFirst(kind) else { return }
    report("vast.cap", .warning, "\(kind) beyond the first \(limit)\(owner) are ignored.", at: offset)
  }

  /// Ends the reading: nothing of the document counts.
  mutating func fail(_ code: VASTErrorCode, _ diagnostic: AdDiagnostic.Code, _ message: String, at offset: Int? = nil) {
    report(diagnostic, .error, message, at: offset)
    failure = failure ?? code
    isFinished = true
    isLost = true
  }

  private mutating func truncate() {
    report("xml.truncated", .repair, "The document ends inside an element.")
    isTruncated = true
    isFinished = true
    isLost = true
  }
}
