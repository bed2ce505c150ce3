/// Changes JSON value by value, so that it stays JSON and the change reaches what decoders do after parsing.
enum JSONMutation {
  private static let scalars = [
    "0", "1", "-1", "7", "99999", "9223372036854775807", "1e400", "1.5", "null", "true", "\"\"", "\"list\"", "\"map\"",
    "\"macro\"", "\"template\"", "\"escape\"", "\"tag\"", "\"if\"", "\"block\"", "\"add-macro\"", "[]", "{}",
    "[\"macro\",0]", "[\"tag\",0,1]", "[\"list\",[\"macro\",1]]", "[\"map\",\"k\"]",
  ].map { Array($0.utf8) }

  /// Replaces, removes or doubles one value; leaves a text without any as it is.
  static func change(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard let span = span(of: bytes, &random) else { return }
    switch random.below(5) {
    case 0: bytes.replaceSubrange(span, with: scalars[random.below(scalars.count)])
    case 1:
      guard let other = self.span(of: bytes, &random) else { return }
      bytes.replaceSubrange(span, with: bytes[other])
    case 2:
      let isFollowed = span.upperBound < bytes.count && bytes[span.upperBound] == UInt8(ascii: ",")
      bytes.removeSubrange(isFollowed ? span.lowerBound..<span.upperBound + 1 : span)
    case 3: bytes.replaceSubrange(span, with: bytes[span] + [UInt8(ascii: ",")] + bytes[span])
    default: bytes.replaceSubrange(span, with: [UInt8(ascii: "[")] + bytes[span] + [UInt8(ascii: "]")])
    }
  }

  /// The bytes of some value, found from a random place on.
  private static func span(of bytes: [UInt8], _ random: inout SplitMix) -> Range<Int>? {
    var start = random.below(bytes.count)
    while start < bytes.count, !"[,:".utf8.contains(bytes[start]) { start += 1 }
    start += 1
    guard start < bytes.count else { return nil }
    var depth = 0
    var isText = false
    var at = start
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\\") where isText: at += 1
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return start..<at }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return start..<at }
      default: break
      }
      at += 1
    }
    return nil
  }
}
