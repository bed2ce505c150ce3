/// Why bytes are not JSON within the limits, and where.
public struct JSONError: Error, Sendable, Hashable {
  /// What is wrong.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's text.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A byte that cannot stand where it stands.
    public static let syntax = Code(rawValue: "syntax")
    /// The input ends inside a value.
    public static let unexpectedEnd = Code(rawValue: "unexpectedEnd")
    /// Something follows the value.
    public static let trailingContent = Code(rawValue: "trailingContent")
    /// A text is not UTF-8.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")
    /// A number is beyond what a double can hold.
    public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
    /// More bytes than `JSONLimits.bytes`.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A text of more bytes than `JSONLimits.textBytes`.
    public static let textTooLarge = Code(rawValue: "textTooLarge")
    /// Nested deeper than `JSONLimits.depth`.
    public static let tooDeep = Code(rawValue: "tooDeep")
    /// More values than `JSONLimits.nodes`.
    public static let tooMany = Code(rawValue: "tooMany")
  }

  /// What is wrong.
  public var code: Code
  /// The byte at which it was seen, from 0.
  public var offset: Int
  /// A sentence for a person; it holds nothing of the input.
  public var message: String

  init(_ code: Code, at offset: Int, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message) (byte \(offset))" }
}
