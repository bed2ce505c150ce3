import Foundation
import HitQueue
import Hits

/// The forms in which hits leave a store for a file: one hit a line.
enum ExportFormat: String, CaseIterable {
  /// A line of Measurement Protocol v1.
  case mp1
  /// A line of our own protocol; of an app's store with its lane, so that it can be imported.
  case ndjson
  /// Comma-separated values, with a line of names first.
  case csv
  /// The body of a GA4 request.
  case ga4
  /// The body of a Matomo request.
  case matomo

  /// Where a hit was to go.
  struct Lane {
    var protocolName: String
    var endpoint: String
    var state: HitQuery.State
  }

  /// What stands before the hits.
  var head: String? { self == .csv ? Self.columns.joined(separator: ",") : nil }

  /// The hit as a line; nil where the form cannot tell it.
  func line(_ hit: QueuedHit, tracker: String, lane: Lane?, at now: HitTime) -> String? {
    switch self {
    case .mp1: body(of: hit, in: MeasurementProtocol(), tracker, now)
    case .ga4:
      HitContent(hit).flatMap {
        body(of: hit, in: GA4Protocol(stream: .web($0.property), secret: "-"), tracker, now)
      }
    case .matomo: body(of: hit, in: MatomoProtocol(), tracker, now)
    case .ndjson: ndjson(hit, tracker, lane, now)
    case .csv: HitLine(hit, tracker: tracker, at: now).map(Self.csv)
    }
  }

  private func body(of hit: QueuedHit, in language: any HitProtocol, _ tracker: String, _ now: HitTime) -> String? {
    guard let content = HitContent(hit), language.carries(content.kind) else { return nil }
    let context = EncodingContext(now: now, endpoint: "", userAgent: "", tracker: tracker)
    do throws(EncodingError) {
      return String(decoding: try language.encode([hit], context).body, as: UTF8.self)
    } catch {
      return nil
    }
  }

  private func ndjson(_ hit: QueuedHit, _ tracker: String, _ lane: Lane?, _ now: HitTime) -> String? {
    var line: [UInt8] = []
    guard HitLine.append(hit, tracker: tracker, at: now, to: &line) else { return nil }
    var text = String(decoding: line, as: UTF8.self)
    guard let lane else { return text }
    let value: Value = [
      "protocol": .string(lane.protocolName), "endpoint": .string(lane.endpoint), "state": .string(lane.state.rawValue),
    ]
    text.removeLast()
    return "\(text),\"lane\":\(value.jsonText)}"
  }

  private static let columns = [
    "id", "sequence", "time", "age", "property", "kind", "name", "tracker", "client", "user", "fields", "params",
  ]

  private static func csv(_ line: HitLine) -> String {
    let name: String? = if case .custom(let name) = line.kind { name } else { nil }
    let cells: [String?] = [
      line.id.description, line.sequence.map(String.init), line.time.map(String.init), String(line.age), line.property,
      line.kindName, name, line.tracker, line.client, line.user,
      Value.map(line.fields.mapValues { .string($0) }).jsonText,
      line.parameters.isEmpty ? nil : Value.map(line.parameters).jsonText,
    ]
    return cells.map { cell($0 ?? "") }.joined(separator: ",")
  }

  /// A cell in quotes where it needs them; what a spreadsheet would compute gets an apostrophe (CO-903).
  static func cell(_ text: String) -> String {
    var text = text
    let isFormula = text.first.map { "=+-@\t\r".contains($0) } == true
    if isFormula { text = "'" + text }
    let needsQuotes = isFormula || text.contains { $0 == "," || $0 == "\"" || $0.isNewline }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
