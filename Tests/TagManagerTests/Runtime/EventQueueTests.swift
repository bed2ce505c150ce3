import Testing

@testable import TagManager

@Suite("Event queue")
struct EventQueueTests {
  private let here = ThreadIdentity(bits: 1)
  private let there = ThreadIdentity(bits: 2)

  @Test("TM-522: who pushes while nothing runs evaluates; others wait their turn")
  func placement() {
    var queue = EventQueue<String>()
    #expect(queue.start(sequence: 1, by: here) == true)
    #expect(queue.start(sequence: 2, by: there) == false)
    #expect(queue.push("b", sequence: 2, by: there) == .wait)
    #expect(queue.push("c", sequence: 3, by: here) == .wait)
    #expect(queue.next() == "b")
    #expect(queue.next() == "c")
    #expect(queue.next() == nil)
    #expect(queue.start(sequence: 4, by: there) == true)
  }

  @Test("D5, TM-524: of the events that come out of one, 500 are taken, and the rest of the chain is lost")
  func chain() {
    var queue = EventQueue<Int>()
    #expect(queue.start(sequence: 0, by: here) == true)
    var evaluated = 0
    var losses: [Bool] = []
    repeat {
      evaluated += 1
      for _ in 0..<2 {
        if case .drop(let isFirst) = queue.push(evaluated, sequence: UInt64(evaluated), by: here) {
          losses.append(isFirst)
        }
      }
    } while queue.next() != nil
    #expect(evaluated == 501)  // the first and 500 out of it
    #expect(losses.count == 2 * 501 - 500)
    #expect(losses.first == true)
    #expect(losses.dropFirst().allSatisfy { !$0 })
    #expect(queue.start(sequence: 2_000, by: here) == true)
  }

  @Test("TM-524: events that another thread pushes meanwhile belong to no chain")
  func otherThreads() {
    var queue = EventQueue<Int>()
    #expect(queue.start(sequence: 0, by: here) == true)
    for event in 1...2_000 { #expect(queue.push(event, sequence: UInt64(event), by: there) == .wait) }
    for event in 1...2_000 { #expect(queue.next() == event) }
  }

  @Test("TM-524: each event from outside has a chain of its own")
  func chainsApart() {
    var queue = EventQueue<Int>()
    #expect(queue.start(sequence: 0, by: here) == true)
    for event in 1...500 { #expect(queue.push(event, sequence: UInt64(event), by: here) == .wait) }
    #expect(queue.push(501, sequence: 501, by: there) == .wait)
    for event in 1...501 { #expect(queue.next() == event) }
    // The event of the other thread runs now, and nothing has come out of it yet.
    #expect(queue.push(502, sequence: 502, by: here) == .wait)
  }
}
