import Hits

/// What an install puts in force: a plan, and what goes with it as long as it lasts (TM-341).
final class ContainerContent: Sendable {
  let plan: EvaluationPlan
  let generation: Int
  let origin: ContainerOrigin
  let diagnostics: [Diagnostic]
  let cache = StaticCache()
  let id: ContainerID
  private let environment: Environment
  /// What has been said once about this content.
  private let once: OnceLog
  private let surroundings: MacroSurroundings

  init(
    _ loaded: LoadedContent, id: ContainerID, generation: Int, handlers: HandlerRegistry, environment: Environment
  ) {
    let once = OnceLog()
    let ports = environment.ports
    let plan = EvaluationPlan(loaded.container, id: id, clock: ports.clock)
    self.plan = plan
    self.generation = generation
    origin = loaded.origin
    diagnostics = loaded.diagnostics + plan.diagnostics
    self.id = id
    self.environment = environment
    self.once = once
    surroundings = MacroSurroundings(
      containerID: id, containerVersion: loaded.container.version, device: ports.device,
      identifiers: ports.identifiers, random: ports.random, regexes: plan.regexes,
      clickString: { [facts = environment.facts] in facts.clickString($0) },
      macroHandler: { name in handlers.macroHandler(for: name) ?? environment.handlers.macroHandler(for: name) },
      report: { Self.report($0, of: id, once, environment) })
  }

  /// What a pass may see.
  func context(
    model: DataLayerModel, event: String? = nil, update: [String: Value] = [:], time: Int64
  ) -> MacroContext {
    MacroContext(
      dataLayer: model, event: event, update: update, time: time, consent: environment.settings.consent,
      in: surroundings)
  }

  /// Whether a message about a subject is the first one.
  func isFirst(_ subject: OnceLog.Subject) -> Bool { once.isFirst(subject) }

  /// Says, once, what a pass found out for the author.
  func tell(_ remarks: [EvaluationPass.Remark]) {
    for remark in remarks where once.isFirst(.remark(remark)) {
      environment.log(.warning, "\(id) \(remark.message(in: plan))")
    }
  }

  /// Tells the author something that evaluation or a tag found out, once.
  func report(_ diagnostic: Diagnostic) { Self.report(diagnostic, of: id, once, environment) }

  private static func report(
    _ diagnostic: Diagnostic, of id: ContainerID, _ once: OnceLog, _ environment: Environment
  ) {
    guard once.isFirst(.diagnostic(diagnostic)) else { return }
    environment.log(diagnostic.severity.logLevel, "\(id) \(diagnostic.message)")
  }
}
