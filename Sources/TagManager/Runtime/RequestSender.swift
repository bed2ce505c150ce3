import Hits

/// Sends the requests of http tags: each at most three times, at most 100 of them on their way (TM-846).
///
/// They live in memory only. Beyond 100 the oldest is given up.
final class RequestSender: Sendable {
  static let delays: [Duration] = [.zero, .seconds(5), .seconds(30)]
  static let limit = 100

  private struct State {
    var nextID = 0
    var underWay: [(id: Int, task: Task<Void, Never>)] = []
  }

  private let state = Locked(State())
  private let transport: (any HTTPTransport)?
  private let clock: any HitClock
  private let settings: Settings

  init(transport: (any HTTPTransport)?, clock: any HitClock, settings: Settings) {
    self.transport = transport
    self.clock = clock
    self.settings = settings
  }

  /// Starts sending and returns at once.
  func send(_ request: HTTPRequest) {
    guard let transport else {
      return settings.logger.log(.warning, "An http tag fired, but the tag manager has no transport to send by.")
    }
    let givenUp = state.withLock { state -> Task<Void, Never>? in
      state.nextID += 1
      let id = state.nextID
      let task = Task {
        await deliver(request, by: transport)
        done(id)
      }
      state.underWay.append((id, task))
      return state.underWay.count > Self.limit ? state.underWay.removeFirst().task : nil
    }
    guard let givenUp else { return }
    givenUp.cancel()
    settings.logger.log(.warning, "More than \(Self.limit) requests of http tags wait; the oldest is given up.")
  }

  /// How many requests are on their way.
  var count: Int { state.withLock { $0.underWay.count } }

  /// Waits until everything handed over is taken or given up.
  func finish() async {
    for task in state.withLock({ $0.underWay.map(\.task) }) { await task.value }
  }

  private func done(_ id: Int) { state.withLock { $0.underWay.removeAll { $0.id == id } } }

  private func deliver(_ request: HTTPRequest, by transport: any HTTPTransport) async {
    var problem = ""
    for delay in Self.delays {
      do {
        if delay > .zero { try await clock.sleep(for: delay) }
        let status = try await Self.status(of: request, by: transport)
        guard status == 429 || status >= 500 else { return }
        problem = "status \(status)"
      } catch is CancellationError {
        return  // given up, which was said already
      } catch let error as TransportError where error.code == .cancelled {
        return
      } catch {
        problem = "\(error)"
      }
    }
    settings.logger.log(.warning, "A request of an http tag was not taken in three tries: \(problem)")
  }

  /// The answer's status, also where its body, which nobody reads, is too long.
  private static func status(
    of request: HTTPRequest, by transport: any HTTPTransport
  ) async throws(TransportError) -> Int {
    do throws(TransportError) { return try await transport.send(request).status } catch {
      guard let response = error.response else { throw error }
      return response.status
    }
  }
}
