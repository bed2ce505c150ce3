import HitQueue
import Hits

/// `tagworks hits retry`: quarantined hits become ready again.
enum HitsRetry: Command {
  static let description = CommandDescription(
    path: "hits retry",
    summary: "Makes hits that a server refused ready again, so that the next dispatch sends them.",
    operands: [.init(name: "ID", help: "the hit's id", isRequired: false)],
    options: [
      .init(name: "--store", value: "DIR", help: "the directory of the app's hit store", isRequired: true),
      .init(name: "--all", help: "all quarantined hits"), CommandDescription.json,
    ],
    exits: [
      (.success, "ready again"), (.inputHasErrors, "there is no such quarantined hit"),
      (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits retry --all --store ~/.local/state/tagworks/default")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let id = try arguments.operand(0).map { text throws(UsageError) in try HitOptions.id(text) }
    guard (id == nil) == arguments.has("--all") else { throw UsageError("give either an ID or --all") }
    return try await HitPlace.edit(arguments) { editor throws(HitQueueError) in
      try await editor.retry(id)
    } report: { count in
      arguments.has("--json")
        ? Value.map(["retried": .int(Int64(count))]).jsonText
        : count == 1 ? "1 hit is ready again" : "\(count) hits are ready again"
    }
  }
}
