import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Graceful stop") struct GracefulStopTests {
  static func waiting(on gate: Gate) -> Route {
    Route(
      "/wait",
      [
        "GET": { _ in
          await gate.pass()
          return ServerResponse(status: 200, body: Array("finished".utf8))
        }
      ])
  }

  @Test("CO-103: a running request finishes, a half-sent one too; idle and new connections do not hold the stop up")
  func finishes() async throws {
    let gate = Gate(opensAt: 2)
    let server = try HTTPServerTests.server([.health, HTTPServerTests.echo, Self.waiting(on: gate)])
    let running = try LoopbackSocket.connect(to: server.port)
    running.send(Array("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    await gate.arrival()
    let idle = try LoopbackSocket.connect(to: server.port)
    idle.send(Array("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    #expect(try await blocking { String(decoding: idle.receive(1000), as: UTF8.self).contains("200") })
    let half = try LoopbackSocket.connect(to: server.port)
    half.send(Array("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha".utf8))
    let silent = try LoopbackSocket.connect(to: server.port)
    // The half-sent head must have arrived: an answer on a later connection says so.
    _ = try await PlatformTransport().send(HTTPRequest(url: HTTPServerTests.url(server, "/healthz")))

    let stop = Task { await server.stop() }
    #expect(try await blocking { idle.receive(1000) } == [])
    #expect(try await blocking { silent.receive(1000) } == [])
    #expect(throws: (any Error).self) { try LoopbackSocket.connect(to: server.port) }
    half.send(Array("lf".utf8))
    #expect(try await blocking { String(decoding: half.receiveAll(), as: UTF8.self) }.hasSuffix("half"))
    await gate.open()
    let answer = try await blocking { String(decoding: running.receiveAll(), as: UTF8.self) }
    #expect(answer.contains("Connection: close"))
    #expect(answer.hasSuffix("finished"))
    await stop.value
    for socket in [running, idle, half, silent] { socket.close() }
  }

  @Test("CO-103: a request that does not finish in time is answered 503 and the server stops all the same")
  func unfinished() async throws {
    var limits = ServerLimits()
    limits.grace = .milliseconds(50)
    let gate = Gate(opensAt: 2)
    let server = try HTTPServerTests.server([Self.waiting(on: gate)], limits: limits)
    let running = try LoopbackSocket.connect(to: server.port)
    running.send(Array("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
    await gate.arrival()
    await server.stop()
    #expect(try await blocking { String(decoding: running.receiveAll(), as: UTF8.self) }.contains(" 503 "))
    running.close()
    await gate.open()
  }

  @Test("stopping again does nothing, and a server that is let go of stops by itself")
  func again() async throws {
    let server = try HTTPServerTests.server()
    await server.stop()
    await server.stop()
    let port = try HTTPServerTests.server().port
    #expect(throws: (any Error).self) { try LoopbackSocket.connect(to: port) }
  }

  @Test("requests that end while the server stops are all answered or cut, none aborts the process")
  func underLoad() async throws {
    for _ in 1...10 {
      var limits = ServerLimits()
      limits.grace = .zero
      let server = try HTTPServerTests.server(limits: limits)
      let url = HTTPServerTests.url(server, "/echo")
      let transport = PlatformTransport(connectionsPerHost: 16)
      let load = Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 1...16 {
            group.addTask {
              while (try? await transport.send(HTTPRequest(method: "POST", url: url, body: [1, 2, 3]))) != nil {}
            }
          }
        }
      }
      _ = try await transport.send(HTTPRequest(method: "POST", url: url, body: [1]))
      await server.stop()
      await load.value
    }
  }

  @Test("CO-103: a server that is stopped as soon as it listens aborts nothing")
  func atOnce() async throws {
    for round in 0..<500 {
      let server = try HTTPServerTests.server()
      // A client that has just come is what libmicrohttpd's thread is busy with.
      let client = round % 2 == 0 ? try LoopbackSocket.connect(to: server.port) : nil
      await server.stop()
      client?.close()
    }
  }
}
