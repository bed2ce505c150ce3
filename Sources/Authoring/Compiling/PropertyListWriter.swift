import Hits
import TagManager

/// Writes a property list as XML, the same bytes for equal values: keys in byte order, one element a line.
struct PropertyListWriter {
  private var text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private init() {}

  /// The list of a dictionary.
  ///
  /// - Throws: when a text has a character that XML has no way to write.
  static func bytes(_ values: [String: Value]) throws(ContainerEncodingError) -> [UInt8] {
    var writer = PropertyListWriter()
    try writer.write(.map(values), indent: "")
    return Array((writer.text + "</plist>\n").utf8)
  }

  private mutating func write(_ value: Value, indent: String) throws(ContainerEncodingError) {
    switch value {
    case .string(let string): line(indent, "string", try escaped(string))
    case .int(let number): line(indent, "integer", String(number))
    case .double(let number): line(indent, "real", NumberText.text(number))
    case .bool(let flag): text += "\(indent)<\(flag)/>\n"
    case .list(let items):
      text += "\(indent)<array>\n"
      for item in items { try write(item, indent: indent + "\t") }
      text += "\(indent)</array>\n"
    case .map(let entries):
      text += "\(indent)<dict>\n"
      for (key, value) in entries.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        line(indent + "\t", "key", try escaped(key))
        try write(value, indent: indent + "\t")
      }
      text += "\(indent)</dict>\n"
    case .null, .absent:
      throw ContainerEncodingError(.notExpressible, "A property list has no null.")
    }
  }

  private mutating func line(_ indent: String, _ element: String, _ content: String) {
    text += "\(indent)<\(element)>\(content)</\(element)>\n"
  }

  private func escaped(_ text: String) throws(ContainerEncodingError) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      // A reader of XML would make a line feed of it.
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        throw ContainerEncodingError(.notExpressible, "A text has a control character, which XML cannot hold.")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
