import Console
import Foundation
import HitQueue
import Hits

/// `tagworks hits show`: all that is known of one hit.
enum HitsShow: Command {
  static let description = CommandDescription(
    path: "hits show",
    summary: "Shows all that a store knows of one hit.",
    operands: [.init(name: "ID", help: "the hit's id, as hits list prints it")],
    options: HitPlace.options + [CommandDescription.json],
    exits: [
      (.success, "shown"), (.inputHasErrors, "the store does not have it"), (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits show 017a8506-518f-7abc-8def-0123456789ab --intake ~/.local/share/tagworks")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let id = try HitOptions.id(arguments.operand(0) ?? "")
    switch try HitPlace(arguments) {
    case .store(let reader):
      guard let hit = try HitPlace.reading({ try reader.inspect(HitQuery(id: id, limit: 1)).first }) else { break }
      Output.line(arguments.has("--json") ? VisibleText.json(hit.json.jsonText) : text(hit))
      return .success
    case .intake(let reader):
      guard let hit = try HitPlace.reading({ try reader.summary(of: id) }) else { break }
      if arguments.has("--json") { try JSONOutput.line(hit) } else { Output.line(text(hit)) }
      return .success
    }
    throw CommandFailure("no hit \(id) here")
  }

  private static func text(_ hit: HitSummary) -> String {
    table(
      [
        ("id", hit.id.description), ("sequence", "\(hit.sequence)"), ("lane", "\(hit.lane)"),
        ("state", hit.state.rawValue), ("reason", hit.reason), ("kind", hit.kind),
        ("created", TimeText.line(hit.created)), ("attempts", "\(hit.attempts)"), ("bytes", "\(hit.bytes)"),
      ], hit.fields)
  }

  private static func text(_ hit: IntakeSummary) -> String {
    table(
      [
        ("id", hit.id.description), ("position", "\(hit.position)"), ("sequence", hit.sequence.map(String.init)),
        ("property", hit.property), ("kind", hit.kind), ("name", hit.name), ("tracker", hit.tracker),
        ("client", hit.client), ("user", hit.user), ("occurred", TimeText.line(hit.occurred)),
        ("received", TimeText.line(hit.received)), ("source", hit.source), ("address", hit.address),
        ("user agent", hit.userAgent), ("library", hit.library), ("consent", hit.consent),
        ("parameters", hit.parameters.map { Value.map($0).jsonText }),
      ], hit.fields)
  }

  private static func table(_ facts: [(String, String?)], _ fields: [String: String]) -> String {
    let known = facts.compactMap { name, value in value.map { (name, $0) } }
    let rows = (known + fields.sorted { $0.key < $1.key }.map { ("  " + $0.key, $0.value) })
      .map { (VisibleText.text($0), VisibleText.text($1)) }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1 }.joined(separator: "\n")
  }
}
