import Hits

/// Sends the outcomes of a preview to the server that gave the draft (TM-1008).
///
/// One request every 500 ms at most, none twice; what fails is lost. A server that says 403, 404 or 410 gets no more.
final class PreviewTraces: Sendable {
  static let pause: Duration = .milliseconds(500)

  private struct Session: Sendable {
    let link: PreviewLink
    let url: String
    var queue = TraceQueue()
    /// The data before the first outcome, until that is there.
    var snapshot: [String: Value]?
    var isSending = false
    /// The server wants no more.
    var isStopped = false
  }

  private let session = Locked<Session?>(nil)
  private let configuration: TagManager.Configuration
  private let ports: TagManager.Ports
  private let settings: Settings

  init(configuration: TagManager.Configuration, ports: TagManager.Ports, settings: Settings) {
    self.configuration = configuration
    self.ports = ports
    self.settings = settings
  }

  /// A draft is in force: outcomes are sent from here on.
  ///
  /// A session of the same link goes on.
  ///
  /// - Parameter name: the session's name by the server; nil to draw one.
  func begin(_ link: PreviewLink, name: String?, snapshot: [String: Value]) {
    guard configuration.previewTraces, ports.transport != nil, case .tagworks = configuration.server,
      let base = configuration.server?.url
    else { return }
    guard session.withLock({ $0?.link != link }) else { return }
    let url = "\(base.text)/v1/debug/\(name ?? drawnName())"
    let isNew = session.withLock { session in
      guard session?.link != link else { return false }
      session = Session(link: link, url: url, snapshot: snapshot)
      return true
    }
    if isNew { settings.setTraced(true) }
  }

  /// The preview is over; what waits is lost.
  func end() {
    session.withLock { $0 = nil }
    settings.setTraced(false)
  }

  /// Takes what became of a push, if a session is under way.
  func record(_ record: PushRecord, of update: [String: Value]) {
    guard session.withLock({ $0?.isStopped == false }) else { return }
    let outcome = record.outcome
    let begins = session.withLock { session in
      guard session?.isStopped == false else { return false }
      let snapshot = session?.snapshot.take()
      session?.queue.add(TraceQueue.Entry(outcome: outcome, update: update, snapshot: snapshot))
      defer { session?.isSending = true }
      return session?.isSending == false
    }
    if begins { Task { [weak self] in await self?.sendAll() } }
  }

  private func sendAll() async {
    while let (request, link) = takeRequest() {
      guard let transport = ports.transport else { return }
      do {
        let status = try await transport.send(request).status
        if [403, 404, 410].contains(status) { return stop(link) }
      } catch {
        settings.logger.log(.verbose, "Outcomes of a preview did not reach the server.")
      }
      // Cancelled: nobody does that, and the loop would only be faster.
      try? await ports.clock.sleep(for: Self.pause)
    }
  }

  private func takeRequest() -> (HTTPRequest, PreviewLink)? {
    let taken = session.withLock { session -> (link: PreviewLink, url: String, body: [UInt8])? in
      guard var current = session, !current.isStopped else { return nil }
      let body = current.queue.takeBody()
      current.isSending = !body.isEmpty
      session = current
      return body.isEmpty ? nil : (current.link, current.url, body)
    }
    guard let taken else { return nil }
    let headers: HTTPHeaders = [
      "Authorization": "Bearer \(taken.link.token)", "Content-Type": "application/x-ndjson",
    ]
    return (
      HTTPRequest(method: "POST", url: taken.url, headers: headers, body: taken.body, gzip: true), taken.link
    )
  }

  private func stop(_ link: PreviewLink) {
    session.withLock { session in
      guard session?.link == link else { return }
      // The session stays, so that the draft's next fetch does not begin it anew.
      session?.isStopped = true
      session?.queue = TraceQueue()
    }
    settings.setTraced(false)
    settings.logger.log(.verbose, "The server wants no outcomes of this preview.")
  }

  private func drawnName() -> String {
    let halves = [ports.random.next(), ports.random.next()]
    return HexDigits.text(of: halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) } })
  }
}
