import Console
import HitQueue
import Hits

/// `tagworks hits check`: every page, every row, and the account of all hits.
enum HitsCheck: Command {
  static let description = CommandDescription(
    path: "hits check",
    summary: "Looks at every page and row of a store, and whether each accepted hit is accounted for.",
    options: HitPlace.options + [CommandDescription.json],
    exits: [
      (.success, "sound"), (.inputHasErrors, "damaged, or hits are missing from the account"),
      (.unavailable, "there is no such store"),
    ],
    example: "tagworks hits check --store ~/.local/state/tagworks/default")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    // A damaged store is what this looks for.
    if let directory = arguments.value("--store"), arguments.value("--intake") == nil {
      let check = try HitPlace.reading { try HitStoreReader.check(in: directory) }
      if arguments.has("--json") { try JSONOutput.line(check) } else { Output.line(text(check)) }
      return check.isSound ? .success : .inputHasErrors
    }
    guard case .intake(let reader) = try HitPlace(arguments) else { return .unavailable }
    let check = try HitPlace.reading { try reader.check() }
    if arguments.has("--json") { try JSONOutput.line(check) } else { Output.line(text(check)) }
    return check.isSound ? .success : .inputHasErrors
  }

  private static func text(_ check: HitStoreCheck) -> String {
    var lines = ["\(CountText.text(check.hits, "hit")), pages: \(check.pages)"]
    if !check.damaged.isEmpty { lines.append("damaged rows: \(list(check.damaged))") }
    lines.append(
      check.isConserved ? "Every accepted hit is accounted for." : "Accepted hits are missing from this account.")
    return lines.joined(separator: "\n")
  }

  private static func text(_ check: IntakeCheck) -> String {
    var lines = ["\(CountText.text(check.hits, "hit")), pages: \(check.pages)"]
    if !check.damaged.isEmpty { lines.append("damaged rows: \(list(check.damaged))") }
    if !check.isCounted { lines.append("The sums by property do not agree with the hits.") }
    return lines.joined(separator: "\n")
  }

  private static func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
