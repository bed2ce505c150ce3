package import Hits

/// A transport without a network: keeps every request, and answers as a test says.
package final class ScriptedTransport: HTTPTransport {
  /// What a request gets.
  package enum Answer: Sendable {
    case response(HTTPResponse)
    case failure(TransportError)
    /// Nothing, until the request is cancelled or `answerNext` is called.
    case hold

    /// An answer of a status alone.
    package static func status(_ status: Int) -> Answer { .response(HTTPResponse(status: status)) }
  }

  private struct State {
    var requests: [HTTPRequest] = []
    var script: [Answer]
    var held: [(number: Int, continuation: CheckedContinuation<Answer, Never>)] = []
    /// Answers given before their request was held: it is counted a moment earlier.
    var early: [Answer] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var cancelled: Set<Int> = []
  }

  /// Noted with each request.
  package let changes = Changes()
  private let state: Locked<State>
  private let otherwise: @Sendable (HTTPRequest) -> Answer

  /// Makes a transport that gives the answers of a script one after another, and then what `otherwise` says.
  package init(
    _ script: [Answer] = [], otherwise: @escaping @Sendable (HTTPRequest) -> Answer = { _ in .status(200) }
  ) {
    state = Locked(State(script: script))
    self.otherwise = otherwise
  }

  /// All requests so far, in order.
  package var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// The lines of all requests so far, in order.
  package var lines: [String] {
    requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n").map(String.init) }
  }

  /// Returns when that many requests have come.
  package func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Answers the oldest request that is held; when none is, the next one.
  package func answerNext(_ answer: Answer) {
    let held = state.withLock { state -> (number: Int, continuation: CheckedContinuation<Answer, Never>)? in
      if !state.held.isEmpty { return state.held.removeFirst() }
      state.early.append(answer)
      return nil
    }
    held?.continuation.resume(returning: answer)
  }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (number, scripted, watchers) = state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      return (count, state.script.isEmpty ? nil : state.script.removeFirst(), ready)
    }
    for watcher in watchers { watcher.resume() }
    changes.note()
    var answer = scripted ?? otherwise(request)
    if case .hold = answer { answer = await hold(number) }
    switch answer {
    case .response(var response):
      response.bytesSent = request.body.count
      return response
    case .failure(let error): throw error
    case .hold: throw TransportError(phase: .uncertain, code: .cancelled, message: "cancelled")
    }
  }

  private func hold(_ number: Int) async -> Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Answer? in
          if state.cancelled.contains(number) { return .hold }
          if !state.early.isEmpty { return state.early.removeFirst() }
          state.held.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let held = state.withLock { state in
        state.cancelled.insert(number)
        let index = state.held.firstIndex { $0.number == number }
        return index.map { state.held.remove(at: $0) }
      }
      held?.continuation.resume(returning: .hold)
    }
  }
}
