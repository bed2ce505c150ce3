/// One value inside a `JSONDocument`.
package struct JSONElement: Sendable {
  /// What a value can be.
  package enum Kind: Sendable {
    case null, bool, number, text, array, object
  }

  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }

  /// What this is.
  package var kind: Kind {
    switch node.kind {
    case .null: .null
    case .true, .false: .bool
    case .number: .number
    case .text, .escapedText: .text
    case .array: .array
    case .object: .object
    }
  }

  /// The byte where it begins; of a text the one after its quote.
  package var offset: Int { node.offset }

  /// The text; nil when this is none.
  package var string: String? {
    switch node.kind {
    case .text: String(decoding: content, as: UTF8.self)
    case .escapedText: JSONText.unescaped(content)
    default: nil
    }
  }

  /// The truth value; nil when this is none.
  package var bool: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The whole number; nil when this is none or outside `Int64`.
  package var int: Int64? {
    if case .int(let number) = number { number } else { nil }
  }

  /// The number, an `int` when it is whole and inside `Int64`, else a `double`; nil when this is none.
  package var number: Value? {
    node.kind == .number ? JSONText.number(content) : nil
  }

  /// The items of an array in order; none when this is no array.
  package var items: Items {
    node.kind == .array ? Items(document: document, index: index + 1, end: node.extent) : Items(document: document)
  }

  /// The members of an object in order, with every occurrence of a key; none when this is no object.
  package var members: Members {
    Members(items: node.kind == .object ? Items(document: document, index: index + 1, end: node.extent) : nil)
  }

  /// The value of an object's key, the last one when it occurs more than once.
  package subscript(key: String) -> JSONElement? {
    var found: JSONElement?
    for member in members where member.key == key { found = member.value }
    return found
  }

  /// Whether this is a text of these bytes, without making a `String`.
  package func isText(_ text: StaticString) -> Bool {
    guard node.kind == .text else { return string == text.description }
    return content.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// All of it as a `Value`; of a key that occurs more than once the last counts.
  package var value: Value {
    switch node.kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .number: number ?? .null
    case .text, .escapedText: .string(string ?? "")
    case .array: .list(list)
    case .object: .map(map)
    }
  }

  private var list: [Value] {
    var list: [Value] = []
    list.reserveCapacity(items.count)
    for item in items { list.append(item.value) }
    return list
  }

  private var map: [String: Value] {
    var map = [String: Value](minimumCapacity: members.count)
    for member in members { map[member.key] = member.value.value }
    return map
  }

  private var content: ArraySlice<UInt8> {
    document.bytes[node.offset..<node.offset + node.extent]
  }

  /// The index of the first node that is not part of this value.
  fileprivate var end: Int {
    switch node.kind {
    case .array, .object: node.extent
    default: index + 1
    }
  }
}

extension JSONElement {
  /// The items of an array.
  package struct Items: Sequence, IteratorProtocol {
    fileprivate let document: JSONDocument
    fileprivate var index = 0
    fileprivate var end = 0

    /// How many there are; counting them skips from one to the next.
    package var count: Int {
      var (items, count) = (self, 0)
      while items.next() != nil { count += 1 }
      return count
    }

    package mutating func next() -> JSONElement? {
      guard index < end else { return nil }
      let element = JSONElement(document: document, index: index)
      index = element.end
      return element
    }
  }

  /// The members of an object.
  package struct Members: Sequence, IteratorProtocol {
    /// A key and its value.
    package struct Member {
      /// The key as an element, which is a text.
      package let name: JSONElement
      /// What the key stands for.
      package let value: JSONElement

      /// The key's text.
      package var key: String { name.string ?? "" }
    }

    fileprivate var items: Items?

    /// How many there are, every occurrence of a key counted.
    package var count: Int { (items?.count ?? 0) / 2 }

    package mutating func next() -> Member? {
      guard let name = items?.next(), let value = items?.next() else { return nil }
      return Member(name: name, value: value)
    }
  }
}
