import Foundation
import Hits

extension WebTagManager {
  /// Told of what the instance does; held weakly.
  public nonisolated var delegate: (any WebTagManagerDelegate)? {
    get { shared.data.withLock { $0.delegate } }
    set { shared.data.withLock { $0.delegate = newValue } }
  }

  /// Tracks an event; never waits (WT-401).
  @discardableResult
  public nonisolated func track(_ event: TagEvent) -> TrackedEvent { shared.track(event) }

  /// Tracks a screen.
  @discardableResult
  public nonisolated func trackView(title: String, data: JSONObject = [:]) -> TrackedEvent {
    track(TagEvent(kind: .view, title: title, data: data))
  }

  /// Tracks something that happened.
  @discardableResult
  public nonisolated func trackEvent(title: String, data: JSONObject = [:]) -> TrackedEvent {
    track(TagEvent(kind: .link, title: title, data: data))
  }

  /// Tracks an event and tells its outcome.
  public nonisolated func track(
    _ event: TagEvent, completion: @escaping @Sendable (TrackedEvent, EventOutcome) -> Void
  ) {
    _ = shared.track(event, completion: completion)
  }

  /// Adds data to all events from now on, until the instance ends.
  public nonisolated func addVolatileData(_ data: JSONObject) {
    shared.data.withLock { $0.volatile.merge(data) { _, new in new } }
  }

  /// Adds data to all events from now on, also in later instances of the key.
  public nonisolated func addPersistentData(_ data: JSONObject) {
    changePersistentData { $0.merge(data) { _, new in new } }
  }

  /// Removes data that was added.
  public nonisolated func removeVolatileData(keys: [String]) {
    shared.data.withLock { state in for key in keys { state.volatile[key] = nil } }
  }

  /// Removes data that was added.
  public nonisolated func removePersistentData(keys: [String]) {
    changePersistentData { data in for key in keys { data[key] = nil } }
  }

  /// The data that was added to this instance.
  public nonisolated var volatileData: JSONObject { shared.data.withLock { $0.volatile } }

  /// The data that was added to the key.
  public nonisolated var persistentData: JSONObject { shared.data.withLock { $0.persistent } }

  private nonisolated func changePersistentData(_ body: (inout JSONObject) -> Void) {
    shared.data.withLock { state in
      body(&state.persistent)
      let bytes = Value.map(state.persistent).jsonBytes
      shared.run { manager in await manager.keep([StoredValues.persistent: bytes]) }
    }
  }

  /// The visitor's id: 32 upper-case hex digits unless it was given.
  public nonisolated var visitorID: String { shared.data.withLock { $0.visitorID } }

  /// Makes a new visitor.
  ///
  /// - Returns: its id.
  @discardableResult
  public nonisolated func resetVisitorID() -> String {
    let id = InstanceState.hex(environment.random)
    shared.data.withLock { state in
      state.visitorID = id
      state.isVisitorNew = false
    }
    shared.run { manager in await manager.keep([StoredValues.visitor: Array(id.utf8)]) }
    return id
  }

  /// Adds a trace to all events, until `leaveTrace()` or the end of the session (WT-475).
  ///
  /// - Throws: `invalidTrace` for a token that is not 1 to 64 letters, digits, `_` and `-`.
  public nonisolated func joinTrace(_ token: String) throws(WebTagsError) {
    guard token.utf8.count <= 64, CommandURL.isID(token) else {
      throw WebTagsError(.invalidTrace, token, "the token has other characters than it may have")
    }
    shared.data.withLock { ($0.trace, $0.traceSession) = (token, nil) }
  }

  /// Ends a trace.
  public nonisolated func leaveTrace() { shared.data.withLock { ($0.trace, $0.traceSession) = (nil, nil) } }

  /// Tells the trace's server that the visitor's session is over.
  public nonisolated func killTraceVisitorSession() {
    trackEvent(title: "kill_visitor_session", data: ["event": "kill_visitor_session"])
  }

  /// Lets all that waits for others leave.
  public nonisolated func flush() { shared.run { manager in await manager.handle(.flush) } }

  /// Starts the page, where the app says when (`PageStart.manual`).
  public nonisolated func start() { shared.run { manager in await manager.handle(.start) } }

  /// Loads the page again, and waits until that is done, well or not.
  ///
  /// In `shouldDrop` and `shouldQueue` it does not wait.
  public func reload() async {
    guard !AppCall.holdsLoop(of: shared) else {
      return shared.run { manager in await manager.handle(.reload(waiter: nil)) }
    }
    await withCheckedContinuation { continuation in
      lastReload += 1
      let number = lastReload
      reloads[number] = continuation
      let isTaken = shared.mailbox.put(.run { manager in await manager.handle(.reload(waiter: number)) })
      if !isTaken { reloads.removeValue(forKey: number)?.resume() }
    }
  }

  /// Places the page in another view, where the platform has views (WT-762).
  public func updateAttachment(_ attachment: Attachment) async { await host?.host.updateAttachment(attachment) }

  /// The cookies of the page's jar.
  ///
  /// - Throws: `PageHostError`.
  public func cookies() async throws -> [WebCookie] {
    guard let host else { throw PageHostError.notOpen }
    return try await host.host.cookies(for: nil)
  }

  /// Deletes the visitor: ids, persistent data, queue, web data and the page that is kept; consent stays (WT-852).
  ///
  /// In `shouldDrop` and `shouldQueue` it does not wait.
  public func eraseVisitor() async {
    guard !AppCall.holdsLoop(of: shared) else { return shared.run { manager in await manager.erase() } }
    await withCheckedContinuation { continuation in
      let isTaken = shared.mailbox.put(
        .run { manager in
          await manager.erase()
          continuation.resume()
        })
      if !isTaken { continuation.resume() }
    }
  }
}
