import Hits

/// The values of compiled JSON, put into the canonical pool as calls use them (TM-134).
///
///     value = scalar | null                    null is the missing value (TM-135)
///           | {key: value, …}                  a map
///           | ["list", value…] | ["map", key, value, …] | ["template", value…]
///           | ["macro", i]                     the name of that macro
///           | ["macro-name", name] | ["escape", value, code…] | ["tag", i] | ["tag", i, flag]
///
/// The reader of the text has bounded how deep it nests, so the recursion here is bounded.
struct JSONValues: CallValues {
  private let macroNames: [String]
  /// The references to macros that are in the pool already; a name may be long and referred to often.
  private var macroReferences: [ValueIndex?]
  private let tagCount: Int
  private(set) var pool: ValuePoolBuilder

  init(macroNames: [String], tagCount: Int, limits: DecodeLimits) {
    self.macroNames = macroNames
    macroReferences = Array(repeating: nil, count: macroNames.count)
    self.tagCount = tagCount
    pool = ValuePoolBuilder(limits: limits)
  }

  func scalar(_ element: JSONElement) -> Value? { Self.scalar(element) }

  static func scalar(_ element: JSONElement) -> Value? {
    switch element.kind {
    case .bool, .number, .text: element.value
    case .null, .array, .object: nil
    }
  }

  func items(_ element: JSONElement) -> [JSONElement]? {
    var items = element.items
    guard let word = items.next(), word.isText("list") else { return nil }
    return Array(items)
  }

  func tagReference(_ element: JSONElement) throws(DecodingFault) -> TagReference? {
    var items = element.items
    guard let word = items.next(), word.isText("tag") else { return nil }
    let tag = try index(items.next(), of: "tag", count: tagCount, in: element)
    guard let flag = items.next() else { return TagReference(tag: tag) }
    guard let number = flag.int, let value = Int(exactly: number), items.next() == nil else {
      throw Self.unknownForm(element)
    }
    return TagReference(tag: tag, flag: value)
  }

  mutating func add(_ element: JSONElement) throws(DecodingFault) -> ValueIndex {
    let value = try addPart(element)
    try pool.checkSize(of: value)
    return value
  }

  private mutating func addPart(_ element: JSONElement) throws(DecodingFault) -> ValueIndex {
    switch element.kind {
    case .null: return try pool.add(.constant(.absent))
    case .bool, .number, .text: return try pool.add(.constant(element.value))
    case .object:
      var entries: [MapEntry] = []
      for member in element.members {
        entries.append(MapEntry(key: try pool.add(.constant(.string(member.key))), value: try addPart(member.value)))
      }
      return try pool.add(.map(entries))
    case .array:
      var items = element.items
      guard let word = items.next() else { throw Self.unknownForm(element) }
      if word.isText("macro") { return try macro(items.next(), in: element) }
      return try pool.add(try node(word, items, of: element))
    }
  }

  private mutating func node(
    _ word: JSONElement, _ arguments: JSONElement.Items, of element: JSONElement
  ) throws(DecodingFault) -> ValueNode {
    var arguments = arguments
    switch word.string {
    case "list": return .list(try indexes(arguments))
    case "template": return .template(try indexes(arguments))
    case "map":
      var entries: [MapEntry] = []
      while let key = arguments.next() {
        guard let value = arguments.next() else {
          throw DecodingFault(
            .unevenMap, "A map ends with a key that has no value; give each key one.", at: "byte \(element.offset)")
        }
        entries.append(MapEntry(key: try addPart(key), value: try addPart(value)))
      }
      return .map(entries)
    case "macro-name":
      guard let name = arguments.next()?.string else { throw Self.unknownForm(element) }
      return .macro(name: name)
    case "escape":
      guard let inner = arguments.next() else { throw Self.unknownForm(element) }
      var codes: [Int] = []
      while let code = arguments.next() {
        guard let number = code.int, let code = Int32(exactly: number) else { throw Self.unknownForm(element) }
        codes.append(Int(code))
      }
      return .escape(try addPart(inner), codes: codes)
    case "tag":
      guard let tag = try tagReference(element) else { throw Self.unknownForm(element) }
      return .tag(tag)
    default: throw Self.unknownForm(element)
    }
  }

  private mutating func macro(_ number: JSONElement?, in element: JSONElement) throws(DecodingFault) -> ValueIndex {
    let index = try index(number, of: "macro", count: macroNames.count, in: element)
    if let reference = macroReferences[index] { return reference }
    let reference = try pool.add(.macro(name: macroNames[index]))
    macroReferences[index] = reference
    return reference
  }

  private mutating func indexes(_ items: JSONElement.Items) throws(DecodingFault) -> [ValueIndex] {
    var indexes: [ValueIndex] = []
    for item in items { indexes.append(try addPart(item)) }
    return indexes
  }

  private func index(
    _ element: JSONElement?, of what: String, count: Int, in parent: JSONElement
  ) throws(DecodingFault) -> Int {
    guard let number = element?.int else { throw Self.unknownForm(parent) }
    guard 0..<Int64(count) ~= number else {
      throw .indexOutOfRange(Int(number), of: what, count: count, at: "byte \(parent.offset)")
    }
    return Int(number)
  }

  private static func unknownForm(_ element: JSONElement) -> DecodingFault {
    DecodingFault(
      .unknownValueForm,
      "A JSON array is no form of a value; it begins with list, map, macro, macro-name, template, escape or tag.",
      at: "byte \(element.offset)")
  }
}
