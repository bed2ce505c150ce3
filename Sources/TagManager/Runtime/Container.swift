import Hits

/// An open container: values for the app, and rules that turn events into tags.
///
///     let container = try tagManager.openContainer("GTM-XXXX")
///     title.text = container.string(for: "title_string")
///
/// It may be used from any thread. Content that is loaded later replaces the content in force at once; an evaluation
/// under way finishes on the old one (TM-341).
public final class Container: Sendable {
  private struct State {
    var content: ContainerContent
    var isClosed = false
    /// The tags that fire once per load and have (TM-803).
    var spentTags: Set<SpentTag> = []
  }

  /// The container's id.
  public let id: ContainerID
  /// The handlers of this container alone; those of the manager answer where these have none (TM-821).
  public let handlers = HandlerRegistry()

  let environment: Environment
  let dataLayer: DataLayer
  private let registry: ContainerRegistry
  private let tagSurroundings: TagSurroundings
  private let state: Locked<State>

  init(
    id: ContainerID, content: LoadedContent, environment: Environment, dataLayer: DataLayer,
    registry: ContainerRegistry
  ) {
    self.id = id
    self.environment = environment
    self.dataLayer = dataLayer
    self.registry = registry
    tagSurroundings = TagSurroundings(environment)
    let content = ContainerContent(
      content, id: id, generation: 1, handlers: handlers, environment: environment)
    state = Locked(State(content: content))
  }

  /// The version of the content in force; may be empty.
  public var version: String { content.plan.container.version }
  /// Which installed content is in force, counted from 1.
  public var generation: Int { content.generation }
  /// Where the content in force comes from.
  public var origin: ContainerOrigin { content.origin }
  /// Whether the content in force is what the app ships with, or nothing (TM-406).
  public var isDefault: Bool { origin == .default || origin == .empty }
  /// What loading the content found out (TM-170).
  public var diagnostics: [Diagnostic] { content.diagnostics }

  /// Stops evaluation for this container and frees its id; closing twice does nothing (TM-333).
  public func close() {
    state.withLock { $0.isClosed = true }
    registry.remove(self)
  }

  var content: ContainerContent { state.withLock { $0.content } }

  /// The content in force; nil once the container is closed.
  var openContent: ContainerContent? { state.withLock { $0.isClosed ? nil : $0.content } }
}

extension Container {
  /// A tag that fires once per load, known by what outlives a refresh.
  struct SpentTag: Hashable, Sendable {
    private let id: String?
    private let name: String
    private let index: Int?

    init(_ tag: Call, index: Int) {
      id = tag.tagID
      name = tag.name
      self.index = tag.tagID == nil && tag.name.isEmpty ? index : nil
    }
  }

  func isSpent(_ tag: SpentTag) -> Bool { state.withLock { $0.spentTags.contains(tag) } }

  func spend(_ tag: SpentTag) { state.withLock { _ = $0.spentTags.insert(tag) } }

  /// What a built-in tag may see.
  func tagContext(of event: PushedEvent) -> TagContext {
    TagContext(dataLayer: event.model, time: event.time, in: tagSurroundings)
  }
}

extension Container {
  /// Evaluates an event; nil when the container is closed.
  func evaluate(_ event: PushedEvent, detail: TraceDetail, _ watch: inout Stopwatch) -> ContainerRecord? {
    guard let content = openContent else { return nil }
    let index = content.plan.tagRules
    let rules = index.rules(for: event.name)
    var record = ContainerRecord(content: content, rulesSkippedByEvent: index.skipped(besides: rules))
    if !rules.isEmpty {
      watch.start()
      var runner = TagRunner(container: self, content: content, event: event, detail: detail, watch)
      record.tags = runner.run(rules)
      record.answers = runner.answers
      watch = runner.watch
    }
    environment.log(.debug, "\(id) \(record.summary(of: event.name))")
    return record
  }
}

extension ContainerRecord {
  /// One line about an event (TM-1105).
  fileprivate func summary(of event: String) -> String {
    guard !tags.isEmpty else { return "Event '\(event)' fires no tag." }
    return "Event '\(event)': " + tags.map { "'\($0.name)' \($0.status)" }.joined(separator: ", ") + "."
  }
}

extension TagSurroundings {
  fileprivate convenience init(_ environment: Environment) {
    let configuration = environment.configuration
    self.init(
      device: environment.ports.device, identifiers: environment.ports.identifiers, random: environment.ports.random,
      urlPolicy: TagURLPolicy(
        allowsInsecureRequests: configuration.allowsInsecureTagRequests, allowedHosts: configuration.allowedHosts),
      conversionBase: configuration.conversionBase,
      isSpent: { [facts = environment.facts] in facts.isSpent(image: $0) })
  }
}
