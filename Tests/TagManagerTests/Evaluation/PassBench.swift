import Hits
import TestSupport

@testable import TagManager

/// A pass over a sketch, without a running manager.
struct PassBench {
  let clock = ManualClock()
  let plan: EvaluationPlan
  let cache = StaticCache()
  var device: any Device = FixedDevice()
  var random: any RandomSource = SeededRandomSource(seed: 1)
  var macroHandlers: [String: any FunctionCallMacroHandler] = [:]

  init(_ sketch: ContainerSketch) {
    plan = EvaluationPlan(sketch.container, id: "GTM-TEST", clock: clock)
  }

  func pass(_ update: [String: Value] = [:], detail: TraceDetail = .full, cached: Bool = false) -> EvaluationPass {
    let handlers = macroHandlers
    let surroundings = MacroSurroundings(
      containerID: "GTM-TEST", containerVersion: "1", device: device, identifiers: nil, random: random,
      regexes: plan.regexes, clickString: { _ in nil }, macroHandler: { handlers[$0] }, report: { _ in })
    let context = MacroContext(
      dataLayer: DataLayerModel(update), event: DataLayerModel.eventName(of: update), update: update, time: 0,
      consent: .all, in: surroundings)
    return EvaluationPass(plan, context: context, cache: cached ? cache : nil, detail: detail)
  }

  /// What a macro name gives after an update.
  func evaluated(_ name: String, _ update: [String: Value] = [:]) -> Evaluated {
    guard let index = plan.index(ofName: name) else { return .failed(.unknownMacro) }
    var pass = pass(update)
    return pass.result(ofName: index).evaluated
  }

  /// The tags that an event fires, in order.
  func fires(_ update: [String: Value]) -> [Int] {
    guard let event = DataLayerModel.eventName(of: update) else { return [] }
    var pass = pass(update)
    return pass.decide(event: event).fires.map(\.tag)
  }
}
