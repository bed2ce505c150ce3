import Hits

/// The log of an instance (WT-850): never data of events, consent or cookies; URLs without query; texts of the page cut.
///
/// The level is the one in force: that of the publish settings, else the configuration's, else what the environment says.
struct WebTagsLog: Sendable {
  private let level: Locked<LogLevel>
  private let configured: LogLevel
  private let redact: (@Sendable (String) -> String)?
  private let sink: (@Sendable (LogLevel, String) -> Void)?
  private let showsPayloads: Bool
  private let name: String

  init(_ configuration: WebTagsConfiguration, _ sink: (@Sendable (LogLevel, String) -> Void)?) {
    let byEnvironment: LogLevel =
      switch configuration.environment {
      case "dev": .dev
      case "qa": .qa
      default: .prod
      }
    configured = configuration.logLevel ?? byEnvironment
    level = Locked(configured)
    redact = configuration.redact
    showsPayloads = configuration.logPayloads
    name = configuration.instanceID
    self.sink = sink
  }

  /// Takes the level of publish settings.
  func follow(_ settings: PublishSettings) { level.withLock { $0 = settings.logLevel ?? configured } }

  /// Whether developers read along.
  var isForDevelopers: Bool { current == .dev }

  private var current: LogLevel { level.withLock { $0 } }

  /// Writes a line, if that level is logged: `prod` always, `dev` only to developers.
  func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard let sink, rank(level) <= rank(current) else { return }
    let line = String(text().prefix(1024))
    sink(level, name + ": " + (redact?(line) ?? line))
  }

  /// What may be said of an event: its id and type, at qa its keys and size, its data only where that is switched on.
  func describe(_ event: QueuedEvent) -> String {
    var text = "\(event.type) \(event.id)"
    let level = current
    if rank(level) >= rank(.qa) { text += " [\(event.data.keys.sorted().joined(separator: ","))] \(event.bytes) bytes" }
    return showsPayloads && level == .dev ? text + " " + Value.map(event.data).jsonText : text
  }

  /// A URL without what follows its path.
  static func plain(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

  private func rank(_ level: LogLevel) -> Int {
    switch level {
    case .silent: 0
    case .prod: 1
    case .qa: 2
    case .dev: 3
    }
  }
}
