import Foundation
import HitQueue
import Hits
import TagManager
import Tagworks

/// An app in a process of its own, for tests: it does what its standard input asks for, one JSON object a line, and
/// answers with one line each.
///
///     {"do": "open", "prefer": "fresh"}     opens the container        {"endedBy", "source", "version", …}
///                  "early": {...}           pushes this before it, and tells what it caused as "early"
///     {"do": "close"}                       closes it, so that the next opening begins anew
///     {"do": "refresh"}                     asks the server            {"outcome"}
///     {"do": "values", "keys": [...]}       reads values               {name: text}
///     {"do": "push", "update": {...}}       pushes, and tells what it caused   the outcome of TM-1110
///     {"do": "preview", "url": "..."}       follows a link             {"result"}
///     {"do": "install"}                     waits for newer content    {"version", "source"}
///     {"do": "churn", "contents": [...]}    saves these files in base64 over and over until it is killed
@main
struct AcceptanceApp {
  static func main() async throws {
    let settings = try AppSettings(CommandLine.arguments.dropFirst().first ?? "{}")
    let session = AppSession(try TagManager.live(settings.live), settings)
    while let line = readLine() {
      let answer: Value
      do { answer = try await session.answer(try Value(json: Array(line.utf8)).map ?? [:]) } catch {
        answer = ["error": .string("\(error)")]
      }
      try FileHandle.standardOutput.write(contentsOf: Data((answer.jsonText + "\n").utf8))
    }
  }
}

/// What the test says about the app.
struct AppSettings {
  let id: ContainerID
  let live: LiveSettings

  init(_ text: String) throws {
    let fields = try Value(json: Array(text.utf8)).map ?? [:]
    func string(_ key: String) -> String? { fields[key]?.string }
    id = ContainerID(string("id") ?? "GTM-SHOP")
    let keys = (fields["keys"]?.map ?? [:]).compactMapValues { $0.string.flatMap { Data(base64Encoded: $0) } }
    var configuration = TagManager.Configuration(
      server: string("server").map(ContainerServer.tagworks), environment: string("environment") ?? "live",
      environmentToken: string("token"), timeout: .seconds(20))
    if !keys.isEmpty { configuration.signature = .required(keys.mapValues(Array.init)) }
    if case .bool(false) = fields["earlyEvents"] { configuration.earlyEvents = .discard }
    var live = LiveSettings(configuration: configuration)
    let data = string("data") ?? ""
    live.appID = "org.example.shop"
    live.dataDirectory = data + "/data"
    live.defaultContainers = data + "/bundle"
    live.hits.directory = data + "/hits"
    live.device = FixedDevice(language: "en", appID: "org.example.shop", installID: string("install") ?? "install-1")
    live.logger = StandardTagLogger(level: .verbose)
    self.live = live
  }
}

/// The app's tag manager and its one container.
final class AppSession {
  private let manager: TagManager
  private let id: ContainerID
  private var container: Container?

  private let directory: String

  init(_ manager: TagManager, _ settings: AppSettings) {
    self.manager = manager
    id = settings.id
    directory = settings.live.dataDirectory ?? ""
  }

  func answer(_ request: [String: Value]) async throws -> Value {
    switch request["do"]?.string {
    case "open":
      let preference: OpenPreference = request["prefer"]?.string == "nonDefault" ? .nonDefault : .fresh
      let early = (request["early"]?.map).map { manager.dataLayer.push($0) }
      let result = try await ContainerOpener.open(id, in: manager, prefer: preference)
      container = result.container
      var answer = facts(result.container)
      answer["endedBy"] = .string("\(result.endedBy)")
      if let early { answer["early"] = try Self.json(await early.outcome) }
      return .map(answer)
    case "close":
      container?.close()
      return [:]
    case "refresh": return ["outcome": .string(Self.text(await container?.refreshed() ?? .closed))]
    case "values":
      let keys = request["keys"]?.list?.compactMap(\.string) ?? []
      return .map(
        Dictionary(uniqueKeysWithValues: keys.map { ($0, .string(container?.string(for: $0) ?? "")) }))
    case "push":
      return try Self.json(await manager.dataLayer.push(request["update"]?.map ?? [:]).outcome)
    case "preview":
      guard let url = URL(string: request["url"]?.string ?? "") else { return ["result": "no URL"] }
      return ["result": .string("\(manager.preview(url))")]
    case "install":
      guard let container else { return [:] }
      for await _ in container.updates.prefix(1) {}
      return .map(facts(container))
    case "churn":
      let contents = request["contents"]?.list?.compactMap(\.string).compactMap { Data(base64Encoded: $0) } ?? []
      try churn(contents.map(Array.init))
    case let other: return ["error": .string("unknown request \(other ?? "")")]
    }
  }

  /// Answers once, and then never.
  private func churn(_ contents: [[UInt8]]) throws -> Never {
    let files = try SavedContainerFiles(directory: directory + "/containers")
    if let first = contents.first { try files.save(first, for: id) }
    try FileHandle.standardOutput.write(contentsOf: Data("{}\n".utf8))
    while true { for bytes in contents { try files.save(bytes, for: id) } }
  }

  private func facts(_ container: Container) -> [String: Value] {
    [
      "source": .string(container.origin.rawValue), "version": .string(container.version),
      "isDefault": .bool(container.isDefault), "isPreview": .bool(container.isPreview),
      "generation": .int(Int64(container.generation)),
      "diagnostics": .list(container.diagnostics.map { .string("\($0.code)") }),
    ]
  }

  private static func json(_ outcome: PushOutcome) throws -> Value {
    try Value(json: Array(try JSONEncoder().encode(outcome)))
  }

  private static func text(_ outcome: RefreshOutcome) -> String {
    switch outcome {
    case .updated(let version): "updated(\(version))"
    case .failed(let failure): "failed(\(failure.reason)(\(failure.detail)))"
    case .notChanged: "notChanged"
    case .rateLimited: "rateLimited"
    case .defaultMode: "defaultMode"
    case .closed: "closed"
    }
  }
}
