import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Killed server") struct KilledServerTests {
  /// A process that serves, sends itself hits from several tasks, writes down the number of each acknowledged one, and
  /// is killed in the midst of it.
  @Test("HQ-724, CO-700, CO-103: after kill -9 every acknowledged hit is there, once", arguments: 1...5)
  func killed(round: Int) async throws {
    let directory = try TemporaryDirectory(isMade: false)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, round = round as Int] in
      let server = try ConsoleServer(ServeSettings(port: 0, data: path), limits: ServerLimits())
      let noted = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let transport = PlatformTransport()
      let url = server.url + "/batch"
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0... {
              let first = task * 1_000_000 + number * 2
              let body = Array([first, first + 1].map(Self.line).joined(separator: "\n").utf8)
              let response = try? await transport.send(HTTPRequest(method: "POST", url: url, body: body))
              guard response?.headers["Tagworks-Accepted"] == "2" else { continue }
              let line = "\(first)\n\(first + 1)\n"
              _ = line.withCString { write(noted, $0, strlen($0)) }
              if task == 0, number == 5 + round * 7 { kill(getpid(), SIGKILL) }
            }
          }
        }
      }
    }
    let text = try String(contentsOfFile: directory.path + "/acknowledged", encoding: .utf8)
    let acknowledged = text.split(separator: "\n").compactMap { Int64($0) }
    #expect(acknowledged.count > 10)
    let store = try IntakeStore(directory: directory.path, reserve: 0)
    let stored = try await store.scan(after: 0, limit: .max).compactMap(\.hit.sequence)
    #expect(Set(acknowledged.map { $0 + 1 }).isSubset(of: stored))
    #expect(Set(stored).count == stored.count)
  }

  /// The log's line is written between the commit and the first byte of the answer: there the process kills itself.
  @Test("HQ-1117: killed between commit and answer, the hit is stored once, however often the client repeats it")
  func lostAnswer() async throws {
    let directory = try TemporaryDirectory(isMade: false)
    for _ in 1...2 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
        let server = try ConsoleServer(ServeSettings(port: 0, data: path), limits: ServerLimits()) { line in
          if line.hasPrefix("POST /collect 200") { kill(getpid(), SIGKILL) }
        }
        _ = try? await PlatformTransport().send(
          HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(Self.line(7).utf8)))
      }
    }
    let server = try ConsoleServer(ServeSettings(port: 0, data: directory.path), limits: ServerLimits())
    let response = try await PlatformTransport().send(
      HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(Self.line(7).utf8)))
    #expect(response.headers["Tagworks-Duplicate"] == "1")
    try await server.stop()
    #expect(try IntakeReader(directory: directory.path).statistics().total == 1)
  }

  static func line(_ number: Int) -> String {
    let id = HitID(high: 7 << 12, low: UInt64(number))
    return "v=1&tid=UA-1-1&cid=c&t=exception&_s=\(number + 1)&_v=tw1.0.0&qt=0&z=\(id)"
  }
}
