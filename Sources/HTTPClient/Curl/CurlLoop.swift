#if !canImport(Darwin)
  import CCurl
  import Foundation
  import Hits

  /// The thread that runs libcurl's multi handle.
  ///
  ///     begin ──► inbox ──► start ──► perform ──► answer ──► finish
  ///     cancel ─┘             ▲                     │ hop
  ///                           └─────────────────────┘
  ///
  /// `@unchecked Sendable`: callers touch only the inbox, under its lock; everything else belongs to the thread.
  final class CurlLoop: @unchecked Sendable {
    private enum Command {
      case begin(CurlExchange, CheckedContinuation<TransportResult, Never>)
      case cancel(CurlExchange)
    }

    private struct Inbox {
      var commands: [Command] = []
      var isEnding = false
      var hasEnded = false
    }

    private let inbox = Locked(Inbox())
    private let multi: UnsafeMutableRawPointer
    private var active: [ObjectIdentifier: CurlHandle] = [:]
    private var spare: [CurlHandle] = []
    private let trust: CurlTrust
    private static let mostSpare = 16
    private static let isInitialized = ccurl_global_init() == CURLE_OK

    init(connectionsPerHost: Int, trust: CurlTrust) {
      self.trust = trust
      guard Self.isInitialized, let multi = curl_multi_init() else {
        // Both fail only without memory, where Swift itself stops.
        preconditionFailure("libcurl has no memory")
      }
      self.multi = multi
      ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connectionsPerHost * 4)
    }

    deinit { curl_multi_cleanup(multi) }

    func start(onEnd: @escaping @Sendable () -> Void) {
      let thread = Thread {
        self.run()
        onEnd()
      }
      thread.name = "HTTPClient"
      thread.stackSize = 512 << 10
      thread.start()
    }

    func begin(_ exchange: CurlExchange, _ continuation: CheckedContinuation<TransportResult, Never>) {
      post { $0.commands.append(.begin(exchange, continuation)) }
    }

    func cancel(_ exchange: CurlExchange) { post { $0.commands.append(.cancel(exchange)) } }

    /// Ends the thread; what is under way fails as cancelled.
    func end() { post { $0.isEnding = true } }

    private func post(_ change: (inout Inbox) -> Void) {
      inbox.withLock { inbox in
        let wasEmpty = inbox.commands.isEmpty
        change(&inbox)
        // A wake-up stays until the next poll, so that one is enough for many commands.
        if wasEmpty, !inbox.hasEnded { curl_multi_wakeup(multi) }
      }
    }

    private func run() {
      while true {
        let (commands, isEnding) = inbox.withLock { inbox in
          defer { inbox.commands.removeAll() }
          return (inbox.commands, inbox.isEnding)
        }
        // Cancellations first: an exchange that is begun and cancelled at once never reaches libcurl.
        for case .cancel(let exchange) in commands { cancelNow(exchange) }
        for case .begin(let exchange, let continuation) in commands { beginNow(exchange, continuation) }
        if isEnding { break }
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        let hasHopped = collect()
        if !hasHopped { curl_multi_poll(multi, nil, 0, stopLate(), nil) }
      }
      for handle in Array(active.values) { finish(handle, .failure(handle.cancelled())) }
      spare.removeAll()
      inbox.withLock { $0.hasEnded = true }
    }

    private func beginNow(_ exchange: CurlExchange, _ continuation: CheckedContinuation<TransportResult, Never>) {
      exchange.continuation = continuation
      if exchange.isCancelled {
        exchange.resume(
          with: .failure(TransportError(phase: .notSent, code: .cancelled, message: "cancelled before it was sent")))
      } else {
        let handle = spare.popLast() ?? CurlHandle(trust: trust)
        exchange.handle = handle
        active[ObjectIdentifier(handle)] = handle
        start(handle, exchange, url: exchange.request.url)
      }
    }

    private func cancelNow(_ exchange: CurlExchange) {
      exchange.isCancelled = true
      if let handle = exchange.handle { finish(handle, .failure(handle.cancelled())) }
    }

    private func start(_ handle: CurlHandle, _ exchange: CurlExchange, url: String) {
      if let failure = handle.prepare(exchange, url: url) {
        finish(handle, .failure(failure))
      } else {
        curl_multi_add_handle(multi, handle.easy)
      }
    }

    /// Takes the exchanges that libcurl has done with; true when one of them goes on to another place.
    private func collect() -> Bool {
      var hasHopped = false
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
          let handle = CurlHandle.of(easy), let exchange = handle.exchange
        else { continue }
        switch handle.conclusion(of: ccurl_msg_result(message)) {
        case .done(let result): finish(handle, result)
        case .hop(let url):
          curl_multi_remove_handle(multi, easy)
          start(handle, exchange, url: url)
          hasHopped = true
        }
      }
      return hasHopped
    }

    /// Fails the exchanges that took too long, in all or without a byte.
    ///
    /// - Returns: the milliseconds until the next one is due; libcurl shortens that by its own timers.
    private func stopLate() -> Int32 {
      var next = 60_000
      let now = ContinuousClock.now
      for handle in active.values {
        let left = handle.timeLeft(at: now)
        if left > .zero {
          next = min(next, left.milliseconds(atMost: next) + 1)
        } else {
          finish(handle, .failure(handle.failure(.timeout, "no answer in time")))
          next = 0
        }
      }
      return Int32(next)
    }

    private func finish(_ handle: CurlHandle, _ result: TransportResult) {
      curl_multi_remove_handle(multi, handle.easy)
      active[ObjectIdentifier(handle)] = nil
      let exchange = handle.release()
      exchange?.handle = nil
      if spare.count < Self.mostSpare { spare.append(handle) }
      exchange?.resume(with: result)
    }
  }
#endif
