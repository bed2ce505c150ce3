import Foundation

/// The query of a URL, as `name=value` items joined by `&`; a plus sign stands for a blank.
package struct QueryText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Takes the query out of a URL's text; nil when it has none.
  package init?(ofURL url: String) {
    let beforeFragment = url.prefix { $0 != "#" }
    guard let mark = beforeFragment.firstIndex(of: "?") else { return nil }
    text = String(beforeFragment[beforeFragment.index(after: mark)...])
  }

  /// The decoded value of the first item of a name; nil when there is none.
  package subscript(name: String) -> String? {
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let first = parts.first, Self.decode(first) == name { return parts.count > 1 ? Self.decode(parts[1]) : "" }
    }
    return nil
  }

  /// What is not valid percent-encoding stays as it is.
  private static func decode(_ text: Substring) -> String {
    let text = String(text).replacing("+", with: " ")
    return text.removingPercentEncoding ?? text
  }
}
