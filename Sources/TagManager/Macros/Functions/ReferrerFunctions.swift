import Hits

extension MacroFunctions {
  /// Where the person came from, as a query or one item of it.
  static let referrers: [MacroFunction] = [
    MacroFunction(.clickReferrer, requires: ["conversion_id"]) { arguments, context in
      component(arguments, of: arguments.text("conversion_id").flatMap(context.clickString))
    },
    MacroFunction(.installReferrer) { arguments, context in
      component(arguments, of: context.device.installReferrer)
    },
  ]

  private static func component(_ arguments: Arguments, of query: String?) -> Evaluated {
    guard let query, let name = arguments.text("component"), !name.isEmpty else { return Evaluated(text: query) }
    return Evaluated(text: QueryText(query)[name])
  }
}
