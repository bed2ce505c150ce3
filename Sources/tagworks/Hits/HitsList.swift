import Console
import Foundation
import HitQueue
import Hits

/// `tagworks hits list`: the hits of a store, one a line.
enum HitsList: Command {
  static let description = CommandDescription(
    path: "hits list",
    summary: "Lists the hits that an app's store holds, or that a collector took.",
    options: HitPlace.options + [
      .init(name: "--state", value: "STATE", help: "only ready, held, inflight or quarantined ones (--store)"),
      .init(name: "--lane", value: "NUMBER", help: "only those of a lane (--store)"),
      .init(name: "--limit", value: "NUMBER", help: "at most so many", defaultText: "100"),
      CommandDescription.json,
    ],
    exits: [(.success, "listed, even when there is none"), (.unavailable, "there is no such store")],
    example: "tagworks hits list --intake ~/.local/share/tagworks --limit 10")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let limit = try arguments.integer("--limit", in: 1...1_000_000) ?? 100
    let lane = try arguments.integer("--lane", in: 1...Int.max)
    let state = try HitOptions.state(arguments.value("--state"))
    switch try HitPlace(arguments) {
    case .store(let reader):
      for hit in try reader.inspect(HitQuery(state: state, lane: lane.map(Int64.init), limit: limit)) {
        Output.line(arguments.has("--json") ? VisibleText.json(hit.json.jsonText) : hit.line)
      }
    case .intake(let reader):
      guard state == nil, lane == nil else { throw UsageError("--state and --lane go with --store") }
      for hit in try reader.summaries(limit: limit) {
        if arguments.has("--json") { try JSONOutput.line(hit) } else { Output.line(hit.line) }
      }
    }
    return .success
  }
}

extension HitSummary {
  var json: Value {
    var object: [String: Value] = [
      "id": .string(id.description), "sequence": .int(sequence), "lane": .int(lane), "state": .string(state.rawValue),
      "kind": .string(kind), "created": .int(created), "attempts": .int(Int64(attempts)), "bytes": .int(Int64(bytes)),
      "fields": .map(fields.mapValues { .string($0) }),
    ]
    object["reason"] = reason.map { .string($0) }
    return .map(object)
  }

  var line: String {
    let fields = VisibleText.text(fields["url"] ?? FieldText.line(fields))
    let kind = VisibleText.text(kind)
    return "\(sequence)\t\(TimeText.line(created))\t\(state.rawValue)\tlane \(lane)\t\(kind)\t\(id)\t\(fields)"
  }
}

extension IntakeSummary {
  var line: String {
    let (property, kind) = (VisibleText.text(property), VisibleText.text(kind))
    let fields = VisibleText.text(FieldText.line(fields))
    return "\(position)\t\(TimeText.line(received))\t\(property)\t\(kind)\t\(id)\t\(fields)"
  }
}

/// The fields that tell hits apart, as `ec=Video ea=Play`.
enum FieldText {
  private static let telling = ["cd", "dl", "dh", "dp", "ec", "ea", "el", "ev", "exd", "utc", "utv", "sn", "ti", "in"]

  static func line(_ fields: [String: String]) -> String {
    telling.compactMap { name in fields[name].map { "\(name)=\($0)" } }.joined(separator: " ")
  }
}

/// A wall time in UTC.
enum TimeText {
  static func line(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
  }
}
