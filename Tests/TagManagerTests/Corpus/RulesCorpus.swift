import Foundation
import Hits
import TestSupport

@testable import TagManager

/// One container with events, and what the web engine did with them.
struct RulesCase {
  /// A tag that fired, with its evaluated parameters.
  struct Fired: Hashable, CustomStringConvertible {
    var tag: Int64
    var values: Value

    var description: String { "\(tag) \(values.jsonText)" }

    /// The same with every map in a text written as the web engine writes it.
    var withWebMapText: Fired { Fired(tag: tag, values: Self.webMapText(values)) }

    private static func webMapText(_ value: Value) -> Value {
      switch value {
      case .map(let entries): .map(entries.mapValues(webMapText))
      case .list(let items): .list(items.map(webMapText))
      case .string(let text): .string(webMapText(text))
      default: value
      }
    }

    private static func webMapText(_ text: String) -> String {
      var depth = 0
      var result = ""
      for character in text {
        if character == "{" {
          if depth == 0 { result += "[object Object]" }
          depth += 1
        } else if character == "}" {
          depth -= 1
        } else if depth == 0 {
          result.append(character)
        }
      }
      return result
    }
  }

  let id: String
  let resource: Value
  let events: [[String: Value]]
  /// The tags of each event, in order; those of events nested in it follow.
  let fired: [[Fired]]
  /// The decisions in which the specification parts from the web engine here.
  let differs: [String]
  /// The tags that fail when they fire.
  let failing: Set<String>

  /// Reads a line; nil when its events are JavaScript.
  init?(_ line: Data) throws {
    let fields = try Value(json: Array(line)).map ?? [:]
    if fields["eventsAreJavaScript"] == true { return nil }
    id = fields["id"]?.string ?? ""
    resource = fields["resource"] ?? .absent
    events = (fields["events"]?.list ?? []).map { Self.plain($0).map ?? [:] }
    differs = fields["differs"]?.list?.compactMap(\.string) ?? []
    failing = Set((fields["fail"]?.map ?? [:]).keys)
    fired = (fields["fired"]?.list ?? []).map { tags in
      (tags.list ?? []).map { tag in
        guard case .int(let number) = tag.map?["tag"] else { return Fired(tag: -1, values: .absent) }
        return Fired(tag: number, values: Self.comparable(Self.plain(tag.map?["values"] ?? [:])))
      }
    }
  }

  /// The tags that fire here.
  func run() throws -> [[Fired]] {
    let json = Value.map(["resource": resource]).jsonBytes
    let result = ContainerDecoder.decode(Data(json), id: nil)
    guard let container = result.container else { throw Refused(diagnostic: result.error) }
    let recorder = CorpusTag(failing: failing)
    var ports = TagManager.Ports(sink: RecordingSink(), clock: ManualClock())
    ports.register(recorder, for: "__rec")
    let manager = TagManager(configuration: TagManager.Configuration(traceDetail: .off), ports: ports)
    manager.logger = RecordingLogger(level: .none)
    _ = try manager.openContainer("GTM-TEST", with: LoadedContent(container, origin: .default))
    recorder.attach(manager.dataLayer)
    manager.dataLayer.push(["event": "gtm.js"])
    _ = recorder.take()
    return events.map { event in
      manager.dataLayer.push(event)
      return recorder.take()
    }
  }

  /// A container that does not decode.
  struct Refused: Error {
    var diagnostic: Diagnostic?
  }

  /// A value with the corpus's mark of missing turned into `absent`.
  private static func plain(_ value: Value) -> Value {
    switch value {
    case .map(let entries) where entries == ["$": "undefined"]: .absent
    case .map(let entries): .map(entries.mapValues(plain))
    case .list(let items): .list(items.map(plain))
    default: value
    }
  }

  /// A value in which equal numbers are equal and missing entries are none.
  static func comparable(_ value: Value) -> Value {
    switch value {
    case .map(let entries): .map(entries.filter { !$0.value.isAbsent }.mapValues(comparable))
    case .list(let items): .list(items.map(comparable))
    case .double(let number): Int64(exactly: number).map(Value.int) ?? value
    default: value
    }
  }
}

/// The corpus's tag: keeps its parameters, pushes what it is told to, and fails when it is told to.
private final class CorpusTag: TagFunction {
  private struct State {
    var fired: [RulesCase.Fired] = []
    var layer: DataLayer?
  }

  private let state = Locked(State())
  private let failing: Set<String>

  init(failing: Set<String>) { self.failing = failing }

  func attach(_ layer: DataLayer) { state.withLock { $0.layer = layer } }

  func fire(_ call: TagCall) throws -> TagProgress {
    var values = call.parameters
    guard case .int(let id) = values.removeValue(forKey: "id") else { throw TagFailure.other("no id") }
    let push = values.removeValue(forKey: "push")?.string
    let fired = RulesCase.Fired(tag: id, values: RulesCase.comparable(.map(values)))
    let layer = state.withLock { state in
      state.fired.append(fired)
      return state.layer
    }
    if let push, case .map(let update) = try Value(json: push) { layer?.push(update) }
    if failing.contains(String(id)) { throw TagFailure.other("told to fail") }
    return .finished
  }

  func take() -> [RulesCase.Fired] {
    state.withLock { state in
      defer { state.fired = [] }
      return state.fired
    }
  }
}
