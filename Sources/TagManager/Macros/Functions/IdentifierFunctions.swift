import Hits

extension MacroFunctions {
  /// Ids that only an `IdentifierProvider` of the app gives (TM-662).
  static let identifiers: [MacroFunction] = [
    MacroFunction(.advertiserID) { _, context in
      guard let identifiers = context.identifiers, identifiers.isTrackingAllowed else { return .missing(.noValue) }
      // All zeros is how platforms say that there is none.
      let id = identifiers.advertisingID
      return Evaluated(text: id.flatMap { $0.contains { $0 != "0" && $0 != "-" } ? $0 : nil })
    },
    MacroFunction(.adTracking) { _, context in .value(.bool(context.identifiers?.isTrackingAllowed ?? false)) },
    MacroFunction(.deviceID) { _, context in Evaluated(text: context.identifiers?.deviceID) },
    MacroFunction(.adwordsID) { _, context in Evaluated(text: context.identifiers?.deviceID) },
  ]
}
