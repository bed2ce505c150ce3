import Console
import HitQueue
import Hits

/// `tagworks hits export`: the hits of a store in a form that other programs read.
enum HitsExport: Command {
  static let description = CommandDescription(
    path: "hits export",
    summary: "Prints the hits of a store, one a line, in a form that other programs read.",
    options: HitPlace.options + [
      .init(
        name: "--format", value: "FORMAT",
        help: "mp1 (Measurement Protocol v1), ndjson (our own, for hits import), csv, ga4 or matomo (request bodies)"),
      .init(name: "--state", value: "STATE", help: "only ready, held, inflight or quarantined ones (--store)"),
      .init(name: "--lane", value: "NUMBER", help: "only those of a lane (--store)"),
      .init(name: "--limit", value: "NUMBER", help: "at most so many", defaultText: "all"),
      .init(name: "--json", help: "the same as --format ndjson"),
    ],
    exits: [
      (.success, "exported"), (.inputHasErrors, "some hits are damaged, or the form cannot tell them"),
      (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits export --intake ~/.local/share/tagworks --format csv > hits.csv")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let format = try HitOptions.format(arguments)
    let limit = try arguments.integer("--limit", in: 1...Int.max) ?? .max
    let lane = try arguments.integer("--lane", in: 1...Int.max)
    let state = try HitOptions.state(arguments.value("--state"))
    let now = SystemHitClock().now()
    let place = try HitPlace(arguments)
    if let head = format.head { Output.line(head) }
    var untold = 0
    func print(_ hit: QueuedHit, _ tracker: String, _ lane: ExportFormat.Lane?) {
      if let line = format.line(hit, tracker: tracker, lane: lane, at: now) { Output.line(line) } else { untold += 1 }
    }
    let damaged: Int
    switch place {
    case .store(let reader):
      let query = HitQuery(state: state, lane: lane.map(Int64.init), limit: limit)
      damaged = try HitPlace.reading {
        try reader.export(query) { hit in
          print(
            hit.hit, hit.tracker,
            ExportFormat.Lane(protocolName: hit.protocolName, endpoint: hit.endpoint, state: hit.state))
        }
      }
    case .intake(let reader):
      guard state == nil, lane == nil else { throw UsageError("--state and --lane go with --store") }
      damaged = try HitPlace.reading { try reader.export(limit: limit) { print($0, $1 ?? "", nil) } }
    }
    if damaged > 0 { Output.message(CountText.text(damaged, "damaged hit is", "damaged hits are") + " left out") }
    if untold > 0 {
      Output.message(
        CountText.text(untold, "hit is", "hits are") + " of a kind that \(format.rawValue) cannot tell, and left out")
    }
    return damaged + untold == 0 ? .success : .inputHasErrors
  }
}
