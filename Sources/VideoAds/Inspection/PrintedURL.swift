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
}
