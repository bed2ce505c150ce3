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
    var rule = Rule(id: "")
    var indexCount = 0
    guard element.kind == .array else { throw unknownClause(element, in: index) }
    for clause in element.items {
      var items = clause.items
      guard let word = items.next()?.string else { throw unknownClause(clause, in: index) }
      switch word {
      case "name", "id":
        guard let text = items.next()?.string, items.next() == nil else { throw unknownClause(clause, in: index) }
        if word == "name", rule.name.isEmpty { rule.name = text }
        if word == "id", rule.id.isEmpty { rule.id = text }
      default:
        guard let (list, what, count) = list(word) else { throw unknownClause(clause, in: index) }
        while let item = items.next() {
          indexCount += 1
          guard indexCount <= limits.indexesPerRule else {
            throw .tooMany("indexes of one rule", limit: limits.indexesPerRule, at: "rules[\(index)]")
          }
          guard let number = item.int else { throw unknownClause(clause, in: index) }
          guard 0..<Int64(count) ~= number else {
            throw .indexOutOfRange(Int(number), of: what, count: count, at: "rules[\(index)] (byte \(item.offset))")
          }
          rule[keyPath: list].append(Int(number))
        }
      }
    }
    if rule.id.isEmpty { rule.id = "r\(index)" }
    return rule
  }

  /// The list that a clause fills, and what its indexes point at.
  private func list(_ word: String) -> (WritableKeyPath<Rule, [Int]>, String, Int)? {
    switch word {
    case "if": (\.positive, "predicate", counts.predicates)
    case "unless": (\.negative, "predicate", counts.predicates)
    case "add": (\.addedTags, "tag", counts.tags)
    case "block": (\.removedTags, "tag", counts.tags)
    case "add-macro": (\.addedMacros, "macro", counts.macros)
    case "remove-macro": (\.removedMacros, "macro", counts.macros)
    default: nil
    }
  }

  private func unknownClause(_ element: JSONElement, in index: Int) -> DecodingFault {
    DecodingFault(
      .unknownClause,
      "A rule has a clause that does not exist; it begins with if, unless, add, block, add-macro, remove-macro, name or id.",
      at: "rules[\(index)] (byte \(element.offset))")
  }
}
