package import Foundation
package import Hits
package import WebTags

/// A page host without an engine: loads, calls and events go as a test says (WT-780).
///
/// Without a script it is a page that loads at once, whose tags are ready, and which confirms every event.
package final class ScriptedPageHost: PageHost {
  /// What a call gets.
  package enum Answer: Sendable {
    /// JSON text.
    case value(String)
    case failure(PageHostError)
    /// Nothing, until `answer(_:)`, the call limit, or the end of the process.
    case hold
    /// Nothing, and the page takes no further call: an endless loop.
    case spin
  }

  /// What a host does.
  package struct Script: Sendable {
    /// What `open` throws; nil for nothing.
    package var openFailure: PageHostError?
    /// How long `open` takes.
    package var opening: Duration = .zero
    /// The events of a load, given at once.
    package var load: @Sendable (PageSource) -> [PageEvent.Kind] = { source in
      switch source {
      case .html(_, let base): [.started, .finished(url: base.absoluteString)]
      case .url(let url):
        [
          .started, .response(status: 200, mime: "text/html", url: url.absoluteString),
          .finished(url: url.absoluteString),
        ]
      }
    }
    /// The answer to a call of a path with an argument.
    package var call: @Sendable (_ path: String, _ argument: String) -> Answer = Script.confirmAll
    /// Events that a call gives rise to before its answer.
    package var effects: @Sendable (_ path: String, _ argument: String) -> [PageEvent.Kind] = { _, _ in [] }
    /// Whether `terminate` is answered with the end of the process.
    package var diesWhenTerminated = true
    package var capabilities = PageHostCapabilities(
      engine: "scripted", tellsNavigationFrames: true, reportsRequests: true)

    package init() {}

    /// A page whose tags are ready and confirm everything.
    package static func confirmAll(_ path: String, _ argument: String) -> Answer {
      switch path {
      case "__tagworks.probe": .value(#"{"ready":true}"#)
      case "__tagworks.ping": .value(argument)
      case "__tagworks.deliver":
        .value(results(of: argument) { id in ["id": .string(id), "ok": true, "confirmed": true] })
      case "__tagworks.respond": .value("true")
      default: .failure(PageHostError(.notAFunction, "\(path) is not a function"))
      }
    }

    /// The results of a delivery, each made of the event's id.
    package static func results(of argument: String, _ result: (String) -> Value) -> String {
      let events = (try? Value(json: argument))?.map?["events"]?.list ?? []
      let results = events.compactMap { $0.map?["id"]?.string }.map(result)
      return Value.map(["results": .list(results)]).jsonText
    }
  }

  /// A call as it came.
  package struct Call: Sendable, Equatable {
    package var path: String
    package var argument: String
  }

  private struct Waiting {
    var call: Call
    var continuation: CheckedContinuation<Result<String, PageHostError>, Never>
  }

  private struct State {
    var script: Script
    var options: PageHostOptions?
    var loads: [(source: PageSource, id: LoadID)] = []
    var load: LoadID?
    var isLoading = false
    var isDead: TerminationReason?
    var isSpinning = false
    var isClosed = false
    var calls: [Call] = []
    var early: [Int: Waiting] = [:]
    var held: [Int: Waiting] = [:]
    var nextCall = 0
    var cookies: [WebCookie] = []
    var bootstrap = ""
    var policy: NetworkPolicy?
    var terminations = 0
    var drains: [Duration] = []
    var attachments: [Attachment] = []
  }

  package let events: AsyncStream<PageEvent>
  private let continuation: AsyncStream<PageEvent>.Continuation
  private let state: Locked<State>
  private let clock: any HitClock
  /// Noted with everything that is done to the host.
  private let changes: Changes

  package init(
    _ script: Script = Script(), clock: any HitClock = SystemHitClock(), cookies: [WebCookie] = [],
    changes: Changes = Changes()
  ) {
    self.changes = changes
    (events, continuation) = AsyncStream.makeStream(of: PageEvent.self)
    state = Locked(State(script: script, cookies: cookies))
    self.clock = clock
  }
}

extension ScriptedPageHost {
  package var loads: [(source: PageSource, id: LoadID)] { state.withLock { $0.loads } }
  package var calls: [Call] { state.withLock { $0.calls } }
  package var options: PageHostOptions? { state.withLock { $0.options } }
  package var bootstrap: String { state.withLock { $0.bootstrap } }
  package var policy: NetworkPolicy? { state.withLock { $0.policy } }
  package var jar: [WebCookie] { state.withLock { $0.cookies } }
  package var terminations: Int { state.withLock { $0.terminations } }
  package var drains: [Duration] { state.withLock { $0.drains } }
  package var attachments: [Attachment] { state.withLock { $0.attachments } }
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The arguments of the calls of a path, in order.
  package func arguments(of path: String) -> [String] { calls.filter { $0.path == path }.map(\.argument) }

  /// Changes what the host does from now on.
  package func rescript(_ body: @Sendable (inout Script) -> Void) { state.withLock { body(&$0.script) } }

  /// Gives an event of the load under way, or of another.
  package func emit(_ kind: PageEvent.Kind, load: LoadID? = nil) {
    let current = state.withLock { state -> LoadID? in
      if case .finished = kind { state.isLoading = false }
      return state.load
    }
    continuation.yield(PageEvent(load: load ?? current, kind))
    if case .finished = kind { startEarlyCalls() }
  }

  /// Answers the oldest held call.
  package func answer(_ result: Result<String, PageHostError>) {
    let waiting = state.withLock { state in
      state.held.keys.min().flatMap { state.held.removeValue(forKey: $0) }
    }
    waiting?.continuation.resume(returning: result)
  }

  /// Ends the content process, or the helper.
  package func die(_ reason: TerminationReason) {
    let (waiting, load) = state.withLock { state in
      state.isDead = reason
      state.isLoading = false
      state.isSpinning = false
      let waiting = Array(state.held.values) + Array(state.early.values)
      (state.held, state.early) = ([:], [:])
      return (waiting, state.load)
    }
    for call in waiting { call.continuation.resume(returning: .failure(.processTerminated(reason))) }
    continuation.yield(PageEvent(load: load, .processTerminated(reason)))
  }

  package func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
    let script = state.withLock { state in
      state.options = options
      return state.script
    }
    changes.note()
    // Whoever cancels the wait does not wait for the engine.
    if script.opening > .zero { try? await clock.sleep(for: script.opening) }
    if let failure = script.openFailure { throw failure }
    return script.capabilities
  }

  package func load(_ source: PageSource, id: LoadID) async {
    let (superseded, kinds) = state.withLock { state -> (LoadID?, [PageEvent.Kind]) in
      guard !state.isClosed, state.isDead != .helper else { return (nil, []) }
      let superseded = state.isLoading ? state.load : nil
      state.loads.append((source, id))
      (state.load, state.isLoading, state.isDead) = (id, true, nil)
      return (superseded, state.script.load(source))
    }
    changes.note()
    if let superseded { continuation.yield(PageEvent(load: superseded, .failed(.superseded))) }
    for kind in kinds { emit(kind, load: id) }
  }

  private func startEarlyCalls() {
    let early = state.withLock { state in
      defer { state.early = [:] }
      return state.early.sorted { $0.key < $1.key }
    }
    for (number, waiting) in early { start(waiting, number) }
  }

  package func call(_ path: String, _ argument: String) async throws(PageHostError) -> String {
    try PageCall.check(path: path, argument: argument)
    let result = await withCheckedContinuation { continuation in
      let waiting = Waiting(call: Call(path: path, argument: argument), continuation: continuation)
      let (refusal, number) = state.withLock { state -> (PageHostError?, Int?) in
        if state.isClosed { return (.closed, nil) }
        if state.options == nil { return (.notOpen, nil) }
        if let reason = state.isDead { return (.processTerminated(reason), nil) }
        state.nextCall += 1
        if state.isLoading || state.load == nil {
          state.early[state.nextCall] = waiting
          return (nil, nil)
        }
        return (nil, state.nextCall)
      }
      if let refusal { continuation.resume(returning: .failure(refusal)) }
      if let number { start(waiting, number) }
    }
    return try result.get()
  }

  private func start(_ waiting: Waiting, _ number: Int) {
    let call = waiting.call
    let (answer, effects, load) = state.withLock { state in
      state.calls.append(call)
      let isSpinning = state.isSpinning
      let answer = isSpinning ? .hold : state.script.call(call.path, call.argument)
      // Held before anybody hears of it: what ends calls must find this one.
      switch answer {
      case .hold: state.held[number] = waiting
      case .spin: (state.held[number], state.isSpinning) = (waiting, true)
      case .value, .failure: break
      }
      return (answer, isSpinning ? [] : state.script.effects(call.path, call.argument), state.load)
    }
    changes.note()
    for effect in effects { continuation.yield(PageEvent(load: load, effect)) }
    switch answer {
    case .value(let text): waiting.continuation.resume(returning: .success(text))
    case .failure(let error): waiting.continuation.resume(returning: .failure(error))
    case .hold, .spin: limit(number)
    }
  }

  /// Ends a held call when its time is over.
  private func limit(_ number: Int) {
    let limit = state.withLock { $0.options?.callLimit ?? .seconds(10) }
    Task { [clock, state] in
      do { try await clock.sleep(for: limit) } catch { return }
      state.withLock { $0.held.removeValue(forKey: number) }?.continuation
        .resume(returning: .failure(PageHostError(.timeout, "no answer in time")))
    }
  }

  package func setBootstrap(_ source: String) async { state.withLock { $0.bootstrap = source } }

  package func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
    state.withLock { $0.policy = policy }
  }

  package func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] {
    let jar = jar
    guard let host = url?.host else { return jar }
    return jar.filter { Self.isSent($0, to: host) }
  }

  private static func isSent(_ cookie: WebCookie, to host: String) -> Bool {
    cookie.domain == host || (cookie.domain.hasPrefix(".") && ("." + host).hasSuffix(cookie.domain))
  }

  package func setCookie(_ cookie: WebCookie) async throws(PageHostError) {
    state.withLock { state in
      state.cookies.removeAll { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
      state.cookies.append(cookie)
    }
  }

  package func removeCookies(for url: URL?) async throws(PageHostError) {
    let host = url?.host
    state.withLock { $0.cookies.removeAll { cookie in host.map { Self.isSent(cookie, to: $0) } ?? true } }
  }

  package func eraseData() async throws(PageHostError) { state.withLock { $0.cookies = [] } }

  package func updateAttachment(_ attachment: Attachment) async {
    state.withLock { $0.attachments.append(attachment) }
  }

  package func drain(limit: Duration) async { state.withLock { $0.drains.append(limit) } }

  package func stop() async {
    let early = state.withLock { state in
      state.isLoading = false
      state.load = nil
      defer { state.early = [:] }
      return Array(state.early.values)
    }
    for call in early { call.continuation.resume(returning: .failure(.superseded)) }
  }

  package func terminate() async {
    let dies = state.withLock { state in
      state.terminations += 1
      return state.script.diesWhenTerminated
    }
    changes.note()
    if dies { die(.api) }
  }

  package func close() async {
    let waiting = state.withLock { state -> [Waiting]? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      let waiting = Array(state.held.values) + Array(state.early.values)
      (state.held, state.early) = ([:], [:])
      return waiting
    }
    guard let waiting else { return }
    for call in waiting { call.continuation.resume(returning: .failure(.closed)) }
    continuation.yield(PageEvent(load: nil, .closed))
    continuation.finish()
    changes.note()
  }
}

/// Makes scripted hosts and keeps them.
package final class ScriptedPageHostFactory: PageHostFactory {
  private let made = Locked<[ScriptedPageHost]>([])
  private let clock: any HitClock
  private let changes: Changes
  private let cookies: [WebCookie]
  private let script: @Sendable (Int) -> ScriptedPageHost.Script
  package let sharesAppSession: Bool

  /// - Parameter script: the script of the first, second … host, counted from 0.
  package init(
    clock: any HitClock, cookies: [WebCookie] = [], sharesAppSession: Bool = true, changes: Changes = Changes(),
    script: @escaping @Sendable (Int) -> ScriptedPageHost.Script = { _ in ScriptedPageHost.Script() }
  ) {
    self.clock = clock
    self.changes = changes
    self.cookies = cookies
    self.sharesAppSession = sharesAppSession
    self.script = script
  }

  /// The hosts in the order in which they were made.
  package var hosts: [ScriptedPageHost] { made.withLock { $0 } }

  package func make() -> any PageHost {
    made.withLock { made in
      let host = ScriptedPageHost(script(made.count), clock: clock, cookies: cookies, changes: changes)
      made.append(host)
      return host
    }
  }
}
