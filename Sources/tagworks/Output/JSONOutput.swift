import Foundation

/// The machine-readable form of results: one document, or one line each.
enum JSONOutput {
  /// Prints a value as one line of JSON with sorted keys.
  static func line(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Output.line(VisibleText.json(String(decoding: try encoder.encode(value), as: UTF8.self)))
  }
}
