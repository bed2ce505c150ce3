import Console
import HitQueue
import Hits

/// `tagworks hits stats`: what a store holds, and what became of everything else.
enum HitsStats: Command {
  static let description = CommandDescription(
    path: "hits stats",
    summary: "Tells what a store holds and what became of every hit it took.",
    options: HitPlace.options + [CommandDescription.json],
    exits: [
      (.success, "fine"), (.inputHasErrors, "hits are missing from the account"),
      (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits stats --store ~/.local/state/tagworks/default")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    switch try HitPlace(arguments) {
    case .store(let reader):
      let statistics = try reader.statistics()
      Output.line(arguments.has("--json") ? VisibleText.json(statistics.json.jsonText) : statistics.text)
      return statistics.isConserved ? .success : .inputHasErrors
    case .intake(let reader):
      let statistics = try reader.statistics()
      if arguments.has("--json") { try JSONOutput.line(statistics) } else { Output.line(statistics.text) }
      return .success
    }
  }
}

extension HitStatistics {
  var json: Value {
    [
      "hits": .int(Int64(hits)), "bytes": .int(Int64(bytes)), "oldest": oldest.map { .int($0) } ?? .absent,
      "conserved": .bool(isConserved),
      "counters": .map(
        Dictionary(uniqueKeysWithValues: counters.byLane.keys.map { ($0.rawValue, .int(counters[$0])) })),
      "lanes": .list(lanes.map(\.json)),
    ]
  }

  var text: String {
    var lines = [
      "\(CountText.text(hits, "hit")), \(CountText.text(bytes, "byte"))"
        + (oldest.map { ", the oldest of \(TimeText.line($0))" } ?? "")
    ]
    for lane in lanes { lines.append(lane.line) }
    for name in counters.byLane.keys.sorted() { lines.append("  \(name.rawValue) \(counters[name])") }
    lines.append(isConserved ? "Every accepted hit is accounted for." : "Accepted hits are missing from this account.")
    return lines.joined(separator: "\n")
  }
}

extension LaneSummary {
  var json: Value {
    [
      "id": .int(id), "tracker": .string(tracker), "property": .string(property), "protocol": .string(protocolName),
      "endpoint": .string(endpoint), "failures": .int(Int64(failures)),
      "hits": .map(Dictionary(uniqueKeysWithValues: hits.map { ($0.key.rawValue, .int(Int64($0.value))) })),
      "restsUntil": restsUntil.map { .int($0) } ?? .absent, "restCause": restCause.map { .string($0) } ?? .absent,
    ]
  }

  var line: String {
    let states = HitQuery.State.allCases.compactMap { state in hits[state].map { "\($0) \(state.rawValue)" } }
    let rest = restsUntil.map { ", rests until \(TimeText.line($0)) (\(restCause ?? "failed"))" } ?? ""
    let waiting = states.isEmpty ? "nothing waits" : states.joined(separator: ", ")
    return "lane \(id) \(tracker) → \(protocolName) \(endpoint): \(waiting)\(rest)"
  }
}

extension IntakeStatistics {
  var text: String {
    var lines = ["\(CountText.text(total, "hit")) stored, \(CountText.text(bytes, "byte"))"]
    lines += hits.map { "  \($0.property) \($0.kind) \($0.count), \($0.bytes) bytes" }
    lines += rejected.map { reject in
      let field = reject.field.map { " (\($0))" } ?? ""
      return "  refused \(reject.property ?? "no property"): \(reject.code)\(field) \(reject.count)"
    }
    return lines.map(VisibleText.text).joined(separator: "\n")
  }
}
