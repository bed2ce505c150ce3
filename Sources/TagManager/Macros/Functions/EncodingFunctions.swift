import Digests
import Foundation
import Hits

extension MacroFunctions {
  /// Texts recoded and digested.
  static let encoding: [MacroFunction] = [
    MacroFunction(.encode, requires: ["arg0"], isCacheable: true) { arguments, _ in
      let input = TextFormat(rawValue: arguments.text("input_format") ?? "text")
      let output = TextFormat(rawValue: arguments.text("output_format") ?? "base16")
      guard let output, output != .text, let bytes = input?.bytes(arguments.text("arg0")) else {
        return .missing(.noValue)
      }
      return Evaluated(text: output.text(bytes, isPadded: !arguments.isTrue("no_padding")))
    },
    MacroFunction(.hash, requires: ["arg0"], isCacheable: true) { arguments, _ in
      let algorithm = Digest(rawValue: arguments.text("algorithm")?.uppercased() ?? Digest.md5.rawValue)
      let input = TextFormat(rawValue: arguments.text("input_format") ?? "text")
      guard input == .text || input == .base16, let bytes = input?.bytes(arguments.text("arg0")) else {
        return .missing(.noValue)
      }
      return Evaluated(text: algorithm?.digest(of: bytes).map { TextFormat.base16.text($0, isPadded: false) })
    },
  ]
}

/// How bytes stand in a text.
private enum TextFormat: String {
  case text
  case base16
  case base64
  case base64url

  /// The bytes that a text stands for, with or without padding; nil when it is not of the format.
  func bytes(_ text: String?) -> [UInt8]? {
    guard let text else { return nil }
    switch self {
    case .text: return Array(text.utf8)
    case .base16:
      let digits = text.utf8.map { HexDigits.value(of: $0) }
      guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
      return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
    case .base64: return Self.decode(text)
    case .base64url: return Self.decode(text.replacing("-", with: "+").replacing("_", with: "/"))
    }
  }

  /// The text that stands for bytes.
  func text(_ bytes: [UInt8], isPadded: Bool) -> String {
    switch self {
    case .text: return String(decoding: bytes, as: UTF8.self)
    case .base16:
      return String(decoding: bytes.flatMap { [HexDigits.upper($0 >> 4), HexDigits.upper($0 & 15)] }, as: UTF8.self)
    case .base64, .base64url:
      var text = Data(bytes).base64EncodedString()
      if !isPadded { text = text.replacing("=", with: "") }
      return self == .base64 ? text : text.replacing("+", with: "-").replacing("/", with: "_")
    }
  }

  private static func decode(_ text: String) -> [UInt8]? {
    let digits = text.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    guard text.dropFirst(digits.count).allSatisfy({ $0 == "=" }) else { return nil }
    return Data(base64Encoded: digits + padding).map(Array.init)
  }
}
