import Foundation

/// What a match is replaced by, as ECMAScript writes it.
///
///     $$  a dollar sign          $&  the match
///     $`  the text before it     $'  the text after it
///     $1 … $99  a group; where the pattern has no such group, the characters themselves
package struct ReplacementTemplate: Sendable {
  fileprivate let units: [UInt16]

  package init(_ text: String) { units = Array(text.utf16) }
}

/// Builds a text in which matches are replaced; over 1 MiB it gives up (TM-614).
struct Replacer {
  private static let limit = 1 << 20

  private let text: [UInt16]
  private let template: [UInt16]
  private var result: [UInt16] = []
  /// Where the text after the last match begins.
  private var rest = 0

  init(_ text: String, _ template: ReplacementTemplate) {
    self.text = Array(text.utf16)
    self.template = template.units
  }

  /// Replaces the next match; false when the result has become too long.
  mutating func replace(_ match: NSTextCheckingResult) -> Bool {
    result += text[rest..<match.range.location]
    rest = match.range.location + match.range.length
    expand(match)
    return result.count <= Self.limit
  }

  /// The result; nil when it is too long.
  mutating func finish() -> String? {
    result += text[rest...]
    return result.count <= Self.limit ? String(decoding: result, as: UTF16.self) : nil
  }

  private mutating func expand(_ match: NSTextCheckingResult) {
    var position = 0
    while position < template.count, result.count <= Self.limit {
      let unit = template[position]
      position += 1
      guard unit == UInt16(UInt8(ascii: "$")), position < template.count else {
        result.append(unit)
        continue
      }
      switch UInt8(exactly: template[position]) {
      case UInt8(ascii: "$"): result.append(unit)
      case UInt8(ascii: "&"): append(match.range)
      case UInt8(ascii: "`"): result += text[..<match.range.location]
      case UInt8(ascii: "'"): result += text[rest...]
      default:
        guard let group = group(at: position, of: match) else {
          result.append(unit)
          continue
        }
        append(match.range(at: group.number))
        position += group.digits - 1
      }
      position += 1
    }
  }

  /// The group that the digits at a position name: two of them if there is such a group, else one.
  private func group(at position: Int, of match: NSTextCheckingResult) -> (number: Int, digits: Int)? {
    let digits = template[position...].prefix(2).prefix { (0x30...0x39).contains($0) }.map { Int($0) - 0x30 }
    for count in [2, 1] where digits.count >= count {
      let number = digits.prefix(count).reduce(0) { 10 * $0 + $1 }
      if number > 0, number < match.numberOfRanges { return (number, count) }
    }
    return nil
  }

  private mutating func append(_ range: NSRange) {
    if range.location != NSNotFound { result += text[range.location..<range.location + range.length] }
  }
}
