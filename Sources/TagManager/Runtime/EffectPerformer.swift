import Hits

/// Does what one built-in tag wants done, effect after effect.
///
/// An effect that fails gives the tag its status; the effects after it are done all the same.
struct EffectPerformer {
  let container: Container
  let content: ContainerContent
  /// What became of the tag so far.
  private(set) var status = TagOutcome.Status.fired
  /// The hits that were taken in.
  private(set) var hitIDs: [HitID] = []
  /// The app's handler that was called and has returned.
  private(set) var calledHandler: String?
  /// Whether a hit of the tag was refused.
  private var isRefused = false

  init(container: Container, content: ContainerContent) {
    self.container = container
    self.content = content
  }

  mutating func perform(_ effect: TagEffect) {
    let environment = container.environment
    switch effect {
    case .send(let hit, let tracker):
      let receipt = environment.ports.sink.send(hit, tracker: tracker)
      if case .refused(let refusal) = receipt.state {
        isRefused = true
        fail(.sink(refusal))
      } else if let id = receipt.id {
        hitIDs.append(id)
      }
    case .callHandler(let name, let parameters): call(name, parameters)
    case .clear(let prefix): container.dataLayer.clear(prefix: prefix)
    case .push(let update): container.dataLayer.push(update)
    case .request(let request):
      environment.requests.send(request)
      start()
    case .spend(let id):
      // What was refused has not fired.
      if !isRefused { environment.facts.spend(image: id) }
    case .warn(let diagnostic): content.report(diagnostic)
    case .blockFilters: break  // a matter of the whole event, which the runner settles
    }
  }

  private mutating func fail(_ failure: TagFailure) {
    if case .failed = status { return }
    status = .failed(failure)
  }

  private mutating func start() {
    if status == .fired { status = .started }
  }

  /// Calls the app's handler of a function name (TM-820, TM-821).
  private mutating func call(_ name: String, _ parameters: [String: Value]) {
    let environment = container.environment
    switch container.handlers.handler(ofTag: name) ?? environment.handlers.handler(ofTag: name) {
    case nil:
      if environment.once.isFirst(.noHandler(name)) {
        environment.log(
          .warning, "\(container.id) Function-call tag '\(name)' fired, but no handler is registered for it.")
      }
      fail(.noHandler)
    case .asynchronous(let handler):
      start()
      Task { [container] in
        do { try await handler.body(parameters) } catch { Self.tell(error, of: name, container) }
      }
    case .immediate(let handler):
      calledHandler = name
      do {
        try handler.execute(name, parameters: parameters)
      } catch {
        Self.tell(error, of: name, container)
        fail(.handler)
      }
    }
  }

  private static func tell(_ error: any Error, of name: String, _ container: Container) {
    container.environment.log(.error, "\(container.id) The handler of '\(name)' failed: \(error)")
  }
}
