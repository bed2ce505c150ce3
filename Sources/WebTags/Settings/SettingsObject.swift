/// Finds the object that a page's inline scripts assign to `mps` (WT-220).
///
///     assignment = [ "window." ] "mps" ws "=" ws object
///
/// The object ends where its braces balance, with texts and their escapes respected. Every byte is looked at a fixed
/// number of times, whatever the page holds.
enum SettingsObject {
  static func find(in page: [UInt8]) throws(SettingsRejection) -> [UInt8] {
    var scripts = InlineScripts(page)
    while let script = scripts.next() {
      guard let start = assignedObject(in: page, script) else { continue }
      guard let end = balanced(page, from: start, to: script.upperBound) else {
        throw SettingsRejection(.truncated, "the settings do not end")
      }
      return Array(page[start..<end])
    }
    throw SettingsRejection(.notFound, "no script assigns an object to mps")
  }

  /// Where an object that is assigned to `mps` begins.
  private static func assignedObject(in page: [UInt8], _ script: Range<Int>) -> Int? {
    let name = Array("mps".utf8)
    var at = script.lowerBound
    while at + name.count < script.upperBound {
      defer { at += 1 }
      guard page[at] == name[0], page[at + 1] == name[1], page[at + 2] == name[2],
        isFree(page, before: at, script.lowerBound)
      else { continue }
      var next = skipBlanks(page, at + 3, script.upperBound)
      guard next < script.upperBound, page[next] == UInt8(ascii: "=") else { continue }
      next = skipBlanks(page, next + 1, script.upperBound)
      if next < script.upperBound, page[next] == UInt8(ascii: "{") { return next }
    }
    return nil
  }

  /// Whether a name that begins here is a variable's, or a property of `window`, which is nobody's property itself.
  private static func isFree(_ page: [UInt8], before at: Int, _ start: Int, mayHaveOwner: Bool = true) -> Bool {
    guard at > start else { return true }
    switch page[at - 1] {
    case UInt8(ascii: "."):
      guard mayHaveOwner else { return false }
      let owner = Array("window.".utf8)
      return at - owner.count >= start && page[(at - owner.count)..<at].elementsEqual(owner)
        && isFree(page, before: at - owner.count, start, mayHaveOwner: false)
    case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80..., UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      return false
    default: return true
    }
  }

  private static func skipBlanks(_ page: [UInt8], _ from: Int, _ end: Int) -> Int {
    var at = from
    while at < end, [0x20, 0x09, 0x0A, 0x0D].contains(page[at]) { at += 1 }
    return at
  }

  /// The end of the object that begins here.
  static func balanced(_ text: [UInt8], from start: Int, to end: Int) -> Int? {
    var depth = 0
    var isText = false
    var at = start
    while at < end {
      switch (text[at], isText) {
      case (UInt8(ascii: "\\"), true): at += 1
      case (UInt8(ascii: "\""), _): isText.toggle()
      case (UInt8(ascii: "{"), false): depth += 1
      case (UInt8(ascii: "}"), false):
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return nil
  }
}

/// The contents of a page's script elements that have no source.
struct InlineScripts: IteratorProtocol {
  private let page: [UInt8]
  private var at = 0

  init(_ page: [UInt8]) { self.page = page }

  mutating func next() -> Range<Int>? {
    while let open = find("<script", from: at) {
      guard let start = page[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let end = find("</script", from: start) ?? page.count
      at = end
      let attributes = String(decoding: page[open..<start], as: UTF8.self).lowercased()
      if !attributes.contains(" src") { return (start + 1)..<end }
    }
    return nil
  }

  /// The next place of an ASCII text, without case.
  private func find(_ text: StaticString, from start: Int) -> Int? {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard page.count >= wanted.count, start <= page.count - wanted.count else { return nil }
    for at in start...(page.count - wanted.count) where page[at] == UInt8(ascii: "<") {
      var isThere = true
      for offset in 1..<wanted.count where page[at + offset] | 0x20 != wanted[offset] | 0x20 {
        isThere = false
        break
      }
      if isThere { return at }
    }
    return nil
  }
}

extension InlineScripts {
  /// The page without the objects assigned to `mps`: what decides whether a page changed (WT-233).
  static func withoutSettings(_ page: [UInt8]) -> [UInt8] {
    guard let object = try? SettingsObject.find(in: page), !object.isEmpty else { return page }
    var rest = page
    guard let range = rest.firstRange(of: object) else { return page }
    rest.removeSubrange(range)
    return rest
  }
}
