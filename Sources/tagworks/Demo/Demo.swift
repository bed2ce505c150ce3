import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TagManager

/// `tagworks demo`: the whole way of the data on a sample shop, with a tally that must agree.
enum Demo: Command {
  static let description = CommandDescription(
    path: "demo",
    summary: "Runs a sample shop from its container to the collector, and checks the books.",
    options: [
      .init(
        name: "--data", value: "DIR", help: "keep the hit store and the collector's data here",
        defaultText: "a new temporary directory")
    ],
    exits: [
      (.success, "the tally agrees"), (.inputHasErrors, "it does not"),
      (.unavailable, "the collector or the store could not be used"),
    ],
    example: "tagworks demo --data ./demo")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let directory = arguments.value("--data") ?? Self.temporaryDirectory()
    let run = DemoRun(directory: URL(fileURLWithPath: directory).path)
    do {
      return try await run.report() ? .success : .inputHasErrors
    } catch let error as ConsoleError {
      throw CommandFailure(error.message, status: .unavailable)
    } catch let error as HitQueueError {
      throw CommandFailure(error.message, status: .unavailable)
    }
  }

  private static func temporaryDirectory() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("tagworks-demo-\(UUID().uuidString.prefix(8))").path
  }
}
