/// A URL of a document or an app as it is printed (VA-1403).
package enum PrintedURL {
  /// The URL without user and password, else as it is written; macros may stand anywhere in it.
  package static func text(_ written: String) -> String {
    guard written.utf8.contains(UInt8(ascii: "@")) else { return written }
    var reference = URLReference(AdURL.cleaned(written))
    guard let authority = reference.authority, let at = authority.lastIndex(of: "@") else { return written }
    reference.authority = String(authority[authority.index(after: at)...])
    return reference.text
  }

  /// The same for a table: of a very long one its ends, and how long it is.
  package static func shortText(_ written: String) -> String {
    let text = text(written)
    let count = text.count
    guard count > longest else { return text }
    return "\(text.prefix(160))…\(text.suffix(60)) (\(count) characters)"
  }

  private static let longest = 300
}
