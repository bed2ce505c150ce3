import Hits
import VideoAds

/// `tagworks ads play`: the timeline of a source's ads beside simulated content (VA-1502).
enum AdsPlay: Command {
  static let description = CommandDescription(
    path: "ads play",
    summary: "Plays an ad tag or document, simulated or with GStreamer, and prints all that happens.",
    operands: [AdsSource.operand],
    options: AdsSource.options + [
      .init(name: "--content-duration", value: "S", help: "how long content is", defaultText: "600"),
      .init(name: "--start", value: "S", help: "where content starts", defaultText: "0"),
      .init(name: "--seek", value: "FROM:TO", help: "jumps in content, in seconds", isRepeatable: true),
      .init(name: "--skip", help: "skip each ad as soon as that is allowed"),
      .init(name: "--mute", help: "play ads without sound"),
      .init(name: "--player", value: "NAME", help: "simulated or gstreamer", defaultText: "simulated"),
      .init(name: "--window", help: "show content and ads in a window, with player gstreamer"),
      .init(name: "--content", value: "URL", help: "what plays as content in the window"),
      .init(name: "--fast", help: "let time jump from event to event, with the simulated player"),
      .init(name: "--send", help: "send the beacons; without it they are only listed"),
    ],
    exits: [
      (.success, "ads played"), (.inputHasErrors, "none played"),
      (.unavailable, "the first document could not be fetched, or the player could not be started"),
    ],
    example: "tagworks ads play vmap.xml --fast --content-duration 60")

  static func run(_ arguments: Arguments) async throws -> ExitStatus { try await play(arguments) }

  @MainActor
  private static func play(_ arguments: Arguments) async throws -> ExitStatus {
    let isReal = try isPlayerReal(arguments)
    let source = try AdsSource(arguments)
    let stage =
      isReal
      ? try await RemoteStage(hasWindow: arguments.has("--window"), content: arguments.value("--content")) : nil
    defer { stage?.end() }
    let session = try PlaySession(source, arguments, stage)
    let isJSON = arguments.has("--json")
    if !isJSON { Output.line(PlayText.head) }
    return await session.run { record in
      Output.line(isJSON ? PlayJSON.tree(of: record).line : PlayText.line(of: record))
    }
  }

  /// Whether media is played by a program of its own, and not simulated.
  private static func isPlayerReal(_ arguments: Arguments) throws(UsageError) -> Bool {
    switch arguments.value("--player") ?? "simulated" {
    case "simulated":
      for option in ["--window", "--content"] where arguments.has(option) {
        throw UsageError("\(option) needs --player gstreamer")
      }
      return false
    case "gstreamer":
      if arguments.has("--fast") { throw UsageError("--fast needs the simulated player") }
      if arguments.has("--content"), !arguments.has("--window") { throw UsageError("--content needs --window") }
      return true
    case let other: throw UsageError("--player takes simulated or gstreamer, not '\(other)'")
    }
  }
}
