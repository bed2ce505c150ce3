import Foundation
import HitQueue
import Hits

/// `tagworks hits import`: hits from a file go into a store.
enum HitsImport: Command {
  static let description = CommandDescription(
    path: "hits import",
    summary: "Takes hits from a file into an app's store, with their ids: what the store has already is left out.",
    operands: [.init(name: "FILE", help: "lines of hits export --format ndjson or mp1; - is standard input")],
    options: [
      .init(
        name: "--store", value: "DIR", help: "the directory of the store; it is made when missing", isRequired: true),
      .init(
        name: "--destination", value: "URL",
        help: "where hits go whose line does not say it, in Measurement Protocol v1"),
      CommandDescription.json,
    ],
    exits: [
      (.success, "taken in"), (.inputHasErrors, "a line is no hit; the others are taken in"),
      (.unavailable, "the file or the store cannot be used"),
    ],
    example: "tagworks hits import hits.ndjson --store ./store --destination https://collect.example.com")

  /// The largest file that is read.
  private static let limit = 256 << 20

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let path = arguments.operand(0) ?? "-"
    let bytes = try InputFile.bytes(path: path, limit: limit)
    let reader = ImportReader(destination: arguments.value("--destination"), now: SystemHitClock().now())
    var hits: [ImportedHit] = []
    var faults = 0
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
      do throws(CommandFailure) {
        hits.append(try reader.hit(of: line))
      } catch {
        faults += 1
        Output.message("\(path): line \(number + 1): \(error.message)")
      }
    }
    let taken: Int
    do throws(HitQueueError) {
      let editor = try HitStoreEditor(directory: arguments.value("--store") ?? "")
      taken = try await editor.insert(hits)
      try await editor.close()
    } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
    let known = hits.count - taken
    Output.line(
      arguments.has("--json")
        ? Value.map(["imported": .int(Int64(taken)), "known": .int(Int64(known)), "faulty": .int(Int64(faults))])
          .jsonText
        : "\(CountText.text(taken, "hit")) taken in, \(known) known already, "
          + CountText.text(faults, "line is no hit", "lines are no hits"))
    return faults == 0 ? .success : .inputHasErrors
  }
}

/// Reads lines of hits.
struct ImportReader {
  /// Where hits go whose line does not say it.
  let destination: String?
  let now: HitTime

  func hit(of line: ArraySlice<UInt8>) throws(CommandFailure) -> ImportedHit {
    let bytes = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    guard bytes.first == UInt8(ascii: "{") else { return try measurement(bytes) }
    let parsed: HitLine
    do throws(HitLineFault) { parsed = try HitLine(bytes) } catch {
      throw CommandFailure(error.code + (error.field.map { " (\($0))" } ?? ""))
    }
    let lane = (try? Value(json: bytes))?.map?["lane"]?.map
    if let name = lane?["protocol"]?.string, let endpoint = lane?["endpoint"]?.string {
      return ImportedHit(line: parsed, protocolName: name, endpoint: endpoint)
    }
    return try imported(parsed)
  }

  private func measurement(_ bytes: [UInt8]) throws(CommandFailure) -> ImportedHit {
    guard let line = HitLine(measurement: bytes, at: now) else { throw CommandFailure("no type or no property") }
    return try imported(line)
  }

  private func imported(_ line: HitLine) throws(CommandFailure) -> ImportedHit {
    guard let destination, let name = MeasurementProtocol().carries(line.kind) ? MeasurementProtocol().name : nil else {
      throw CommandFailure("it does not say where it goes; give --destination URL")
    }
    return ImportedHit(line: line, protocolName: name, endpoint: Destination.measurementProtocol(destination).endpoint)
  }
}
