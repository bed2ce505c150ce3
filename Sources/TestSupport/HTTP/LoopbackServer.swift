import Foundation
package import Hits

/// A scripted HTTP/1.1 server on 127.0.0.1, for tests of what sends requests.
///
/// Each request is handed to the script, which says what goes back, faults included. Connections are kept alive after
/// `Answer.response`. The server ends when it is released; nothing of it outlives the test.
package final class LoopbackServer: Sendable {
  /// A request as it arrived.
  package struct Request: Sendable {
    package var method: String
    /// Path and query as on the request line.
    package var target: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Which connection brought it, counted from 1.
    package var connection: Int
  }

  /// What goes back.
  package enum Answer: Sendable {
    /// An answer with its `Content-Length`; the connection stays.
    case response(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [])
    /// These bytes as they are, then the end of the connection.
    case bytes([UInt8])
    /// These bytes, one at a time with a pause after each, then the end of the connection.
    case slow([UInt8], pause: Duration)
    /// These bytes as they are, then nothing more until the client gives up.
    case hang(after: [UInt8] = [])

    /// The end of the connection without a byte.
    package static let cut = Answer.bytes([])

    /// A redirect to another place.
    package static func redirect(_ status: Int, to target: String) -> Answer {
      .response(status: status, headers: ["Location": target])
    }

    /// A short text with status 200.
    package static func text(_ text: String) -> Answer { .response(status: 200, body: Array(text.utf8)) }
  }

  /// The port it listens on.
  package let port: UInt16
  private let core: LoopbackCore

  /// Starts to listen; the script runs on the connections' threads.
  ///
  /// - Parameter greeting: bytes that each connection gets before it has said anything; it is then closed.
  package init(greeting: [UInt8]? = nil, _ script: @escaping @Sendable (Request) -> Answer) throws {
    let listener = try LoopbackSocket.listen()
    port = listener.port
    core = LoopbackCore(listener: listener.descriptor, greeting: greeting, script: script)
    let core = core
    Thread.detachNewThread { core.accept() }
  }

  deinit { core.stop() }

  /// The absolute URL of a path here.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far, in the order of their arrival.
  package var requests: [Request] { core.requests }

  /// The number of connections so far.
  package var connections: Int { core.connections }

  /// Waits until a number of requests has arrived.
  package func arrival(of count: Int) async { await core.arrival(of: count) }
}
