#if !canImport(Darwin)
  import Hits

  typealias TransportResult = Result<HTTPResponse, TransportError>

  /// One request from `send` to its answer, over all its hops.
  ///
  /// `@unchecked Sendable`: after it was handed over, only the loop's thread touches its variables.
  final class CurlExchange: @unchecked Sendable {
    let request: HTTPRequest
    let deadline: ContinuousClock.Instant
    var continuation: CheckedContinuation<TransportResult, Never>?
    var isCancelled = false
    var handle: CurlHandle?
    /// The URLs asked by following redirects.
    var hops: [String] = []
    var hopsMade: Int { hops.count }
    var bytesSent = 0
    /// Credentials stay behind once a hop has left the first origin.
    var hasLeftOrigin = false

    init(_ request: HTTPRequest) {
      self.request = request
      deadline = ContinuousClock.now.advanced(by: request.timeout)
    }

    func resume(with result: TransportResult) {
      continuation?.resume(returning: result)
      continuation = nil
    }
  }
#endif
