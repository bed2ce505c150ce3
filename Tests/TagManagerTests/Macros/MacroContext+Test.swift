import Hits
import TestSupport

@testable import TagManager

/// A context outside an event, with an empty data layer; a test sets what it is about.
struct MacroContextSketch {
  var dataLayer = DataLayerModel()
  var event: String?
  var update: [String: Value] = [:]
  var time: Int64 = 1_800_000_000_123
  var consent = Consent.all
  var device: any Device = FixedDevice()
  var identifiers: (any IdentifierProvider)?
  var regexes = RegexCache(clock: ManualClock())
  var clickString: @Sendable (String) -> String? = { _ in nil }
  var macroHandler: @Sendable (String) -> (any FunctionCallMacroHandler)? = { _ in nil }
  var report: @Sendable (Diagnostic) -> Void = { _ in }

  fileprivate var context: MacroContext {
    MacroContext(
      dataLayer: dataLayer, event: event, update: update, time: time, consent: consent,
      in: MacroSurroundings(
        containerID: "GTM-TEST", containerVersion: "7", device: device, identifiers: identifiers,
        random: SeededRandomSource(seed: 1), regexes: regexes, clickString: clickString, macroHandler: macroHandler,
        report: report))
  }
}

extension MacroContext {
  static func test(_ change: (inout MacroContextSketch) -> Void = { _ in }) -> MacroContext {
    var sketch = MacroContextSketch()
    change(&sketch)
    return sketch.context
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
