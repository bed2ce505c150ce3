import Foundation
import HTTPClient
import HitQueue
import Hits

/// `tagworks hits send`: makes one hit and delivers it.
enum HitsSend: Command {
  static let description = CommandDescription(
    path: "hits send",
    summary: "Makes one hit and sends it, to see that a property is reached.",
    operands: [
      .init(name: "CATEGORY", help: "the event's category, with --event", isRequired: false),
      .init(name: "ACTION", help: "the event's action", isRequired: false),
      .init(name: "LABEL", help: "the event's label", isRequired: false),
      .init(name: "VALUE", help: "the event's value, a whole number from 0", isRequired: false),
    ],
    options: [
      .init(name: "--property", value: "ID", help: "the property", isRequired: true),
      .init(name: "--destination", value: "URL", help: "the collector's address", isRequired: true),
      .init(name: "--event", help: "an event, of the words that follow"),
      .init(name: "--screen", value: "NAME", help: "a screen view"),
      .init(
        name: "--protocol", value: "NAME", help: "mp1, or collector with the write key in TAGWORKS_SECRET",
        defaultText: "mp1"),
      .init(name: "--store", value: "DIR", help: "a store to keep it in until it is delivered", defaultText: "none"),
      CommandDescription.json,
    ],
    exits: [
      (.success, "delivered"), (.inputHasErrors, "the hit is refused, here or there"),
      (.unavailable, "the request or the store failed"),
    ],
    example: "tagworks hits send --property UA-12345-1 --destination http://127.0.0.1:8080 --event Video Play")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let hit = try hit(arguments)
    let destination = try destination(arguments)
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("tagworks-send-\(UUID().uuidString)")
    // Nothing to keep: what was not delivered is told, and is the caller's to send again.
    defer { try? FileManager.default.removeItem(at: temporary) }
    let analytics: Analytics
    let tracker: Tracker
    do {
      analytics = try Analytics(
        store: HitStoreConfiguration(directory: arguments.value("--store") ?? temporary.path),
        transport: PlatformTransport(), logger: StandardHitLogger(level: .warning))
      let property = arguments.value("--property") ?? ""
      tracker = try analytics.tracker(name: property, property: property, destination: destination)
    } catch let error as HitQueueError {
      throw CommandFailure(error.message, status: .unavailable)
    } catch let error as TrackerError {
      throw UsageError(error.message)
    }
    analytics.dispatchInterval = 0
    let receipt: SendReceipt = await tracker.send(hit)
    guard case .durable = receipt.state else {
      await analytics.close()
      if case .refused(let refusal) = receipt.state { throw CommandFailure("the hit is refused: \(refusal)") }
      throw CommandFailure("the hit is not stored: \(receipt.state)", status: .unavailable)
    }
    let report = await analytics.drain(until: ContinuousClock.now + .seconds(60)).ofAllRequests
    // Another process that works on the store may have sent it.
    let isSentByAnother = try await isGone(receipt.id, from: analytics) && report.sent == 0
    await analytics.close()
    let id = receipt.id?.description ?? ""
    if arguments.has("--json") {
      Output.line(Value.map((report.json.map ?? [:]).merging(["id": .string(id)]) { own, _ in own }).jsonText)
    } else {
      Output.line("\(id)\n\(report.text)")
    }
    if report.result == .error { return .unavailable }
    return isSentByAnother || report.accepted > 0 && report.rejected == 0 ? .success : .inputHasErrors
  }

  private static func isGone(_ id: HitID?, from analytics: Analytics) async throws -> Bool {
    do throws(HitQueueError) { return try await analytics.inspect(HitQuery(id: id, limit: 1)).isEmpty } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
  }

  private static func hit(_ arguments: Arguments) throws(UsageError) -> HitBuilder {
    let words = (0..<4).compactMap(arguments.operand)
    if let screen = arguments.value("--screen") {
      guard !arguments.has("--event"), words.isEmpty else { throw UsageError("give either --event or --screen") }
      return .screenView(screen)
    }
    guard arguments.has("--event") else {
      throw UsageError("give --event CATEGORY ACTION [LABEL [VALUE]] or --screen NAME")
    }
    guard words.count >= 2 else { throw UsageError("--event takes CATEGORY ACTION [LABEL [VALUE]]") }
    let value = words.count > 3 ? Int64(words[3]) : nil
    guard words.count <= 3 || value ?? -1 >= 0 else {
      throw UsageError("the event's value is a whole number from 0, not '\(words[3])'")
    }
    return .event(category: words[0], action: words[1], label: words.count > 2 ? words[2] : nil, value: value)
  }

  private static func destination(_ arguments: Arguments) throws(UsageError) -> Destination {
    let address = arguments.value("--destination") ?? ""
    switch arguments.value("--protocol") ?? "mp1" {
    case "mp1": return .measurementProtocol(address)
    case "collector":
      return .collector(address, key: ProcessInfo.processInfo.environment["TAGWORKS_SECRET"] ?? "")
    case let other: throw UsageError("--protocol takes one of mp1, collector, not '\(other)'")
    }
  }
}
