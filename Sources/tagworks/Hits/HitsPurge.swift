import Console
import HitQueue
import Hits

/// `tagworks hits purge`: throws hits away.
enum HitsPurge: Command {
  static let description = CommandDescription(
    path: "hits purge",
    summary: "Throws hits away: those of a state in an app's store, or those of a person in a collector's.",
    options: HitPlace.options + [
      .init(
        name: "--state", value: "STATE", help: "ready, held or quarantined ones, counted as dropped.purged (--store)"),
      .init(name: "--client", value: "ID", help: "all that is known of this client id (--intake)"),
      .init(name: "--property", value: "ID", help: "only of this property (--intake)", defaultText: "of all"),
      .init(name: "--yes", help: "really; without it, nothing is done"), CommandDescription.json,
    ],
    exits: [
      (.success, "thrown away"), (.inputHasErrors, "there was none"), (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits purge --intake ~/.local/share/tagworks --client 35009a79-1a05-49d7-b876-2b884d0f825b --yes")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    switch try HitPlace.Name(arguments) {
    case .store: try await purgeStore(arguments)
    case .intake(let directory): try await purgeIntake(directory, arguments)
    }
  }

  private static func purgeStore(_ arguments: Arguments) async throws -> ExitStatus {
    guard !arguments.has("--client"), !arguments.has("--property") else {
      throw UsageError("--client and --property go with --intake")
    }
    guard let state = try HitOptions.state(arguments.value("--state")), state != .inflight else {
      throw UsageError("--state takes one of ready, held, quarantined: hits in a request cannot be thrown away")
    }
    try confirm(arguments)
    return try await HitPlace.edit(arguments) { editor throws(HitQueueError) in
      try await editor.purge(state)
    } report: {
      report($0, arguments)
    }
  }

  private static func purgeIntake(_ directory: String, _ arguments: Arguments) async throws -> ExitStatus {
    guard !arguments.has("--state") else { throw UsageError("--state goes with --store") }
    guard let client = arguments.value("--client"), !client.isEmpty else { throw UsageError("--client ID is missing") }
    try confirm(arguments)
    do {
      let editor = try IntakeEditor(directory: directory)
      let count = try await editor.purge(client: client, property: arguments.value("--property"))
      Output.line(report(count, arguments))
      return count > 0 ? .success : .inputHasErrors
    } catch {
      throw HitPlace.failure(error)
    }
  }

  private static func confirm(_ arguments: Arguments) throws(UsageError) {
    guard arguments.has("--yes") else { throw UsageError("hits that are thrown away are gone; say --yes") }
  }

  private static func report(_ count: Int, _ arguments: Arguments) -> String {
    arguments.has("--json")
      ? Value.map(["purged": .int(Int64(count))]).jsonText : count == 1 ? "1 hit is gone" : "\(count) hits are gone"
  }
}
