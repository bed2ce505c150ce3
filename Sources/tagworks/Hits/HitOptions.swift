import HitQueue
import Hits

/// Options that several commands on hits read alike.
enum HitOptions {
  static func state(_ text: String?) throws(UsageError) -> HitQuery.State? {
    guard let text else { return nil }
    guard let state = HitQuery.State(rawValue: text) else {
      throw UsageError("--state takes one of \(words(HitQuery.State.allCases.map(\.rawValue))), not '\(text)'")
    }
    return state
  }

  static func format(_ arguments: Arguments) throws(UsageError) -> ExportFormat {
    guard let text = arguments.value("--format") ?? (arguments.has("--json") ? "ndjson" : nil) else {
      throw UsageError("--format is missing")
    }
    guard text == "ndjson" || !arguments.has("--json") else { throw UsageError("--json is --format ndjson") }
    guard let format = ExportFormat(rawValue: text) else {
      throw UsageError("--format takes one of \(words(ExportFormat.allCases.map(\.rawValue))), not '\(text)'")
    }
    return format
  }

  static func id(_ text: String) throws(UsageError) -> HitID {
    guard let id = HitID(text) else { throw UsageError("'\(text)' is no hit id: 36 characters of a UUID") }
    return id
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: ", ") }
}
