import Hits
import VideoAds

/// `tagworks ads play`: the timeline of a source's ads beside simulated content (VA-1502).
enum AdsPlay: Command {
  static let description = CommandDescription(
    path: "ads play",
    summary: "Plays an ad tag or document on a simulated player and prints all that happens.",
    operands: [AdsSource.operand],
    options: AdsSource.options + [
      .init(name: "--content-duration", value: "S", help: "how long content is", defaultText: "600"),
      .init(name: "--start", value: "S", help: "where content starts", defaultText: "0"),
      .init(name: "--seek", value: "FROM:TO", help: "jumps in content, in seconds", isRepeatable: true),
      .init(name: "--skip", help: "skip each ad as soon as that is allowed"),
      .init(name: "--mute", help: "play ads without sound"),
      .init(name: "--player", value: "NAME", help: "simulated", defaultText: "simulated"),
      .init(name: "--fast", help: "let time jump from event to event"),
      .init(name: "--send", help: "send the beacons; without it they are only listed"),
    ],
    exits: [
      (.success, "ads played"), (.inputHasErrors, "none played"),
      (.unavailable, "the first document could not be fetched"),
    ],
    example: "tagworks ads play vmap.xml --fast --content-duration 60")

  static func run(_ arguments: Arguments) async throws -> ExitStatus { try await play(arguments) }

  @MainActor
  private static func play(_ arguments: Arguments) async throws -> ExitStatus {
    if let player = arguments.value("--player"), player != "simulated" {
      throw UsageError("--player takes simulated, not '\(player)'")
    }
    let source = try AdsSource(arguments)
    let session = try PlaySession(source, arguments)
    let isJSON = arguments.has("--json")
    if !isJSON { Output.line(PlayText.head) }
    return await session.run { record in
      Output.line(isJSON ? PlayJSON.tree(of: record).line : PlayText.line(of: record))
    }
  }
}
