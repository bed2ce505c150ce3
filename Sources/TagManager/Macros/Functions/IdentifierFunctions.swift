import Hits

extension MacroFunctions {
  /// Ids that only an `IdentifierProvider` of the app gives (TM-662).
  static let identifiers: [MacroFunction] = [
    MacroFunction(.advertiserID) { _, context in
      Evaluated(text: context.identifiers?.usableAdvertisingID)
    },
    MacroFunction(.adTracking) { _, context in .value(.bool(context.identifiers?.isTrackingAllowed ?? false)) },
    MacroFunction(.deviceID) { _, context in Evaluated(text: context.identifiers?.deviceID) },
    MacroFunction(.adwordsID) { _, context in Evaluated(text: context.identifiers?.deviceID) },
  ]
}
