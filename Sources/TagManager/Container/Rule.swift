/// A rule: when it passes, its tags and macros are added, others removed (TM-151).
///
/// All indexes stand in file order. The six lists share one array, for a file can have many rules of few indexes
/// (TM-160).
package struct Rule: Sendable, Hashable {
  /// The first id that annotates the rule, else `r<index>`.
  package var id: String
  /// The first name that annotates the rule; empty for none.
  package var name: String
  /// Five numbers, the ends of all lists but the last, then the indexes; empty when there are none.
  private var storage: [Int32]

  /// A rule of six lists, each empty unless it is given.
  package init(
    id: String, name: String = "", positive: [Int32] = [], negative: [Int32] = [], addedTags: [Int32] = [],
    removedTags: [Int32] = [], addedMacros: [Int32] = [], removedMacros: [Int32] = []
  ) {
    self.id = id
    self.name = name
    storage = Self.storage([positive, negative, addedTags, removedTags, addedMacros, removedMacros])
  }

  /// Predicates that must be true.
  package var positive: RuleIndexes {
    get { list(0) }
    set { replaceList(0, with: newValue) }
  }
  /// Predicates that must not be true.
  package var negative: RuleIndexes {
    get { list(1) }
    set { replaceList(1, with: newValue) }
  }
  /// Tags that fire unless another passing rule removes them.
  package var addedTags: RuleIndexes {
    get { list(2) }
    set { replaceList(2, with: newValue) }
  }
  /// Tags that do not fire, whoever adds them (TM-800).
  package var removedTags: RuleIndexes {
    get { list(3) }
    set { replaceList(3, with: newValue) }
  }
  /// Macros that become candidates for their name (TM-640).
  package var addedMacros: RuleIndexes {
    get { list(4) }
    set { replaceList(4, with: newValue) }
  }
  /// Macros that are no candidates for their name.
  package var removedMacros: RuleIndexes {
    get { list(5) }
    set { replaceList(5, with: newValue) }
  }

  private static let listCount = 6

  private func list(_ number: Int) -> RuleIndexes {
    guard !storage.isEmpty else { return [] }
    let start = number == 0 ? Self.listCount - 1 : Int(storage[number - 1])
    let end = number == Self.listCount - 1 ? storage.count : Int(storage[number])
    return RuleIndexes(storage[start..<end])
  }

  private mutating func replaceList(_ number: Int, with indexes: RuleIndexes) {
    var lists = (0..<Self.listCount).map { list($0).map(Int32.init) }
    lists[number] = indexes.map(Int32.init)
    storage = Self.storage(lists)
  }

  private static func storage(_ lists: [[Int32]]) -> [Int32] {
    let count = lists.reduce(0) { $0 + $1.count }
    guard count > 0 else { return [] }
    var storage: [Int32] = []
    storage.reserveCapacity(listCount - 1 + count)
    var end = Int32(listCount - 1)
    for list in lists.dropLast() {
      end += Int32(list.count)
      storage.append(end)
    }
    for list in lists { storage += list }
    return storage
  }
}

/// One list of a rule: indexes of predicates, tags or macros, read without being copied.
package struct RuleIndexes: RandomAccessCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral, Sendable {
  private var content: ArraySlice<Int32>

  init(_ content: ArraySlice<Int32>) { self.content = content }

  package init() { content = [] }

  package init(arrayLiteral indexes: Int...) { content = indexes.map(Int32.init)[...] }

  package var startIndex: Int { content.startIndex }
  package var endIndex: Int { content.endIndex }
  package subscript(position: Int) -> Int { Int(content[position]) }

  package mutating func replaceSubrange(_ range: Range<Int>, with indexes: some Collection<Int>) {
    content.replaceSubrange(range, with: indexes.map(Int32.init))
  }
}

extension RuleIndexes: Hashable {
  package static func == (left: RuleIndexes, right: RuleIndexes) -> Bool { left.content == right.content }

  package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
