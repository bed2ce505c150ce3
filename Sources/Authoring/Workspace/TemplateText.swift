/// A text with references to variables, taken apart.
///
///     text      = (characters | reference)*
///     reference = "{{" name "}}"       the last "{{" before the "}}" counts
struct TemplateText: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    case text(String)
    case reference(String)
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "{")) else {
      if !text.isEmpty { pieces = [.text(text)] }
      return
    }
    let bytes = Array(text.utf8)
    var literalStart = 0
    var open: Int?
    var position = 0
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "{"), bytes[position + 1] == UInt8(ascii: "{") {
        open = position
      } else if let start = open, bytes[position] == UInt8(ascii: "}"), bytes[position + 1] == UInt8(ascii: "}"),
        position > start + 2
      {
        append(bytes[literalStart..<start])
        pieces.append(.reference(String(decoding: bytes[start + 2..<position], as: UTF8.self)))
        position += 2
        literalStart = position
        open = nil
        continue
      }
      position += 1
    }
    append(bytes[literalStart...])
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { pieces.append(.text(String(decoding: bytes, as: UTF8.self))) }
  }

  /// The names of the variables it refers to.
  var references: [String] {
    pieces.compactMap { if case .reference(let name) = $0 { name } else { nil } }
  }

  /// The text without any reference; nil when there is one.
  var constant: String? {
    switch pieces.first {
    case nil: ""
    case .text(let text) where pieces.count == 1: text
    default: nil
    }
  }

  /// The text with other names for variables.
  func renaming(_ names: [String: String]) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .reference(let name): "{{\(names[name] ?? name)}}"
      }
    }.joined()
  }
}
