import Foundation
import Hits

/// The outcomes of a preview on their way to the server, as JSON lines (TM-1008): no network, no clock.
///
///     line = a `PushOutcome` with `update`, the first one of a session also with `snapshot`, the data before it
///
/// A line over 128 KiB goes without values, `cut` true. A request has at most 50 lines or 256 KiB; of more than 500
/// waiting outcomes the oldest are lost, and counted.
struct TraceQueue: Sendable {
  /// One outcome with what its push brought.
  struct Entry: Sendable {
    var outcome: PushOutcome
    var update: [String: Value]
    var snapshot: [String: Value]?
  }

  static let capacity = 500
  static let linesPerRequest = 50
  static let bytesPerRequest = 256 << 10
  static let bytesPerLine = 128 << 10

  private var waiting = Ring<Entry>()
  /// A line that found no room in the last request.
  private var next: [UInt8]?
  /// How many outcomes were lost.
  private(set) var lost = 0

  var isEmpty: Bool { waiting.isEmpty && next == nil }

  mutating func add(_ entry: Entry) {
    if waiting.count >= Self.capacity {
      waiting.removeFirst()
      lost += 1
    }
    waiting.append(entry)
  }

  /// The body of the next request; empty when nothing waits.
  mutating func takeBody() -> [UInt8] {
    var body: [UInt8] = []
    var lines = 0
    while lines < Self.linesPerRequest, let line = next ?? waiting.popFirst().map(Self.line) {
      guard body.isEmpty || body.count + line.count <= Self.bytesPerRequest else {
        next = line
        break
      }
      next = nil
      body += line
      lines += 1
    }
    return body
  }

  /// An entry as a line with its line feed.
  static func line(_ entry: Entry) -> [UInt8] {
    var parts = [("update", Value.map(entry.update).jsonBytes)]
    if let snapshot = entry.snapshot { parts.append(("snapshot", Value.map(snapshot).jsonBytes)) }
    let line = line(entry.outcome, parts)
    return line.count <= bytesPerLine ? line : self.line(entry.outcome.withoutValues, [("cut", Array("true".utf8))])
  }

  private static func line(_ outcome: PushOutcome, _ parts: [(key: String, json: [UInt8])]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // An outcome holds texts, whole numbers and finite values, all of which can be written.
    guard let json = try? encoder.encode(outcome) else { return [] }
    var writer = JSONWriter()
    writer.put(Array(json.dropLast()))
    for (key, json) in parts {
      writer.put(",")
      writer.write(key)
      writer.put(":")
      writer.put(json)
    }
    writer.put("}\n")
    return writer.bytes
  }
}

extension PushOutcome {
  /// The outcome as it would be at detail `standard`.
  var withoutValues: PushOutcome {
    var outcome = self
    outcome.containers = containers.map { container in
      var container = container
      for index in container.rules.indices {
        for place in container.rules[index].predicates.indices {
          container.rules[index].predicates[place].arguments = nil
        }
      }
      for index in container.tags.indices { container.tags[index].parameters = nil }
      for index in container.macros.indices { container.macros[index].value = nil }
      return container
    }
    return outcome
  }
}
