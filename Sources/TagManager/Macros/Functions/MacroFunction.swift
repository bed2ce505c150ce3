/// A function that gives macros their values (§600.3): a pure function of its arguments and what the context shows.
package struct MacroFunction: Sendable {
  /// Its canonical name.
  package let name: FunctionName
  /// The parameters a call must give; one that lacks them is failed(`missingParameter`), whatever their values.
  package let requiredParameters: [String]
  /// Whether equal arguments always give an equal value, for one container and one install (TM-617).
  package let isCacheable: Bool
  private let body: @Sendable (Arguments, MacroContext) -> Evaluated

  init(
    _ name: FunctionName, requires requiredParameters: [String] = [], isCacheable: Bool = false,
    _ body: @escaping @Sendable (Arguments, MacroContext) -> Evaluated
  ) {
    self.name = name
    self.requiredParameters = requiredParameters
    self.isCacheable = isCacheable
    self.body = body
  }

  /// The value of a call.
  package func evaluate(_ arguments: Arguments, in context: MacroContext) -> Evaluated { body(arguments, context) }
}

/// All macro functions by name; a family is a file.
package enum MacroFunctions {
  private static let all = Dictionary(
    uniqueKeysWithValues: [
      data, tables, device, identifiers, container, numbers, referrers, encoding, texts, handlers,
    ].joined().map { ($0.name, $0) })

  /// The function of a name; nil when there is none.
  package static subscript(name: FunctionName) -> MacroFunction? { all[name] }
}
