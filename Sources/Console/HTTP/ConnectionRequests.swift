import CMicrohttpd
import Foundation
import Hits

/// The requests of one connection, one after another.
///
///     line ─► head ─┬─► prepared ───────► answered ─► line …
///                   └─► ServerExchange ─► answered
///
/// A request that is answered from memory makes no object of its own (CO-603). Only libmicrohttpd's thread touches it,
/// which calls `proceed` for the head, for each piece of the body and at its end.
final class ConnectionRequests {
  let connection: ServerConnection
  private let server: ServerCore
  private var line = RequestLine()
  /// The answer that is there already; given at the first call it would close the connection.
  private var prepared: PreparedAnswer?
  private var route: InstantRoute?
  private var exchange: ServerExchange?

  init(server: ServerCore, connection: ServerConnection) {
    self.server = server
    self.connection = connection
  }

  /// A request begins.
  func begin(target: UnsafePointer<CChar>) {
    line = RequestLine(target: target)
    connection.expect(by: line.start + server.receiveTime)
  }

  /// Takes libmicrohttpd's next call for it.
  func proceed(
    _ handle: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    if let exchange { return exchange.proceed(handle, piece) }
    guard let prepared else { return judge(handle, method, version) }
    // The line is done with: it is moved, for a copy would count its texts' users.
    var line = RequestLine()
    swap(&line, &self.line)
    server.note(line, route: route?.path, prepared.response, received: 0, on: connection)
    return server.isStopping ? prepared.response.queue(on: handle, closes: true) : prepared.queue(on: handle)
  }

  /// The request is over, answered or not.
  func end() {
    if let exchange {
      exchange.end()
      self.exchange = nil
    }
    prepared = nil
    connection.expect(by: ServerClock.now + server.idleTime, isIdle: true)
  }

  private func judge(
    _ handle: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
  ) -> MHD_Result {
    line.note(method: method)
    let fields = HeadFields(handle)
    let isPlain = isPlain(fields, version)
    if isPlain, prepare(handle, fields) { return .YES }
    let exchange = ServerExchange(server: server, connection: connection, line: line)
    self.exchange = exchange
    return isPlain ? exchange.begin(handle) : exchange.answerMalformed(handle)
  }

  /// Whether the head can be read in one way only, but for its framing: a target of visible characters, fields written as
  /// fields are, one host (RFC 9112).
  private func isPlain(_ fields: HeadFields, _ version: UnsafePointer<CChar>) -> Bool {
    line.isVisible && fields.isPlain && (fields.hosts == 1 || fields.hosts == 0 && strcmp(version, "HTTP/1.0") == 0)
  }

  /// Finds the answer of an instant route to a request that is nothing but a head; false without one.
  private func prepare(_ handle: OpaquePointer, _ fields: HeadFields) -> Bool {
    guard !fields.framesBody, line.method == "GET" || line.method == "HEAD",
      let found = server.instantRoutes.first(where: { line.path.hasPrefix($0.prefix) }),
      cmhd_header_size(handle) <= server.limits.header,
      let answer = found.answer(InstantRequest(line, fields))
    else { return false }
    route = found
    prepared = answer
    return true
  }
}
