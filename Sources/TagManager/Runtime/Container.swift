public import Foundation
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
    /// Whether events are evaluated at once; until then they are held (TM-561).
    var isReady = false
    /// The highest sequence that was evaluated under this id (TM-563).
    var lastSequence: UInt64 = 0
    var isPreview = false
    var lastRefresh: Int64?
    /// The tags that fire once per load and have (TM-803).
    var spentTags: Set<SpentTag> = []
  }

  /// The container's id.
  public let id: ContainerID
  /// The handlers of this container alone; those of the manager answer where these have none (TM-821).
  public let handlers = HandlerRegistry()

  /// Which opening this is, of all containers of the manager.
  let opening: HeldEvents.Opening
  let environment: Environment
  let dataLayer: DataLayer
  let loader: ContainerLoader
  private let registry: ContainerRegistry
  private let tagSurroundings: TagSurroundings
  private let installs = Broadcast<ContainerUpdate>()
  private let state: Locked<State>

  init(
    id: ContainerID, content: LoadedContent, environment: Environment, dataLayer: DataLayer,
    registry: ContainerRegistry, callback: (any ContainerCallback)? = nil
  ) {
    self.id = id
    opening = registry.nextOpening()
    loader = ContainerLoader(id: id, defaults: content, environment: environment, callback: callback)
    self.environment = environment
    self.dataLayer = dataLayer
    self.registry = registry
    tagSurroundings = TagSurroundings(environment)
    let content = ContainerContent(
      content, id: id, generation: 1, handlers: handlers, environment: environment)
    state = Locked(State(content: content))
    loader.attach(self)
  }

  /// Begins to load.
  func start(_ mode: RefreshMode) { loader.open(mode) }

  /// Takes part in events from here on, held ones first.
  func join() {
    let last = registry.lastSequence(of: id)
    state.withLock { $0.lastSequence = last }
    dataLayer.perform(.opened(self))
  }

  /// The version of the content in force; may be empty.
  public var version: String { content.plan.container.version }
  /// Which installed content is in force, counted from 1.
  public var generation: Int { content.generation }
  /// Where the content in force comes from.
  public var origin: ContainerOrigin { content.origin }
  /// Whether the content in force is what the app ships with, or nothing (TM-406).
  public var isDefault: Bool { origin == .default || origin == .empty }
  /// Whether the draft of a preview is shown, or on its way (TM-1006).
  public var isPreview: Bool { state.withLock { $0.isPreview } }
  /// When a server last gave the content in force, or said that it is the newest; nil for what the app ships with.
  public var lastRefreshTime: Date? {
    state.withLock { $0.lastRefresh }.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }
  /// What loading the content found out (TM-170).
  public var diagnostics: [Diagnostic] { content.diagnostics }

  /// Each content put in force from now on (TM-905).
  public var updates: AsyncStream<ContainerUpdate> { installs.stream() }
  /// Each begin, success and failure of loading from now on, as the callbacks get them (TM-310).
  public var loadEvents: AsyncStream<LoadEvent> { loader.events.stream() }

  /// Stops loading and evaluation for this container and frees its id; closing twice does nothing (TM-333).
  public func close() {
    let lastSequence = state.withLock { state -> UInt64? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      return state.lastSequence
    }
    guard let lastSequence else { return }
    registry.remove(self, lastSequence: lastSequence)
    loader.send(.close)
    dataLayer.perform(.closed(self))
    installs.finish()
  }

  var content: ContainerContent { state.withLock { $0.content } }

  /// The content in force; nil once the container is closed.
  var openContent: ContainerContent? { state.withLock { $0.isClosed ? nil : $0.content } }
}

extension Container {
  /// Puts content in force; an evaluation under way finishes on the old one (TM-341).
  func install(_ loaded: LoadedContent, checkedAt: Int64?) {
    let generation = content.generation + 1
    let content = ContainerContent(
      loaded, id: id, generation: generation, handlers: handlers, environment: environment)
    let old = state.withLock { state in
      defer {
        state.content = content
        state.lastRefresh = checkedAt
      }
      return state.content
    }
    tellDiagnostics()
    installs.yield(ContainerUpdate(from: old, to: content))
  }

  /// A server has said that the content in force is the newest.
  func touch(checkedAt: Int64) { state.withLock { $0.lastRefresh = checkedAt } }

  func setPreview(_ isPreview: Bool) { state.withLock { $0.isPreview = isPreview } }

  /// Says what loading found out, once for each content (TM-170).
  func tellDiagnostics() {
    for diagnostic in diagnostics {
      environment.log(diagnostic.severity.logLevel, "\(id) \(diagnostic.message)")
    }
  }
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
  /// What becomes of an event whose turn it is.
  enum Turn {
    case closed
    /// It waits until the container is ready.
    case held
    case now(ContainerContent)
  }

  /// Decides what becomes of an event; one that is evaluated now is never evaluated again (TM-563).
  func turn(of event: PushedEvent, isHeldUntilReady: Bool) -> Turn {
    state.withLock { state in
      if state.isClosed { return .closed }
      if isHeldUntilReady, !state.isReady { return .held }
      state.lastSequence = max(state.lastSequence, event.sequence)
      return .now(state.content)
    }
  }

  /// From here on events are evaluated at their turn.
  func becomeReady() { state.withLock { $0.isReady = true } }

  var lastSequence: UInt64 { state.withLock { $0.lastSequence } }

  /// Evaluates an event.
  func evaluate(
    _ event: PushedEvent, with content: ContainerContent, detail: TraceDetail, _ watch: inout Stopwatch
  ) -> ContainerRecord {
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
