/// A piece of a page.
///
/// It is made of elements and texts, and texts are escaped as they go in: there is no way to put markup into it that
/// somebody typed (CO-903).
struct HTML: Sendable {
  private(set) var markup: String

  /// Nothing.
  init() { markup = "" }

  fileprivate init(markup: String) { self.markup = markup }

  /// A text.
  init(text: String) {
    self.init()
    write(text)
  }

  /// A whole document.
  var document: [UInt8] { Array("<!DOCTYPE html>\n\(markup)\n".utf8) }

  static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.markup + right.markup) }

  /// Writes a text for content and for attributes in double quotes.
  private mutating func write(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      // No control character has a place in HTML, but for what ends a line.
      case "\0"..<"\u{20}" where scalar != "\n" && scalar != "\t" && scalar != "\r": markup += "\u{FFFD}"
      default: markup.unicodeScalars.append(scalar)
      }
    }
  }

  fileprivate static let void: Set<String> = ["br", "hr", "img", "input", "link", "meta"]

  fileprivate init(_ name: StaticString, _ attributes: [Attribute?], _ content: HTML) {
    self.init(markup: "<\(name)")
    for attribute in attributes.compactMap({ $0 }) {
      markup += " \(attribute.name)"
      guard let value = attribute.value else { continue }
      markup += "=\""
      write(value)
      markup += "\""
    }
    markup += ">"
    guard !Self.void.contains("\(name)") else { return }
    // The first line break of these is left out by browsers, and would be lost.
    if "\(name)" == "textarea" || "\(name)" == "pre" { markup += "\n" }
    markup += content.markup
    markup += "</\(name)>"
  }
}

/// An element with its attributes and content.
func element(
  _ name: StaticString, _ attributes: Attribute?..., @HTMLBuilder content: () -> HTML = { HTML() }
) -> HTML {
  HTML(name, attributes, content())
}

/// An element with a text.
func element(_ name: StaticString, _ attributes: Attribute?..., text: String) -> HTML {
  HTML(name, attributes, HTML(text: text))
}

/// Puts pieces together; a `String` among them is a text.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildBlock(_ parts: HTML...) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
  static func buildArray(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.markup).joined()) }
}
