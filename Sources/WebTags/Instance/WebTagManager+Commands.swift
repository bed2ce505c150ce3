public import Foundation
import Hits

/// Commands of the page, and those that files map from events.
extension WebTagManager {
  /// Registers a command of the page (WT-505).
  ///
  /// - Parameter description: what it does, for the log.
  /// - Throws: `commandExists`, `invalidCommandID`.
  public nonisolated func addRemoteCommand(
    id: String, description: String? = nil, handler: @escaping RemoteCommandHandler
  ) throws(WebTagsError) {
    try shared.commands.withLock { table throws(WebTagsError) in
      try table.add(.init(id: id, handler: handler))
    }
    log.write(.dev, "command \(id) is registered" + (description.map { ": " + $0 } ?? ""))
  }

  /// Registers a command of the page that answers from a queue.
  ///
  /// - Throws: `commandExists`, `invalidCommandID`.
  public nonisolated func addRemoteCommand(
    id: String, description: String? = nil, queue: DispatchQueue,
    responseBlock: @escaping @Sendable (RemoteCommandResponse) -> Void
  ) throws(WebTagsError) {
    try addRemoteCommand(id: id, description: description) { request in
      let response = RemoteCommandResponse(request)
      queue.async {
        responseBlock(response)
        response.send()
      }
      return try await response.answer()
    }
  }

  /// Removes a command; what runs still answers.
  public nonisolated func removeRemoteCommand(id: String) {
    shared.commands.withLock { $0.remove(id) }
    shared.run { manager in manager.mapped[id] = nil }
  }

  /// Takes in a navigation to a command URL.
  func receive(url: String, _ frame: PageFrame) async {
    switch configuration.navigationCommands {
    case .off: return refuse("a navigation")
    case .mainFrame where frame.isMain != true: return refuse("a navigation of another frame")
    case .mainFrame, .any: await read(url)
    }
  }

  /// Takes in a command of the bootstrap: a URL of `window.open`, or a call of `__tagworks.command`.
  func receive(message: JSONObject) async {
    if let url = message["url"]?.string { return await read(url) }
    guard let id = message["id"]?.string, case .int(let call)? = message["call"] else {
      return refuse("a command that cannot be read")
    }
    var request = CommandRequest(id: id, payload: message["payload"]?.map ?? [:])
    request.call = call
    guard CommandURL.isID(id) else {
      refuse("a command with a bad id")
      return respond(PageAnswer(request, status: 400, body: "the id is none"))
    }
    await receive(request)
  }

  private func read(_ url: String) async {
    do throws(CommandRejection) {
      await receive(try CommandURL.read(url, scheme: configuration.commandScheme))
    } catch {
      switch error {
      case .notACommand: break
      case .badID: refuse("a command with a bad id")
      case .badRequest(let reason, let request): respond(PageAnswer(request, status: 400, body: reason))
      }
    }
  }

  private func receive(_ request: CommandRequest) async {
    guard configuration.remoteCommandsEnabled else {
      return respond(PageAnswer(request, status: 403, body: "remote commands are off"))
    }
    let load = currentLoad
    switch shared.commands.withLock({ $0.receive(request, load: load) }) {
    case .answer(let answer): respond(answer)
    case .wait: break
    case .run(let job): run(job)
    }
  }

  private func run(_ job: CommandTable.Job) {
    let (shared, clock) = (shared, environment.clock)
    let request = RemoteCommandRequest(
      commandID: job.entry.id, responseID: job.request.responseID, payload: job.request.payload,
      config: job.request.config)
    let isDeveloper = log.isForDevelopers
    spawn {
      guard !shared.data.withLock({ $0.isClosed }) else { return }
      let answer: PageAnswer
      do {
        let given = try await AppCall.make(by: shared) { try await job.entry.handler(request) }
        answer = PageAnswer(job.request, given)
      } catch let refusal as RemoteCommandRefusal {
        answer = PageAnswer(job.request, status: refusal.status, body: refusal.reason)
      } catch {
        let text = isDeveloper ? String(reflecting: error) : String(describing: error)
        answer = PageAnswer(job.request, status: 555, body: text)
      }
      shared.run { manager in manager.finish(job, answer) }
    }
    commandLimits[job.number] = Task {
      do { try await clock.sleep(for: .milliseconds(CommandTable.limit)) } catch { return }
      shared.run { manager in manager.finish(job, PageAnswer(job.request, status: 555, body: "timed out")) }
    }
  }

  private func finish(_ job: CommandTable.Job, _ answer: PageAnswer) {
    commandLimits.removeValue(forKey: job.number)?.cancel()
    let (wasRunning, next) = shared.commands.withLock { $0.finish(job) }
    guard wasRunning else { return }
    if job.load == currentLoad { respond(answer) }
    if let next { run(next) }
  }

  private func respond(_ answer: PageAnswer) {
    guard answer.isWanted, let host else { return }
    let argument = PageJSON.text(answer.argument)
    log.write(.qa, "command \(answer.command): \(answer.status)")
    // A page that cannot take the answer is gone, and its request with it.
    answers.add { _ = try? await host.host.call("__tagworks.respond", argument) }
  }

  /// The handler of `_http` (WT-520).
  nonisolated static func httpHandler(
    _ policy: HTTPCommandPolicy, _ transport: any HTTPTransport
  ) -> RemoteCommandHandler {
    { command in
      var request = try HTTPCommand.request(command.payload, policy)
      for _ in 0...5 {
        let response: HTTPResponse
        do {
          response = try await transport.send(request)
        } catch let error as TransportError {
          throw RemoteCommandRefusal(status: error.code == .addressRefused ? 403 : 555, reason: error.message)
        }
        guard let next = try HTTPCommand.redirect(of: request, response, policy) else {
          return RemoteCommandAnswer(status: response.status, body: Data(response.body))
        }
        request = next
      }
      throw RemoteCommandRefusal(status: 555, reason: "more than five redirects")
    }
  }
}

/// A command of the page in the hands of a block; what is sent last before `send()` counts.
public final class RemoteCommandResponse: Sendable {
  private struct State {
    var status: Int?
    var body: Data?
    var error: (any Error)?
  }

  /// The command's id.
  public let commandID: String
  /// The number under which the page waits; nil when nobody waits.
  public let responseID: String?
  /// The data.
  public let payload: JSONObject
  private let state = Locked(State())
  private let sent = Promise<Bool>()

  init(_ request: RemoteCommandRequest) {
    (commandID, responseID, payload) = (request.commandID, request.responseID, request.payload)
  }

  /// The status; nil for 200 with a body and 204 without.
  public var status: Int? {
    get { state.withLock { $0.status } }
    set { state.withLock { $0.status = newValue } }
  }

  /// The body.
  public var body: Data? {
    get { state.withLock { $0.body } }
    set { state.withLock { $0.body = newValue } }
  }

  /// What went wrong: the answer is 555 with its text.
  public var error: (any Error)? {
    get { state.withLock { $0.error } }
    set { state.withLock { $0.error = newValue } }
  }

  /// Sends the answer; a second call does nothing.
  ///
  /// When the block returns without it, what is set is sent.
  public func send() { sent.fulfil(true) }

  func answer() async throws -> RemoteCommandAnswer {
    _ = await sent.value
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    return RemoteCommandAnswer(status: state.status, body: state.body)
  }
}
