import HitQueue
import Hits

/// `tagworks hits purge`: throws hits away, counted.
enum HitsPurge: Command {
  static let description = CommandDescription(
    path: "hits purge",
    summary: "Throws away the hits of a state; they are counted as dropped.purged.",
    options: [
      .init(name: "--store", value: "DIR", help: "the directory of the app's hit store", isRequired: true),
      .init(name: "--state", value: "STATE", help: "ready, held or quarantined", isRequired: true),
      .init(name: "--yes", help: "really; without it, nothing is done"), CommandDescription.json,
    ],
    exits: [
      (.success, "thrown away"), (.inputHasErrors, "there was none"), (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits purge --state quarantined --yes --store ~/.local/state/tagworks/default")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    guard let state = try HitOptions.state(arguments.value("--state")), state != .inflight else {
      throw UsageError("--state takes one of ready, held, quarantined: hits in a request cannot be thrown away")
    }
    guard arguments.has("--yes") else { throw UsageError("hits that are thrown away are gone; say --yes") }
    return try await HitPlace.edit(arguments) { editor throws(HitQueueError) in
      try await editor.purge(state)
    } report: { count in
      arguments.has("--json") ? Value.map(["purged": .int(Int64(count))]).jsonText : "\(count) hits are gone"
    }
  }
}
