/// The functions that compare `arg0` with `arg1` (TM-701).
extension FunctionName {
  /// The texts are equal.
  public static let equals = FunctionName(rawValue: "equals")
  /// The second text is inside the first.
  public static let contains = FunctionName(rawValue: "contains")
  /// The first text starts with the second.
  public static let startsWith = FunctionName(rawValue: "startsWith")
  /// The first text ends with the second.
  public static let endsWith = FunctionName(rawValue: "endsWith")
  /// The second text, a regular expression, is found in the first.
  public static let matchesRegex = FunctionName(rawValue: "matchesRegex")
  /// Both are numbers, the first less than the second.
  public static let less = FunctionName(rawValue: "less")
  /// Both are numbers, the first not more than the second.
  public static let lessOrEqual = FunctionName(rawValue: "lessOrEqual")
  /// Both are numbers, the first more than the second.
  public static let greater = FunctionName(rawValue: "greater")
  /// Both are numbers, the first not less than the second.
  public static let greaterOrEqual = FunctionName(rawValue: "greaterOrEqual")
  /// A known id that is not implemented: it fails with `unknownFunction` and is never true (TM-701).
  public static let cssSelector = FunctionName(rawValue: "_css")
  /// A known id that is not implemented: it fails with `unknownFunction` and is never true (TM-701).
  public static let urlMatches = FunctionName(rawValue: "_um")
}

extension FunctionTable {
  /// The functions of predicates.
  package static let predicates = FunctionTable([
    Entry(.equals, binary: "_eq"),
    Entry(.contains, binary: "_cn"),
    Entry(.startsWith, binary: "_sw"),
    Entry(.endsWith, binary: "_ew"),
    Entry(.matchesRegex, binary: "_re"),
    Entry(.less, binary: "_lt"),
    Entry(.lessOrEqual, binary: "_le"),
    Entry(.greater, binary: "_gt"),
    Entry(.greaterOrEqual, binary: "_ge"),
    Entry(.cssSelector, binary: "_css"),
    Entry(.urlMatches, binary: "_um"),
  ])
}
