import Hits

extension MacroFunctions {
  /// What the app's code, or a tag that builds on a macro, makes of the parameters.
  static let handlers: [MacroFunction] = [
    MacroFunction(.functionCall, requires: ["function_call_macro_name"], callHandler),
    MacroFunction(.analyticsSettings) { arguments, _ in
      .value(.map(arguments.values.filter { !$0.value.isAbsent }))
    },
  ]

  /// Calls the app's handler of the function name (TM-660).
  @Sendable
  private static func callHandler(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    guard let name = arguments.text("function_call_macro_name"), let handler = context.macroHandler(name) else {
      return .missing(.noHandler)
    }
    let parameters = (arguments["additional_params"]?.map ?? [:]).filter { !$0.value.isAbsent }
    do {
      guard let value = try handler.value(forMacro: name, parameters: parameters), !value.isAbsent else {
        return .missing(.handlerReturnedNothing)
      }
      return .value(value)
    } catch {
      return .missing(.handlerFailed("\(error)"))
    }
  }
}
