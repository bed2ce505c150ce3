import Hits

/// Sends the first requests alone and finds no network for the others: what `--offline` leaves of a source (VA-1500).
final class OfflineTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let left: Locked<Int>

  init(_ transport: any HTTPTransport, allowing count: Int) {
    self.transport = transport
    left = Locked(count)
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let isAllowed = left.withLock { left in
      left -= 1
      return left >= 0
    }
    guard isAllowed else { throw TransportError(phase: .notSent, code: .offline, message: "No document is fetched.") }
    return try await transport.send(request)
  }
}
