import Foundation
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
      .init(
        name: "--drain",
        help: "make requests until nothing is left or one fails, a refused batch in parts; so it is without --once"),
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
    guard !arguments.has("--once") || !arguments.has("--drain") else {
      throw UsageError("give either --once or --drain")
    }
    let directory = arguments.value("--store") ?? ""
    let analytics: Analytics
    let lanes: [LaneSummary]
    do throws(HitQueueError) {
      // A store is only looked for here, never made.
      try HitStoreReader.find(in: directory)
      analytics = try Analytics(
        store: HitStoreConfiguration(directory: directory), transport: PlatformTransport(),
        logger: StandardHitLogger(level: .warning))
      lanes = try HitStoreReader(directory: directory).statistics().lanes
    } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
    analytics.dispatchInterval = 0
    let locked = lanes.filter { $0.needsSecret && !serve($0, by: analytics) }
    let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
    var report =
      arguments.has("--once")
      ? await analytics.dispatchNext() : await analytics.drain(until: deadline).ofAllRequests
    await analytics.close()
    if report.result == .noData, report.sent == 0, locked.contains(where: { $0.hits[.ready] ?? 0 > 0 }) {
      report.reason = .noSecret
    }
    Output.line(arguments.has("--json") ? report.json.jsonText : report.text)
    if report.result == .error { return .unavailable }
    return report.sent > 0 ? .success : .inputHasErrors
  }
}

extension HitsDispatch {
  /// Gives a lane its secret from the environment: `TAGWORKS_SECRET_` and the lane's number (HQ-910).
  private static func serve(_ lane: LaneSummary, by analytics: Analytics) -> Bool {
    guard let secret = ProcessInfo.processInfo.environment["TAGWORKS_SECRET_\(lane.id)"] else { return false }
    return analytics.serve(lane, secret: secret)
  }
}

extension DispatchReport.Reason {
  /// The secret of a lane is neither in the store nor in the environment.
  static let noSecret = DispatchReport.Reason(rawValue: "noSecret")
}

extension DispatchReport {
  /// Of a run of requests, which ends well when the last look finds nothing more to send.
  var ofAllRequests: DispatchReport {
    var report = self
    if result == .noData, sent > 0 { report.result = .good }
    if report.result == .good, reason == .empty { report.reason = nil }
    return report
  }

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
