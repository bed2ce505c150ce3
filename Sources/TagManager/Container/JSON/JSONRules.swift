import Hits

/// Reads the rules of compiled JSON (TM-136).
///
///     rule   = [clause…]
///     clause = ["if" | "unless", predicate…] | ["add" | "block", tag…] | ["add-macro" | "remove-macro", macro…]
///            | ["name" | "id", text]
struct JSONRules {
  /// How many predicates, tags and macros there are.
  let counts: (predicates: Int, tags: Int, macros: Int)
  let limits: DecodeLimits

  func rule(_ element: JSONElement, at index: Int) throws(DecodingFault) -> Rule {
    guard element.kind == .array else { throw unknownClause(element, in: index) }
    var (name, id) = ("", "")
    var lists = [[Int32]](repeating: [], count: Self.words.count)
    var indexCount = 0
    for clause in element.items {
      var items = clause.items
      guard let word = items.next()?.string else { throw unknownClause(clause, in: index) }
      if word == "name" || word == "id" {
        guard let text = items.next()?.string, items.next() == nil else { throw unknownClause(clause, in: index) }
        if word == "name", name.isEmpty { name = text }
        if word == "id", id.isEmpty { id = text }
        continue
      }
      guard let list = Self.words.firstIndex(of: word) else { throw unknownClause(clause, in: index) }
      let (what, count) = target(of: list)
      while let item = items.next() {
        indexCount += 1
        guard indexCount <= limits.indexesPerRule else {
          throw .tooMany("indexes of one rule", limit: limits.indexesPerRule, at: "rules[\(index)]")
        }
        guard let number = item.int else { throw unknownClause(clause, in: index) }
        guard 0..<Int64(count) ~= number else {
          throw .indexOutOfRange(Int(number), of: what, count: count, at: "rules[\(index)] (byte \(item.offset))")
        }
        lists[list].append(Int32(number))
      }
    }
    return Rule(
      id: id.isEmpty ? "r\(index)" : id, name: name, positive: lists[0], negative: lists[1], addedTags: lists[2],
      removedTags: lists[3], addedMacros: lists[4], removedMacros: lists[5])
  }

  /// The words of the clauses with indexes, in the order of a rule's lists.
  private static let words = ["if", "unless", "add", "block", "add-macro", "remove-macro"]

  /// What the indexes of a list point at.
  private func target(of list: Int) -> (String, count: Int) {
    switch list {
    case 0, 1: ("predicate", counts.predicates)
    case 2, 3: ("tag", counts.tags)
    default: ("macro", counts.macros)
    }
  }

  private func unknownClause(_ element: JSONElement, in index: Int) -> DecodingFault {
    DecodingFault(
      .unknownClause,
      "A rule has a clause that does not exist; it begins with if, unless, add, block, add-macro, remove-macro, name or id.",
      at: "rules[\(index)] (byte \(element.offset))")
  }
}
