public import Hits

/// The app's code behind a function-call macro (TM-660).
public protocol FunctionCallMacroHandler: Sendable {
  /// The macro's value; nil for none.
  ///
  /// - Parameters:
  ///   - name: the function name the macro names.
  ///   - parameters: the macro's `additional_params`.
  /// - Throws: anything; the macro then has no value, and the trace tells the error.
  func value(forMacro name: String, parameters: [String: Value]) throws -> Value?
}

/// The app's code behind a function-call tag (TM-820).
public protocol FunctionCallTagHandler: Sendable {
  /// Does what the tag is for, on the evaluating thread.
  ///
  /// - Parameters:
  ///   - name: the function name the tag names.
  ///   - parameters: the tag's parameters.
  /// - Throws: anything; the tag's status is then `failed(handler)`.
  func execute(_ name: String, parameters: [String: Value]) throws
}
