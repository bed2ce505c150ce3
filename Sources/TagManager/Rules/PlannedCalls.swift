package import Hits

/// A macro, ready to evaluate.
package struct PlannedMacro: Sendable {
  package let function: FunctionName
  /// What evaluates it; nil for a function that no table names.
  package let implementation: MacroFunction?
  /// The parameter that the function needs and the call does not give, if there is one.
  package let lackingParameter: String?
  /// The parameters of the function itself.
  package let parameters: PlannedParameters
  /// What replaces the result, if anything does (TM-645).
  package let format: ResultFormat?
  package let pushAfterEvaluate: ValueIndex?
  /// The value, when it is a constant of the file and nothing more.
  package let constant: Value?

  init(_ call: Call, _ values: PlannedValues) {
    function = call.function
    implementation = MacroFunctions[call.function]
    lackingParameter = implementation?.requiredParameters.first { call.parameters[$0] == nil }
    format = ResultFormat(call.parameters)
    pushAfterEvaluate = call.pushAfterEvaluate
    parameters = PlannedParameters(call.parameters.filter { !ResultFormat.keys.contains($0.key) }, values)
    let isPlain = function == .constant && format == nil && pushAfterEvaluate == nil
    let value = isPlain ? call.parameters["value"].flatMap(values.constant) : nil
    constant = value.flatMap { $0.isAbsent ? nil : $0 }
  }
}

extension PlannedMacro {
  /// Whether equal parameters always give an equal value (TM-617).
  package var isCacheable: Bool { implementation?.isCacheable ?? false }

  /// The function name of a function-call macro, for messages.
  package func handlerName(_ values: PlannedValues) -> String {
    let name = parameters.entries.first { $0.key == "function_call_macro_name" }
    return name.flatMap { values.constant($0.value)?.string } ?? function.rawValue
  }
}

/// A tag, ready to fire.
package struct PlannedTag: Sendable {
  /// What fires it; nil for a function that is the app's to register (TM-850).
  package let implementation: (any BuiltInTag)?
  package let parameters: PlannedParameters
  /// Its place among all tags when they fire together: lower fires first (TM-801).
  package let rank: Int

  init(_ call: Call, _ values: PlannedValues, rank: Int) {
    implementation = BuiltInTags[call.function]
    parameters = PlannedParameters(call.parameters.map { $0 }, values)
    self.rank = rank
  }
}

/// The parameters of a call, in byte order of their keys.
package struct PlannedParameters: Sendable {
  package let entries: [(key: String, value: ValueIndex)]
  /// All of them, when no event can change any.
  package let constant: [String: Value]?

  init(_ entries: [(key: String, value: ValueIndex)], _ values: PlannedValues) {
    self.entries = entries
    var folded: [String: Value]? = [:]
    for entry in entries {
      guard let value = values.constant(entry.value) else {
        folded = nil
        break
      }
      if !value.isAbsent { folded?[entry.key] = value }
    }
    constant = folded
  }
}

/// What replaces the result of a macro, after its own default (TM-645).
package struct ResultFormat: Sendable {
  package let convertCase: ValueIndex?
  package let convertNull: ValueIndex?
  package let convertUndefined: ValueIndex?
  package let convertTrue: ValueIndex?
  package let convertFalse: ValueIndex?

  static let keys: Set<String> = [
    "convert_case_to", "convert_null_to", "convert_undefined_to", "convert_true_to", "convert_false_to",
  ]

  init?(_ parameters: Parameters) {
    guard parameters.contains(where: { Self.keys.contains($0.key) }) else { return nil }
    convertCase = parameters["convert_case_to"]
    convertNull = parameters["convert_null_to"]
    convertUndefined = parameters["convert_undefined_to"]
    convertTrue = parameters["convert_true_to"]
    convertFalse = parameters["convert_false_to"]
  }

  var indexes: [ValueIndex] {
    [convertCase, convertNull, convertUndefined, convertTrue, convertFalse].compactMap { $0 }
  }
}
