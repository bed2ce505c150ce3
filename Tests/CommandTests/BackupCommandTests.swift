import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@Suite struct BackupCommandTests {
  @Test("CO-1003: backup of a running server and restore elsewhere, by the command line")
  func roundTrip() async throws {
    let directory = try TemporaryDirectory()
    let (data, file, other) = (directory.file("data"), directory.file("backup"), directory.file("other"))
    let server = try RunningServer(data: data, arguments: ["--database", "sqlite:" + directory.file("own.sqlite3")])
    let url = server.url + "/collect?v=1&tid=UA-1-1&cid=c&t=exception"
    #expect(try await PlatformTransport().send(HTTPRequest(url: url)).status == 200)
    let missing = try await Program.run(["backup", file, "--data", directory.file("none")])
    #expect(missing.status == 3)
    let place = ["--data", data, "--database", "sqlite:" + directory.file("own.sqlite3")]
    #expect(try await Program.run(["backup", file] + place).status == 0)
    #expect(try await Program.run(["restore", file] + place).status == 3)
    #expect(server.stop() == 0)
    #expect(try await Program.run(["restore", file, "--data", other]).status == 0)
    let stats = try await Program.run(["hits", "stats", "--intake", other])
    #expect(stats.status == 0)
    #expect(stats.output.contains("UA-1-1"))
    #expect(FileManager.default.fileExists(atPath: other + "/console.sqlite3"))
  }
}
