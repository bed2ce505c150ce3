/// What stands before the root element and behind it.
extension XMLReader {
  private static let leadingLimit = 4_096

  /// Goes to the root's start tag (VA-320 xml.leading; VA-323, VA-324 when there is none).
  mutating func skipLeading() {
    guard let start = firstMarkup() else { return }
    if start > 0 { report("xml.leading", .repair, "\(start) bytes before the document are skipped.", at: 0) }
    position = start
    if matches("<?xml", at: position) { skip(past: "?>", from: position) }
    while position < bytes.count {
      if !isMarkup(at: position) {
        position += 1
      } else if matches("<!--", at: position) {
        skipComment()
      } else if matches("<?", at: position) {
        report("xml.prolog", .repair, "A processing instruction is skipped.")
        skip(past: "?>", from: position)
      } else if matches("<!", at: position) {
        skipDeclaration()
      } else if matches("</", at: position) {
        position += 2
      } else {
        return
      }
    }
    fail(.malformed, "xml.noElement", "The document has no element.")
  }

  /// The offset at which the document begins: its first tag, be it a root known here or not, or what may stand before.
  ///
  /// White space and a byte order mark may be as long as they like.
  private mutating func firstMarkup() -> Int? {
    var offset = matches("\u{FEFF}", at: 0) ? 3 : 0
    var others = 0
    while offset < bytes.count, others <= Self.leadingLimit {
      if bytes[offset] == UInt8(ascii: "<"), beginsDocument(at: offset) { return offset }
      if !ASCII.isBlank(bytes[offset]) { others += 1 }
      offset += 1
    }
    fail(.malformed, "xml.noElement", "The body is no markup.")
    return nil
  }

  private func beginsDocument(at offset: Int) -> Bool {
    if offset + 1 < bytes.count, Self.beginsName(bytes[offset + 1]) { return true }
    return matches("<?xml", at: offset) || matches("<!--", at: offset) || matches("<!DOCTYPE", at: offset)
  }

  /// Reports what follows the root, but for comments and instructions (VA-320 xml.trailing).
  mutating func checkTrailing() {
    var at = position
    while at < bytes.count, ASCII.isBlank(bytes[at]) { at += 1 }
    if at < bytes.count, !matches("<!--", at: at), !matches("<?", at: at) {
      report("xml.trailing", .repair, "What follows the root element is ignored.", at: at)
    }
  }
}
