import Hits

/// Puts values in the place of macros, once per sending (VA-808 to VA-813).
///
///     macro = "[" name "]" | "%%" name "%%" | "%5B" name "%5D"
///     name  = one of `MacroName`
///
/// Unknown names, `${…}` and `<% … %>` stay as they are written.
struct MacroExpansion: Sendable {
  let facts: MacroFacts
  let scope: MacroScope
  let cacheBuster: Int64

  /// Makes the expansion of one URL; its random number is drawn here.
  init(_ facts: MacroFacts, scope: MacroScope, random: some RandomSource) {
    self.facts = facts
    self.scope = scope
    cacheBuster = random.integer(in: 10_000_000...99_999_999)
  }

  private static let names = Dictionary(uniqueKeysWithValues: MacroName.allCases.map { ($0.rawValue, $0) })
  private static let longestName = 20
  /// Where expanding ends: what is that long is no URL that is ever requested.
  private static let longest = 8 * AdURL.longest

  /// Whether a text has what a macro begins with.
  static func mayChange(_ template: String) -> Bool {
    template.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "%") }
  }

  /// The text with its macros expanded.
  func expand(_ template: String) -> String {
    guard Self.mayChange(template) else { return template }
    let bytes = Array(template.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var at = 0
    while at < bytes.count, result.count <= Self.longest {
      if let macro = Self.macro(at: at, in: bytes), append(macro.name, to: &result) {
        at = macro.end
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text without its macros: what of it is written for good.
  static func withoutMacros(_ template: String) -> String {
    guard mayChange(template) else { return template }
    let bytes = Array(template.utf8)
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if let macro = macro(at: at, in: bytes) {
        at = macro.end
      } else {
        result.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends a macro's value; false when it stays as it is written.
  private func append(_ name: MacroName, to result: inout [UInt8]) -> Bool {
    if let own = facts.request.macroValues[name.rawValue] {
      URIEscape.adMacro.append(own, to: &result)
      return true
    }
    switch facts.value(of: name, in: scope, cacheBuster: cacheBuster) {
    case .text(let text): URIEscape.adMacro.append(text, to: &result)
    case .list(let items):
      if items.isEmpty { result += "-1".utf8 }
      for (index, item) in items.enumerated() {
        if index > 0 { result.append(UInt8(ascii: ",")) }
        URIEscape.adMacro.append(item, to: &result)
      }
    case .unknown: result += "-1".utf8
    case .withheld: result += "-2".utf8
    case .notApplicable: result += "0".utf8
    case .untouched: return false
    }
    return true
  }

  private static func macro(at start: Int, in bytes: [UInt8]) -> (name: MacroName, end: Int)? {
    guard bytes[start] == UInt8(ascii: "[") || bytes[start] == UInt8(ascii: "%") else { return nil }
    for (opening, closing) in marks where isSame(opening, at: start, in: bytes) {
      let nameStart = start + opening.count
      var end = nameStart
      while end < bytes.count, end - nameStart <= longestName, isNameByte(bytes[end]) { end += 1 }
      guard isSame(closing, at: end, in: bytes) else { continue }
      guard let name = names[String(decoding: bytes[nameStart..<end], as: UTF8.self)] else { continue }
      return (name, end + closing.count)
    }
    return nil
  }

  private static let marks = [("[", "]"), ("%%", "%%"), ("%5b", "%5d")].map { (Array($0.utf8), Array($1.utf8)) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private static func isSame(_ mark: [UInt8], at start: Int, in bytes: [UInt8]) -> Bool {
    start + mark.count <= bytes.count && ASCII.isSame(bytes, start..<start + mark.count, mark)
  }
}
