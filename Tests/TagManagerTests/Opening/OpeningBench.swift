import Foundation
import Hits
import TestSupport

@testable import TagManager

/// A manager on fakes of disk, network and clock.
struct OpeningBench {
  static let id: ContainerID = "GTM-TEST"
  static let start: Int64 = 1_800_000_000_000
  static let hour: Int64 = 3_600_000

  let clock = ManualClock(wallMilliseconds: start)
  let transport: ScriptedTransport
  let store: InMemorySavedContainers
  let logger = RecordingLogger()
  let recorder = TagRecorder()
  let callback = RecordingCallback()
  let manager: TagManager

  init(
    _ answers: [ScriptedTransport.Answer] = [], saved: [UInt8]? = nil, defaults: String? = nil,
    configuration: TagManager.Configuration = TagManager.Configuration(server: .tagworks("https://tags.example.com")),
    connectivity: (any Connectivity)? = nil, verifier: (any SignatureVerifier)? = nil, legacy: [String: Data]? = nil
  ) {
    transport = ScriptedTransport(answers, otherwise: { _ in .hold })
    store = InMemorySavedContainers(saved.map { [Self.id: $0] } ?? [:])
    var ports = TagManager.Ports(
      sink: RecordingSink(), transport: transport, clock: clock, random: SeededRandomSource(seed: 1),
      connectivity: connectivity,
      defaultContainers: InMemoryDefaultContainers(defaults.map { [Self.id.text: Data($0.utf8)] } ?? [:]),
      savedContainers: store, legacyContainers: legacy.map(InMemoryDefaultContainers.init),
      signatureVerifier: verifier)
    ports.register(recorder, for: FunctionName.recording.rawValue)
    manager = TagManager(configuration: configuration, ports: ports, logger: logger)
  }

  /// A container of one constant `title` and a tag that fires at every event, as its text.
  static func json(_ title: String, version: String = "1", sequence: Int? = nil, macros: String = "") -> String {
    let container = sequence.map { #""container":{"id":"GTM-TEST","sequence":\#($0)},"# } ?? ""
    return #"{\#(container)"resource":{"version":"\#(version)","macros":[{"function":"__c","instance_name":"title","#
      + #""vtp_value":"\#(title)"},{"function":"__v","instance_name":"x","vtp_name":"x"}\#(macros)],"#
      + #""tags":[{"function":"__rec","instance_name":"\#(title)","vtp_x":["macro",1]}],"rules":[[["add",0]]]}}"#
  }

  /// A saved file of a container so old.
  static func saved(_ title: String = "saved", age: Int64, etag: String? = "\"s\"") throws -> [UInt8] {
    try SavedContainerFile.encode(
      SavedContainer(
        header: .init(
          id: id.text, fetchedAt: start - age, etag: etag, version: "1", origin: "https://tags.example.com"),
        payload: Array(json(title).utf8)))
  }

  static func answer(_ title: String = "network", etag: String? = "\"n\"", headers: HTTPHeaders = [:])
    -> ScriptedTransport.Answer
  {
    var headers = headers
    headers["ETag"] = etag
    headers["Content-Type"] = "application/json"
    return .response(HTTPResponse(status: 200, headers: headers, body: Array(json(title).utf8)))
  }

  static let offline = ScriptedTransport.Answer.failure(
    TransportError(phase: .notSent, code: .offline, message: "offline"))

  /// Opens with a closure and waits for its result.
  func open(_ preference: OpenPreference, timeout: Duration? = nil) async throws -> OpenResult {
    try await ContainerOpener.open(Self.id, in: manager, prefer: preference, timeout: timeout)
  }

  /// The saved file, decoded.
  var savedContainer: SavedContainer? {
    store.load(Self.id, limit: .max).flatMap { try? SavedContainerFile.decode($0) }
  }
}

/// Keeps every lifecycle callback as words.
final class RecordingCallback: ContainerCallback {
  private struct State {
    var words: [String] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  func containerRefreshBegin(_ container: Container, type: RefreshType) { keep("begin(\(type))") }
  func containerRefreshSuccess(_ container: Container, type: RefreshType) { keep("success(\(type))") }
  func containerRefreshFailure(_ container: Container, failure: RefreshFailure, type: RefreshType) {
    keep("failure(\(type), \(failure.reason))")
  }

  /// What was called so far, in order.
  var words: [String] { state.withLock { $0.words } }

  /// The first calls, as soon as there are so many.
  func first(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.words.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
    return Array(words.prefix(count))
  }

  private func keep(_ word: String) {
    let ready = state.withLock { state in
      state.words.append(word)
      let count = state.words.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return state.watchers.filter { $0.count <= count }
    }
    for watcher in ready { watcher.continuation.resume() }
  }
}
