import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Held events")
struct HeldEventsTests {
  private func event(_ sequence: UInt64, at time: Int64 = 0) -> PushedEvent {
    PushedEvent(sequence: sequence, time: time, name: "e\(sequence)", update: [:], model: DataLayerModel())
  }

  private let receipt = PushReceipt(sequence: 0)

  private func part(_ opening: Int) -> HeldEvents.Part {
    let environment = Environment(
      ports: TagManager.Ports(sink: RecordingSink()), configuration: .init(), logger: RecordingLogger())
    let content = ContainerContent(
      LoadedContent(), id: ContainerID("GTM-\(opening)"), generation: 1, handlers: HandlerRegistry(),
      environment: environment)
    return HeldEvents.Part(opening: opening, record: ContainerRecord(content: content, rulesSkippedByEvent: 0))
  }

  private func words(_ settlements: [HeldEvents.Settlement]) -> [String] {
    settlements.map {
      "\($0.event.sequence) \($0.disposition) \($0.containers.map(\.content.id.text).joined(separator: "+"))"
    }
  }

  @Test("D8, TM-564: the limit loses the oldest, with a count")
  func full() {
    var held = HeldEvents(limit: 100, maximumAge: 60_000)
    for sequence in 1...100 {
      #expect(held.hold(event(UInt64(sequence)), for: receipt, parts: [], duration: 0, awaitedBy: [1]).isEmpty)
    }
    #expect(
      words(held.hold(event(101), for: receipt, parts: [], duration: 0, awaitedBy: [1])) == ["1 dropped(bufferFull) "])
    #expect(held.next(after: 0, at: 0)?.sequence == 2)
    #expect(held.released(1).losses == HeldEvents.Losses(full: 1, expired: 100))
  }

  @Test("TM-564: events of the maximum age are too old; those younger are not")
  func age() {
    var held = HeldEvents(limit: 10, maximumAge: 60_000)
    _ = held.hold(event(1), for: receipt, parts: [], duration: 0, awaitedBy: [])
    _ = held.hold(event(2, at: 1), for: receipt, parts: [], duration: 0, awaitedBy: [])
    #expect(held.nextExpiry == 60_000)
    #expect(held.expire(at: 59_999).isEmpty)
    #expect(words(held.expire(at: 60_000)) == ["1 dropped(expired) "])
    #expect(held.nextExpiry == 60_001)
    #expect(held.next(after: 0, at: 60_000)?.sequence == 2)
    #expect(held.next(after: 0, at: 60_001) == nil)
  }

  @Test("TM-564: no maximum age is too long, and none is negative", arguments: [Int64.max, .min])
  func anyAge(maximumAge: Int64) {
    var held = HeldEvents(limit: 10, maximumAge: maximumAge)
    let time: Int64 = 1_800_000_000_000
    _ = held.hold(event(1, at: time), for: receipt, parts: [], duration: 0, awaitedBy: [])
    #expect(held.nextExpiry == time + (maximumAge > 0 ? 315_360_000_000 : 0))
  }

  @Test("TM-562: a receipt covers the containers of its push; one opened later has an outcome of its own")
  func coverage() {
    var held = HeldEvents(limit: 10, maximumAge: 60_000)
    held.opened(1)
    held.opened(2)
    _ = held.hold(event(1), for: receipt, parts: [part(1)], duration: 5, awaitedBy: [2])
    let first = held.record(part(2), duration: 7, of: event(1))
    #expect(words(first.map { [$0] } ?? []) == ["1 evaluated GTM-1+GTM-2"])
    #expect(first?.duration == 12)
    held.opened(3)
    #expect(held.next(after: 0, at: 0)?.sequence == 1)
    #expect(words(held.record(part(3), duration: 1, of: event(1)).map { [$0] } ?? []) == ["1 evaluated GTM-3"])
  }

  @Test("TM-562: with none open, the first one opened covers the event; closed before it is ready, the next one does")
  func firstOpened() {
    var held = HeldEvents(limit: 10, maximumAge: 60_000)
    _ = held.hold(event(1), for: receipt, parts: [], duration: 0, awaitedBy: [])
    held.opened(1)
    held.opened(2)
    #expect(words(held.record(part(2), duration: 0, of: event(1)).map { [$0] } ?? []) == ["1 evaluated GTM-2"])
    #expect(held.closed(1).isEmpty)
    held.opened(3)
    #expect(words(held.record(part(3), duration: 0, of: event(1)).map { [$0] } ?? []) == ["1 evaluated GTM-3"])
    #expect(held.nextExpiry == nil)
  }

  @Test("TM-562: when an awaited container is closed, what others made of the event is its outcome")
  func closed() {
    var held = HeldEvents(limit: 10, maximumAge: 60_000)
    _ = held.hold(event(1), for: receipt, parts: [part(1)], duration: 0, awaitedBy: [2])
    #expect(words(held.closed(2)) == ["1 evaluated GTM-1"])
  }

  @Test("A ring keeps the order of what goes in and out, however it wraps")
  func ring() {
    var ring = Ring<Int>()
    var expected: [Int] = []
    for number in 0..<1_000 {
      ring.append(number)
      expected.append(number)
      if number % 3 != 0 { #expect(ring.popFirst() == expected.removeFirst()) }
      if let first = expected.first { #expect(ring.first == first) }
      #expect(ring.indices.map { ring[$0] } == expected)
    }
    ring[0] += 1
    #expect(ring.first == expected[0] + 1)
  }
}
