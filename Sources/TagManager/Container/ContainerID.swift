/// The id of a container, such as `GTM-XXXX`; compared byte by byte (TM-100).
public struct ContainerID: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text, valid or not.
  public let text: String

  /// Takes any text; `isValid` tells whether it can be opened.
  public init(_ text: String) { self.text = text }

  /// Takes any text; `isValid` tells whether it can be opened.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether the text is a letter or digit followed by at most 63 letters, digits, `_` or `-`.
  public var isValid: Bool {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count), let first = bytes.first, Self.isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { Self.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }

  /// The text.
  public var description: String { text }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
