import Hits
import Testing

@testable import TagManager

@Suite("Trace queue")
struct TraceQueueTests {
  private static func entry(_ sequence: UInt64, update: [String: Value] = ["event": "e"]) -> TraceQueue.Entry {
    TraceQueue.Entry(
      outcome: PushOutcome(sequence: sequence, time: 1, event: "e", disposition: .evaluated), update: update)
  }

  private static func lines(_ body: [UInt8]) throws -> [Value] {
    try body.split(separator: UInt8(ascii: "\n")).map { try Value(json: Array($0)) }
  }

  @Test("TM-1008: a line is the outcome with its update, and with the snapshot where there is one")
  func line() throws {
    var entry = Self.entry(3)
    entry.snapshot = ["a": 1]
    guard case .map(let line) = try #require(try Self.lines(TraceQueue.line(entry)).first) else { return }
    #expect(line["sequence"] == 3)
    #expect(line["disposition"] == "evaluated")
    #expect(line["update"] == ["event": "e"])
    #expect(line["snapshot"] == ["a": 1])
    #expect(line["cut"] == nil)
  }

  @Test("TM-1008: a line over 128 KiB goes without values, cut true")
  func cut() throws {
    let tag = TagOutcome(index: 0, name: "t", function: "__rec", status: .fired, parameters: ["p": "secret"])
    let outcome = PushOutcome(
      sequence: 1, time: 1, event: "e", disposition: .evaluated,
      containers: [ContainerOutcome(id: "GTM-X", version: "1", generation: 1, origin: .preview, tags: [tag])])
    let update: [String: Value] = ["long": .string(String(repeating: "x", count: 200_000))]
    let line = TraceQueue.line(TraceQueue.Entry(outcome: outcome, update: update))
    #expect(line.count < 1_000)
    guard case .map(let fields) = try #require(try Self.lines(line).first) else { return }
    #expect(fields["cut"] == true)
    #expect(fields["update"] == nil)
    #expect(!String(decoding: line, as: UTF8.self).contains("secret"))
  }

  @Test("TM-1008: a request has at most 50 lines or 256 KiB; of more than 500 the oldest are lost and counted")
  func bounds() throws {
    var queue = TraceQueue()
    for sequence in 1...510 { queue.add(Self.entry(UInt64(sequence))) }
    #expect(queue.lost == 10)
    let first = try Self.lines(queue.takeBody())
    #expect(first.count == 50)
    guard case .map(let line) = first[0] else { return }
    #expect(line["sequence"] == 11)

    var long = TraceQueue()
    for sequence in 1...5 {
      long.add(Self.entry(UInt64(sequence), update: ["x": .string(String(repeating: "y", count: 100_000))]))
    }
    let counts = try (1...4).map { _ in try Self.lines(long.takeBody()).count }
    #expect(counts == [2, 2, 1, 0])
    #expect(long.isEmpty)
  }
}
