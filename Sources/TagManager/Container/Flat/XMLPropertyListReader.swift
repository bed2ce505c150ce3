import Hits

/// Reads an XML property list as a flat container (TM-132).
///
///     document = (declaration | comment | doctype | blank)* element (comment | blank)*
///     element  = <plist> value </plist> | value
///     value    = <dict> (<key>text</key> value)* </dict> | <array> value* </array> | <true/> | <false/>
///              | <string>text</string> | <integer> | <real> | <date> | <data>
///     text     = (characters | &lt; &gt; &amp; &quot; &apos; &#n; &#xn; | comment | <![CDATA[…]]>)*
///
/// No declaration of a document type is ever looked at, so there are no entities but those six.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  private let limits: DecodeLimits
  private var builder: FlatContainerBuilder

  init(_ bytes: [UInt8], from start: Int, limits: DecodeLimits) {
    scanner = XMLScanner(bytes, from: start, limits: limits)
    self.limits = limits
    builder = FlatContainerBuilder(limits: limits)
  }

  mutating func read(diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    var tag = try scanner.nextTag()
    let hasWrapper = tag.isOpening("plist")
    if hasWrapper { tag = try scanner.nextTag() }
    guard tag.name == "dict", tag.kind != .closing else {
      guard Self.names.contains(tag.name), tag.kind != .closing else { throw damaged("<\(tag.name)> is no value") }
      throw DecodingFault(
        .flatRootNotDictionary, "The property list's root is no dictionary; make it one of keys and values.")
    }
    if tag.kind == .opening {
      while let key = try nextKey() {
        guard let value = try value(try scanner.nextTag(), depth: 2) else {
          diagnostics.add(FlatContainerBuilder.unsupported("Data", at: key))
          continue
        }
        try builder.add(key, value)
      }
    }
    if hasWrapper, try !scanner.nextTag().isClosing("plist") { throw damaged("</plist> is missing") }
    try scanner.finish()
    return try builder.container(diagnostics: &diagnostics)
  }

  private static let names: Set<String> = [
    "dict", "array", "string", "integer", "real", "true", "false", "date", "data",
  ]

  /// The next key of a dictionary; nil at its end.
  private mutating func nextKey() throws(DecodingFault) -> String? {
    let tag = try scanner.nextTag()
    if tag.isClosing("dict") { return nil }
    guard tag.name == "key", tag.kind != .closing else { throw damaged("a dictionary needs a key here") }
    return try text(of: tag)
  }

  /// Reads the value that a tag begins; nil for what a flat container cannot have.
  private mutating func value(_ tag: XMLScanner.Tag, depth: Int) throws(DecodingFault) -> ValueIndex? {
    guard tag.kind != .closing else { throw damaged("a value is missing") }
    switch tag.name {
    case "true", "false":
      guard try text(of: tag).isEmpty else { throw damaged("<\(tag.name)> has content") }
      return try builder.scalar(.bool(tag.name == "true"))
    case "string": return try builder.scalar(.string(try text(of: tag)))
    case "integer":
      guard let number = Self.integer(try trimmedText(of: tag)) else { throw damaged("an integer is none") }
      return try builder.scalar(number)
    case "real":
      guard let number = Double(try trimmedText(of: tag)) else { throw damaged("a number is none") }
      return number.isFinite ? try builder.scalar(.double(number)) : nil
    case "date":
      let date = try trimmedText(of: tag)
      guard Self.isDate(date) else { throw damaged("a date is none") }
      return try builder.scalar(.string(date))
    case "data":
      _ = try text(of: tag)
      return nil
    case "array":
      try checkDepth(depth)
      var items: [ValueIndex] = []
      while tag.kind == .opening {
        let next = try scanner.nextTag()
        if next.isClosing("array") { break }
        if let item = try value(next, depth: depth + 1) { items.append(item) }
      }
      return try builder.list(items)
    case "dict":
      try checkDepth(depth)
      var entries: [MapEntry] = []
      while tag.kind == .opening, let key = try nextKey() {
        guard let item = try value(try scanner.nextTag(), depth: depth + 1) else { continue }
        entries.append(MapEntry(key: try builder.scalar(.string(key)), value: item))
      }
      return try builder.map(entries)
    default: throw damaged("<\(tag.name)> is no value")
    }
  }

  private func checkDepth(_ depth: Int) throws(DecodingFault) {
    guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth, at: "byte \(scanner.position)") }
  }

  private mutating func text(of tag: XMLScanner.Tag) throws(DecodingFault) -> String {
    tag.kind == .empty ? "" : try scanner.readText(until: tag.name)
  }

  private mutating func trimmedText(of tag: XMLScanner.Tag) throws(DecodingFault) -> String {
    let text = try text(of: tag)
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
    let content = text.utf8.drop(while: isBlank)
    return String(
      decoding: content.prefix(content.count - content.reversed().prefix(while: isBlank).count), as: UTF8.self)
  }

  /// A decimal or, after `0x`, hexadecimal integer; beyond `Int64` a double.
  private static func integer(_ text: String) -> Value? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1 else { return nil }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      return Int64((text.hasPrefix("-") ? "-" : "") + digits.dropFirst(2), radix: 16).map { .int($0) }
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int64(text).map { .int($0) } ?? Double(text).flatMap { $0.isFinite ? .double($0) : nil }
  }

  /// Whether the text has the form `2013-08-19T12:00:00Z`.
  private static func isDate(_ text: String) -> Bool {
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    return text.utf8.count == pattern.count
      && zip(text.utf8, pattern).allSatisfy { byte, expected in
        expected == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == expected
      }
  }

  private func damaged(_ what: String) -> DecodingFault { scanner.damaged(what) }
}
