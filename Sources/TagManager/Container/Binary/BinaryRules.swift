/// Reads `Rule` messages (TM-120).
///
///     1 positivePredicate · 2 negativePredicate · 3 addTag · 4 removeTag · 7 addMacro · 8 removeMacro
///     5 6 9 10 the names and 11 12 13 14 the ids of the entries of 3 4 7 8, as indexes of values
struct BinaryRules {
  let bytes: [UInt8]
  /// How many predicates, tags and macros there are.
  let counts: (predicates: Int, tags: Int, macros: Int)
  let limits: DecodeLimits
  /// The text of a value; nil when it is none.
  let text: (Int32) throws(DecodingFault) -> String?

  func rule(
    _ range: Range<Int>, at index: Int, diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> Rule {
    var lists = [[Int32]](repeating: [], count: 15)
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      if 1...14 ~= field.number {
        try reader.readInt32s(field, into: &lists[field.number])
      } else {
        try reader.skip(field)
      }
    }
    func location() -> String { "rules[\(index)]" }
    guard [1, 2, 3, 4, 7, 8].reduce(0, { $0 + lists[$1].count }) <= limits.indexesPerRule else {
      throw .tooMany("indexes of one rule", limit: limits.indexesPerRule, at: location())
    }
    for list in [1, 2] { try check(lists[list], of: "predicate", count: counts.predicates, at: location()) }
    for list in [3, 4] { try check(lists[list], of: "tag", count: counts.tags, at: location()) }
    for list in [7, 8] { try check(lists[list], of: "macro", count: counts.macros, at: location()) }
    var rule = Rule(
      id: "r\(index)", positive: lists[1], negative: lists[2], addedTags: lists[3], removedTags: lists[4],
      addedMacros: lists[7], removedMacros: lists[8])

    var isUneven = false
    for (list, names, ids) in [(3, 5, 11), (4, 6, 12), (7, 9, 13), (8, 10, 14)] {
      for annotations in [lists[names], lists[ids]] where !annotations.isEmpty {
        isUneven = isUneven || annotations.count != lists[list].count
      }
      if rule.name.isEmpty { rule.name = try firstText(lists[names].prefix(lists[list].count)) ?? "" }
    }
    if isUneven {
      diagnostics.add(
        Diagnostic(
          .info, .unevenRuleNames, "A rule has not as many names as entries; the missing ones are empty.",
          at: location()))
    }
    for (list, ids) in [(3, 11), (4, 12), (7, 13), (8, 14)] {
      guard let id = try firstText(lists[ids].prefix(lists[list].count)) else { continue }
      rule.id = id
      break
    }
    return rule
  }

  private func check(
    _ list: [Int32], of what: String, count: Int, at location: @autoclosure () -> String
  ) throws(DecodingFault) {
    for index in list where index < 0 || index >= count {
      throw .indexOutOfRange(Int(index), of: what, count: count, at: location())
    }
  }

  /// The first text that is not empty.
  private func firstText(_ annotations: ArraySlice<Int32>) throws(DecodingFault) -> String? {
    for index in annotations {
      if let text = try text(index), !text.isEmpty { return text }
    }
    return nil
  }
}
