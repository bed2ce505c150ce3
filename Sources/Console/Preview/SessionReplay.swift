import Hits
import TagManager

/// What another container would have made of a session that an app in preview has recorded (CO-503).
///
/// The same engine gets the same pushes, in the order of the data layer. What only the app could know it has recorded:
/// facts about the device, what its functions returned at each event, and by the tags that did not fire for want of it,
/// which consent there was.
struct SessionReplay {
  /// One push, as it was and as it would be.
  struct Event: Sendable, Hashable {
    var number: Int64
    var event: String
    /// Names of the tags that ran: then by the app, now by the other container.
    var then: [String]
    var now: [String]
  }

  private let manager: TagManager
  /// The values of the macros that call the app's functions, at the event under way.
  private let returned = Locked<[String: Value]>([:])
  /// What tags need consent for, by the tag's name.
  private let consent: [String: Set<String>]

  init(_ container: CompiledContainer, as id: ContainerID, first: [String: Value]) throws(TagManagerError) {
    var container = container
    let macros = container.callFunctionsOfTheirOwn()
    consent = Dictionary(
      container.tags.map { ($0.name, Set($0.consentRequired)) }, uniquingKeysWith: { $0.union($1) })
    manager = TagManager(
      ports: TagManager.Ports(sink: ReplaySink(), device: container.device(of: Self.values(first))))
    let returned = returned
    for macro in macros { manager.handlers.onMacro(macro) { _ in returned.withLock { $0[macro] } } }
    for function in container.calledFunctions { manager.handlers.onTag(function) { _ in } }
    _ = try manager.openContainer(id, with: LoadedContent(container, origin: .default))
  }

  /// Pushes the lines of a session, in their order.
  func run(_ lines: [TraceSessions.Line]) async -> [Event] {
    var events: [Event] = []
    var denied: Set<String> = []
    // What was nested in a push has come before it.
    let recorded = lines.compactMap { line in (try? Value(json: line.json))?.map.map { (line.number, $0) } }
      .sorted { ($0.1.whole("sequence") ?? $0.0, $0.0) < ($1.1.whole("sequence") ?? $1.0, $1.0) }
    for (number, recorded) in recorded {
      learn(recorded, &denied)
      manager.consent = denied.isEmpty ? .all : .granted(everything.subtracting(denied))
      if events.isEmpty, var snapshot = recorded["snapshot"]?.map {
        snapshot["event"] = nil
        _ = await manager.dataLayer.push(snapshot).outcome
      }
      returned.withLock { $0 = Self.values(recorded) }
      let outcome = await manager.dataLayer.push(recorded["update"]?.map ?? [:]).outcome
      events.append(
        Event(
          number: number, event: recorded.word("event"), then: Self.run(recorded),
          now: outcome.containers.flatMap(\.tags).filter(Self.hasRun).map(\.name)))
    }
    return events
  }

  /// Every purpose that a tag needs consent for.
  private var everything: Set<String> { consent.values.reduce(into: []) { $0.formUnion($1) } }

  /// Learns what was agreed to from the tags that ran, and from those that did not for want of consent.
  private func learn(_ recorded: [String: Value], _ denied: inout Set<String>) {
    for tag in recorded.entries("containers").flatMap({ $0.entries("tags") }) {
      let needed = consent[tag.word("name")] ?? []
      if tag.word("status") == "notFired(consent)" { denied.formUnion(needed) }
      if Self.hasRun(tag.word("status")) { denied.subtract(needed) }
    }
  }

  /// Names and values of the macros of a recorded outcome.
  private static func values(_ recorded: [String: Value]) -> [String: Value] {
    var values: [String: Value] = [:]
    for macro in recorded.entries("containers").flatMap({ $0.entries("macros") }) {
      values[macro.word("name")] = macro["value"]
    }
    return values
  }

  private static func run(_ recorded: [String: Value]) -> [String] {
    recorded.entries("containers").flatMap { $0.entries("tags") }.filter { hasRun($0.word("status")) }
      .map { $0.word("name") }
  }

  /// Whether a tag was tried: that its request failed is the network's affair.
  private static func hasRun(_ tag: TagOutcome) -> Bool {
    switch tag.status {
    case .fired, .started, .failed: true
    case .blocked, .notFired, .setupFailed: false
    }
  }

  /// The same of a recorded tag.
  private static func hasRun(_ status: String) -> Bool {
    status == "fired" || status == "started" || status.hasPrefix("failed")
  }
}

/// Takes hits and keeps none.
private struct ReplaySink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(id: HitID(), state: .dryRun) }
}

extension CompiledContainer {
  /// Has each macro that calls one of the app's functions call one of the macro's own name instead, for the function may
  /// return another value to each; gives the names.
  fileprivate mutating func callFunctionsOfTheirOwn() -> [String] {
    var names: [String] = []
    for index in macros.indices where macros[index].function == .functionCall {
      pool.nodes.append(.constant(.string(macros[index].name)))
      macros[index].parameters["function_call_macro_name"] = ValueIndex(pool.nodes.count - 1)
      names.append(macros[index].name)
    }
    return names
  }

  /// The app's functions that tags call.
  fileprivate var calledFunctions: Set<String> {
    Set(tags.filter { $0.function == .functionCall }.compactMap(calledFunction))
  }

  private func calledFunction(_ call: Call) -> String? {
    guard let index = call.parameters["function_call_macro_name"], case .constant(let value) = pool[index] else {
      return nil
    }
    return value.string
  }

  /// A device of which the macros that tell about one gave these values.
  fileprivate func device(of values: [String: Value]) -> FixedDevice {
    var device = FixedDevice()
    for macro in macros {
      guard let text = values[macro.name]?.string else { continue }
      switch macro.function {
      case .language: device.language = text
      case .platform: device.platform = text
      case .osVersion: device.osVersion = text
      case .deviceName: device.model = text
      case .appName: device.appName = text
      case .appID: device.appID = text
      case .appVersion, .appVersionName: device.appVersion = text
      default: break
      }
    }
    return device
  }
}
