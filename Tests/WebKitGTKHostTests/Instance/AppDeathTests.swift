import Foundation
import Hits
import TestSupport
import Testing

@Suite("Web tags in an app that is killed", RealEngine.condition) struct AppDeathTests {
  @Test("WT-1223, 421: what an app had stored when it was killed is delivered at its next start, each with its id")
  func killed() async throws {
    let server = try LoopbackServer { _ in .text("") }
    let folder = try TemporaryDirectory()
    let before = Set(Processes.all())
    let (app, output) = try start(folder, server, count: 60)
    let stored = try await blocking { output.fileHandleForReading.availableData }
    #expect(stored == Data("stored\n".utf8))
    try await server.requests(atLeast: 12)
    let processes = Processes.all().filter { !before.contains($0) }
    let helper = try #require(processes.first { $0.name == "tagworks-webhos" })
    let directory = try #require(helper.variable("XDG_RUNTIME_DIR"))
    #expect(FileManager.default.fileExists(atPath: directory))
    kill(app.processIdentifier, SIGKILL)
    try await Processes.end(of: processes)
    #expect(!FileManager.default.fileExists(atPath: directory))
    #expect(server.requests.count < 60)

    let (next, words) = try start(folder, server, count: 0)
    let said = try await blocking { words.fileHandleForReading.readDataToEndOfFile() }
    #expect(said == Data("stored\nended\n".utf8))
    next.waitUntilExit()
    let pairs = server.requests.map { $0.target.dropFirst("/pixel?".count).split(separator: ",").map(String.init) }
    #expect(Set(pairs.map { $0[1] }) == Set((0..<60).map(String.init) + ["last"]))
    // Those in flight when the app was killed come twice, with the same id.
    #expect(pairs.count <= 61 + 10)
    #expect(Set(pairs.map { $0[0] }).count == 61)
  }

  private func start(_ folder: TemporaryDirectory, _ server: LoopbackServer, count: Int) throws -> (Process, Pipe) {
    let app = Process()
    let output = Pipe()
    app.executableURL = URL(fileURLWithPath: Program.path(of: "webtags-app"))
    app.arguments = [folder.path, server.url("/"), "\(count)"]
    app.standardOutput = output
    try app.run()
    return (app, output)
  }
}
