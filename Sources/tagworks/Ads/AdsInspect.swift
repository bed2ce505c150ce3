import Hits
import VideoAds

/// `tagworks ads inspect`: everything that a source leads to, without playing it (VA-1500, VA-1501).
enum AdsInspect: Command {
  static let description = CommandDescription(
    path: "ads inspect",
    summary: "Resolves an ad tag or document: breaks, ads, media, trackers, diagnostics.",
    operands: [AdsSource.operand],
    options: AdsSource.options + [.init(name: "--expand", help: "print trackers' URLs with their macros expanded")],
    exits: [
      (.success, "there are ads"), (.inputHasErrors, "there is none, or the document cannot be used"),
      (.unavailable, "the first document could not be fetched"),
    ],
    example: "tagworks ads inspect https://ads.example.com/vast.xml --json")

  static func run(_ arguments: Arguments) async throws -> ExitStatus { try await inspect(arguments) }

  @MainActor
  private static func inspect(_ arguments: Arguments) async throws -> ExitStatus {
    let source = try AdsSource(arguments)
    let clock: any AdClock = source.isFixed ? ManualAdClock() : SystemAdClock()
    let environment = source.environment(
      clock: clock, players: SimulatedPlayerFactory(clock: clock), hits: DiscardingSink())
    let inspector = AdInspector(
      source.request, settings: source.settings, environment: environment, expands: arguments.has("--expand"))
    let inspection: AdInspection
    if let unreadable = source.unreadable {
      inspection = inspector.failed(unreadable)
    } else {
      inspection = await inspector.inspect()
    }
    if arguments.has("--json") {
      Output.line(InspectionJSON(inspection, source: source.name).tree.line)
    } else {
      for line in InspectionText(inspection, source: source.name).lines { Output.line(VisibleText.text(line)) }
    }
    if inspection.error?.isUnreachable == true { return .unavailable }
    return inspection.hasAds ? .success : .inputHasErrors
  }
}
