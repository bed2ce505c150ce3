import Hits
import TestSupport

@testable import TagManager

extension MacroContext {
  /// A context outside an event, with an empty data layer; a test sets what it is about.
  static func test(_ change: (inout MacroContext) -> Void = { _ in }) -> MacroContext {
    var context = MacroContext(
      dataLayer: DataLayerModel(), event: nil, update: [:], time: 1_800_000_000_123, containerID: "GTM-TEST",
      containerVersion: "7", consent: .all, device: FixedDevice(), identifiers: nil,
      random: SeededRandomSource(seed: 1), clickString: { _ in nil }, macroHandler: { _ in nil },
      regexes: RegexCache(clock: ManualClock()), report: { _ in })
    change(&context)
    return context
  }
}

/// What the function behind an id gives.
func evaluate(
  _ id: String, _ arguments: [String: Value] = [:], semantics: CompiledContainer.Semantics = .standard,
  in context: MacroContext = .test()
) -> Evaluated? {
  FunctionKind.macro.table.name(ofID: id).flatMap { MacroFunctions[$0] }?
    .evaluate(Arguments(arguments, semantics: semantics), in: context)
}
