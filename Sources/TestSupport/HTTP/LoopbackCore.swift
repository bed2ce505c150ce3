import Foundation
import Hits

/// The threads' side of a `LoopbackServer`: one thread accepts, one serves each connection.
final class LoopbackCore: Sendable {
  private struct State {
    var requests: [LoopbackServer.Request] = []
    var connections = 0
    var open: Set<Int32> = []
    var isStopped = false
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let listener: Int32
  private let greeting: [UInt8]?
  private let script: @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer
  private let state = Locked(State())

  init(
    listener: Int32, greeting: [UInt8]?,
    script: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer
  ) {
    self.listener = listener
    self.greeting = greeting
    self.script = script
  }

  var requests: [LoopbackServer.Request] { state.withLock { $0.requests } }

  var connections: Int { state.withLock { $0.connections } }

  func arrival(of count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count < count { state.waiting.append((count, continuation)) }
        return state.requests.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func accept() {
    defer { close(listener) }
    while true {
      let descriptor = Foundation.accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let number: Int? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.connections += 1
        state.open.insert(descriptor)
        return state.connections
      }
      guard let number else {
        close(descriptor)
        return
      }
      Thread.detachNewThread { self.serve(LoopbackSocket(descriptor: descriptor), number: number) }
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    // A listening socket that is shut down wakes its `accept`, which then closes it.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve(_ socket: LoopbackSocket, number: Int) {
    defer {
      state.withLock { state in
        state.open.remove(socket.descriptor)
        close(socket.descriptor)
      }
    }
    if let greeting {
      socket.send(greeting)
      return
    }
    var reader = LoopbackRequestReader(socket: socket)
    while let request = reader.next(connection: number) {
      let arrived = state.withLock { state in
        state.requests.append(request)
        let count = state.requests.count
        defer { state.waiting.removeAll { $0.count <= count } }
        return state.waiting.filter { $0.count <= count }
      }
      for waiter in arrived { waiter.continuation.resume() }
      guard answer(script(request), to: request, on: socket) else { return }
    }
  }

  /// Performs the script's answer; false when the connection is at its end.
  private func answer(
    _ answer: LoopbackServer.Answer, to request: LoopbackServer.Request, on socket: LoopbackSocket
  ) -> Bool {
    switch answer {
    case .response(let status, let headers, let body):
      var head = "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(body.count)\r\n"
      for field in headers { head += "\(field.name): \(field.value)\r\n" }
      return socket.send(Array((head + "\r\n").utf8) + (request.method == "HEAD" ? [] : body))
    case .bytes(let bytes):
      socket.send(bytes)
      return false
    case .slow(let bytes, let pause):
      for byte in bytes {
        guard socket.send([byte]) else { return false }
        Thread.sleep(forTimeInterval: Double(pause.components.attoseconds) / 1e18 + Double(pause.components.seconds))
      }
      return false
    case .hang(let bytes):
      guard socket.send(bytes) else { return false }
      while !socket.receive(1024).isEmpty {}
      return false
    }
  }
}
