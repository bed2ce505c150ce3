/// An enumeration that stands in JSON as one text, its argument in brackets: `failed(noHandler)` (TM-1110).
public protocol BracketedText: Codable, LosslessStringConvertible, Sendable {}

extension BracketedText {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown name: \(text)")
    }
    self = value
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A text taken apart at its first opening bracket.
struct BracketedParts {
  let name: Substring
  /// What stands between the brackets; nil without brackets.
  let argument: String?

  init(_ text: String) {
    if text.last == ")", let bracket = text.firstIndex(of: "(") {
      name = text[..<bracket]
      argument = String(text[text.index(after: bracket)...].dropLast())
    } else {
      name = text[...]
      argument = nil
    }
  }
}
