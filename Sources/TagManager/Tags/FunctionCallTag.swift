import Hits

/// Calls the app's handler of a function name (TM-820).
///
///     binary           function_call_macro_name, additional_params: map
///     compiled JSON    classPath, functionArgument: list of {key, value}
struct FunctionCallTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    if call["function_call_macro_name"] == nil, call["classPath"] != nil {
      let arguments = call.rows("functionArgument", "key", "value")
      return [.callHandler(try call.required("classPath"), parameters: Self.parameters(arguments))]
    }
    let name = try call.required("function_call_macro_name")
    return [.callHandler(name, parameters: Self.parameters(call.entries("additional_params")))]
  }

  private static func parameters(_ entries: [(key: String, value: Value)]) -> [String: Value] {
    Dictionary(entries.filter { !$0.value.isAbsent }.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
  }
}
