import Foundation
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Intake file") struct IntakeFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var path: String { directory.file("intake.sqlite3") }

  private func start() throws -> ConsoleServer {
    try ConsoleServer(ServeSettings(port: 0, data: directory.path), limits: ServerLimits())
  }

  @Test("a new file is whole from its first moment, and nothing is left beside it")
  func made() throws {
    _ = try IntakeStore(directory: directory.path, reserve: 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names.filter { $0.contains(".new-") } == [])
    #expect(names.contains("intake.sqlite3"))
  }

  @Test("an empty file is refused by its name: hits may have been in it")
  func empty() throws {
    _ = try directory.write("", to: "intake.sqlite3")
    let error = #expect(throws: ConsoleError.self) { try start() }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.message.contains(path) == true)
  }

  @Test("HQ-721: a damaged page is found at the start, and the file named")
  func damagedPage() throws {
    try IntakeFile.prepare(path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The header stays; the pages behind the first become nonsense.
    for index in 4096 + 100..<min(bytes.count, 4096 * 6) { bytes[index] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ConsoleError.self) { try start() }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.message.contains(path) == true)
    #expect(error?.message.contains("\n") == false)
  }
}
