import Hits

/// The parameters of a call by key: a small sorted table, which reads like a dictionary.
///
/// Calls have few parameters and a container may have many calls, so one sorted array costs less memory and time than
/// a dictionary each (TM-160). Keys stand in byte order; their order has no meaning (TM-150).
package struct Parameters: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  package typealias Element = (key: String, value: ValueIndex)

  private struct Entry: Sendable, Hashable {
    let key: String
    var value: ValueIndex
  }

  private var entries: [Entry]

  /// No parameters.
  package init() { entries = [] }

  /// Takes pairs in any order; of a key given twice the last counts.
  package init(_ pairs: some Sequence<(String, ValueIndex)>) {
    self.init()
    for (key, value) in pairs { self[key] = value }
  }

  package init(dictionaryLiteral elements: (String, ValueIndex)...) { self.init(elements) }

  /// The value of a key, nil when it is not given; setting nil removes the key.
  package subscript(key: String) -> ValueIndex? {
    get {
      let position = position(of: key)
      return isKey(key, at: position) ? entries[position].value : nil
    }
    set {
      let position = position(of: key)
      let isPresent = isKey(key, at: position)
      switch newValue {
      case let value? where isPresent: entries[position].value = value
      case let value?: entries.insert(Entry(key: key, value: value), at: position)
      case nil: if isPresent { entries.remove(at: position) }
      }
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }
  package subscript(position: Int) -> Element { (entries[position].key, entries[position].value) }

  /// The keys in byte order.
  package var keys: [String] { entries.map(\.key) }

  /// Adds a key that stands after all others, as a decoder gives them.
  mutating func append(key: String, value: ValueIndex) { entries.append(Entry(key: key, value: value)) }

  /// Makes room for a number of entries at once.
  package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

  /// Where the key is, or would be inserted.
  private func position(of key: String) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(entries[middle].key, key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isKey(_ key: String, at position: Int) -> Bool {
    position < entries.count && entries[position].key.hasSameScalars(as: key)
  }

  /// Byte order; texts that are canonically equivalent but differ in bytes are different keys.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.precedesInBytes(right)
  }
}
