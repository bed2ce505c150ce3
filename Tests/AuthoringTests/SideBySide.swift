import Hits
import TagManager
import TestSupport

/// One container running, seen from outside: which tags fired, what was sent, what every macro gave.
struct ObservedContainer {
  /// What one event brought about.
  struct Observation: Hashable, Sendable {
    /// `id: status`, in firing order.
    var tags: [String]
    var hits: [HitBuilder]
    var trackers: [String?]
    /// The values of the named macros in the event, as a tag's parameters see them.
    var values: [String: Value]
    /// What the app's function-call tags were called with.
    var calls: [String]
  }

  private static let probe = "side-by-side probe"
  private let manager: TagManager
  private let sink = RecordingSink()
  private let log = Locked<(values: [String: Value], calls: [String])>(([:], []))

  /// Opens a container that, besides its own, has a tag which reads macros at every event.
  ///
  /// - Parameter withoutEffect: entries of maps among the values that mean nothing.
  init(
    _ container: CompiledContainer, id: ContainerID, reading macros: [String], language: String = "en-US",
    installID: String = "install", withoutEffect: Set<String> = []
  ) throws {
    var container = container
    var entries: [MapEntry] = []
    func add(_ node: ValueNode) -> ValueIndex {
      container.pool.nodes.append(node)
      return ValueIndex(container.pool.nodes.count - 1)
    }
    for name in macros { entries.append(MapEntry(key: add(.constant(.string(name))), value: add(.macro(name: name)))) }
    var tag = Call(.functionCall)
    tag.name = Self.probe
    tag.parameters["function_call_macro_name"] = add(.constant(.string(Self.probe)))
    tag.parameters["additional_params"] = add(.map(entries))
    container.tags.append(tag)
    container.rules.append(Rule(id: Self.probe, addedTags: [Int32(container.tags.count - 1)]))

    var device = FixedDevice(
      platform: "Linux", osVersion: "12", model: "model", language: language, screen: ScreenSize(width: 4, height: 3),
      appName: "App", appID: "com.example.app", appVersion: "2.1")
    device.installID = installID
    let ports = TagManager.Ports(sink: sink, clock: ManualClock(), device: device, random: SeededRandomSource(seed: 3))
    manager = TagManager(configuration: TagManager.Configuration(traceDetail: .full), ports: ports)
    manager.logger = SilentLogger()
    let log = log
    manager.handlers.onTag(Self.probe) { parameters in
      log.withLock { $0.values = parameters.mapValues { $0.leavingOut(withoutEffect) } }
    }
    for name in ["showBanner", "celebrate"] {
      manager.handlers.onTag(name) { parameters in
        log.withLock { $0.calls.append("\(name) \(Value.map(parameters).jsonText)") }
      }
    }
    manager.handlers.onMacro("formatPrice") { .string(Value.map($0).jsonText) }
    manager.handlers.onMacro("pixelBase") { _ in "https://pixel.example.com" }
    _ = try manager.openContainer(id, with: LoadedContent(container, origin: .default))
  }

  func push(_ update: [String: Value]) async -> Observation {
    let before = sink.records.count
    log.withLock { $0 = ([:], []) }
    let outcome = await manager.dataLayer.push(update).outcome
    let tags = outcome.containers.flatMap(\.tags).filter { $0.name != Self.probe }
    let records = sink.records.dropFirst(before)
    let (values, calls) = log.withLock { $0 }
    return Observation(
      tags: tags.map { "\($0.id ?? "-"): \($0.status)" }, hits: records.map(\.hit), trackers: records.map(\.tracker),
      values: values, calls: calls)
  }
}

extension Value {
  fileprivate func leavingOut(_ keys: Set<String>) -> Value {
    guard case .map(let entries) = self else { return self }
    return .map(entries.filter { !keys.contains($0.key) })
  }
}

/// Warnings are no part of the comparison.
private struct SilentLogger: TagLogger {
  func error(_ message: String) {}
  func warning(_ message: String) {}
  func info(_ message: String) {}
  func debug(_ message: String) {}
  func verbose(_ message: String) {}
  var logLevel: LogLevel { .none }
}

/// Generates sequences of pushes, the same ones for the same seed.
struct GeneratedEvents {
  /// Event names that matter to a container; others are made of them.
  let names: [String]
  /// Data-layer keys that matter to it.
  let keys: [String]

  func sequence(_ random: SeededRandomSource) -> [[String: Value]] {
    (0..<random.integer(in: 1...6)).map { _ in
      var update: [String: Value] = [:]
      for _ in 0..<random.integer(in: 0...3) { update[pick(keys + ["other"], random)] = value(random, depth: 2) }
      if random.integer(in: 0...9) > 0 { update["event"] = event(random) }
      return update
    }
  }

  private func event(_ random: SeededRandomSource) -> Value {
    let name = pick(names + ["openScreen"], random)
    return switch random.integer(in: 0...9) {
    case 0: .string("x" + name)
    case 1: .string(name + "_y")
    case 2: .string(name.uppercased())
    case 3: .string(String(name.dropLast()))
    case 4: .int(random.integer(in: 0...2))
    default: .string(name)
    }
  }

  private func value(_ random: SeededRandomSource, depth: Int) -> Value {
    switch random.integer(in: 0...10) {
    case 0: .null
    case 1: .bool(random.integer(in: 0...1) == 1)
    case 2: .int(random.integer(in: -3...100))
    case 3: .double(Double(random.integer(in: 0...100)) / 8)
    case 4: ""
    case 5 where depth > 0: .list((0..<random.integer(in: 0...2)).map { _ in value(random, depth: depth - 1) })
    case 6 where depth > 0: ["name": value(random, depth: depth - 1), "id": value(random, depth: depth - 1)]
    default: .string(pick(["true", "Home", "a b&c", "é😀", "12", "0", "UA-1"] + names, random))
    }
  }

  private func pick(_ items: [String], _ random: SeededRandomSource) -> String {
    items[Int(random.integer(in: 0...Int64(items.count - 1)))]
  }
}
