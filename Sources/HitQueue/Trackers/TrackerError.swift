/// Why a tracker cannot be made (HQ-201).
public struct TrackerError: Error, Sendable, Hashable {
  /// What is wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name is empty or has characters that names do not have.
    public static let invalidName = Code(rawValue: "invalidName")
    /// The property is none.
    public static let invalidProperty = Code(rawValue: "invalidProperty")
    /// There is no destination, or hits may not go there.
    public static let invalidDestination = Code(rawValue: "invalidDestination")
  }

  /// What is wrong.
  public var code: Code
  /// A sentence with the text that was refused.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The grammar of tracker names and properties (HQ-201).
package enum TrackerNames {
  /// One to 64 letters, digits and `. _ : -`; after `UA-`, one to twelve digits, `-`, one to six digits.
  package static func isProperty(_ text: String) -> Bool {
    guard text.hasPrefix("UA-") else { return isPlain(text, and: "._:-") }
    let parts = text.dropFirst(3).split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && isNumber(parts[0], digits: 1...12) && isNumber(parts[1], digits: 1...6)
  }

  /// One to 64 bytes, without control characters; names that begin with `$` are the library's own.
  static func isName(_ text: String) -> Bool {
    1...64 ~= text.utf8.count && !text.hasPrefix("$") && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private static func isPlain(_ text: String, and marks: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { byte in
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || marks.utf8.contains(byte)
      }
  }

  private static func isNumber(_ text: Substring, digits: ClosedRange<Int>) -> Bool {
    digits ~= text.utf8.count && text.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
