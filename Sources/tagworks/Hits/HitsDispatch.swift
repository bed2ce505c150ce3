import HTTPClient
import HitQueue
import Hits

/// `tagworks hits dispatch`: sends what an app's store holds.
enum HitsDispatch: Command {
  static let description = CommandDescription(
    path: "hits dispatch",
    summary: "Sends the hits that an app's store holds, to the destinations the app gave them.",
    options: [
      .init(name: "--store", value: "DIR", help: "the directory of the app's hit store", isRequired: true),
      .init(name: "--once", help: "make at most one request"),
      .init(name: "--deadline", value: "SECONDS", help: "stop after so long; what was not sent stays"),
      CommandDescription.json,
    ],
    exits: [
      (.success, "sent"), (.inputHasErrors, "nothing could be sent now"),
      (.unavailable, "a request or the store failed"),
    ],
    example: "tagworks hits dispatch --store ~/.local/state/tagworks/default")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let seconds = try arguments.integer("--deadline", in: 1...86_400)
    let directory = arguments.value("--store") ?? ""
    let analytics: Analytics
    do throws(HitQueueError) {
      _ = try HitStoreReader(directory: directory)  // a store is only looked for here, never made
      analytics = try Analytics(
        store: HitStoreConfiguration(directory: directory), transport: PlatformTransport(),
        logger: StandardHitLogger(level: .warning))
    } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
    analytics.dispatchInterval = 0
    let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    let report = arguments.has("--once") ? await analytics.dispatchNext() : await analytics.drain(until: deadline)
    await analytics.close()
    Output.line(arguments.has("--json") ? report.json.jsonText : report.text)
    if report.result == .error { return .unavailable }
    return report.sent > 0 ? .success : .inputHasErrors
  }
}

extension DispatchReport {
  var json: Value {
    [
      "result": .string("\(result)"), "sent": .int(Int64(sent)), "accepted": .int(Int64(accepted)),
      "rejected": .int(Int64(rejected)), "remaining": .int(Int64(remaining)),
      "reason": reason.map { .string($0.rawValue) } ?? .absent,
    ]
  }

  var text: String {
    let why = reason.map { " (\($0.rawValue))" } ?? ""
    return "\(result)\(why): \(sent) sent, \(accepted) accepted, \(rejected) rejected, \(remaining) remain"
  }
}
