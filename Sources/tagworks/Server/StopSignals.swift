import Dispatch
import Foundation

/// The signals that ask a server to stop: SIGTERM and SIGINT, as a stream.
final class StopSignals: Sendable {
  let received: AsyncStream<Void>
  // Kept for their handlers; a dispatch source may be used from any thread.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    received = stream
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)  // or the default action would end the process before the source sees it
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
  }
}
