import TagManager
import Testing

@testable import TagManager

@Suite("Firing sequence")
struct FiringSequenceTests {
  /// Runs a sequence to its end and tells what fired or was skipped, in order.
  private func run(
    _ order: [Int], setups: [Int: [TagReference]] = [:], teardowns: [Int: [TagReference]] = [:],
    failing: Set<Int> = [], closed: Set<Int> = []
  ) -> [String] {
    var tags = [Call](repeating: Call(.image), count: 6)
    for (tag, references) in setups { tags[tag].setupTags = references }
    for (tag, references) in teardowns { tags[tag].teardownTags = references }
    var sequence = FiringSequence(order, tags: tags)
    var steps: [String] = []
    while let step = sequence.next() {
      switch step {
      case .admit(let tag):
        if closed.contains(tag) {
          steps.append("closed \(tag)")
          sequence.settled(tag, failed: false)
        } else {
          sequence.admitted(tag)
        }
      case .fire(let tag):
        steps.append("fire \(tag)")
        sequence.settled(tag, failed: failing.contains(tag))
      case .skip(let tag):
        steps.append("skip \(tag)")
        sequence.settled(tag, failed: true)
      }
    }
    return steps
  }

  @Test("TM-801: tags fire in the order given")
  func order() {
    #expect(run([2, 0, 1]) == ["fire 2", "fire 0", "fire 1"])
  }

  @Test("TM-804: setup tags run right before and teardown tags right after, in list order")
  func around() {
    let steps = run(
      [0, 5], setups: [0: [.init(tag: 2), .init(tag: 1)]], teardowns: [0: [.init(tag: 4), .init(tag: 3)]])
    #expect(steps == ["fire 2", "fire 1", "fire 0", "fire 4", "fire 3", "fire 5"])
  }

  @Test("TM-804: a setup tag has setup tags of its own")
  func chain() {
    #expect(run([0], setups: [0: [.init(tag: 1)], 1: [.init(tag: 2)]]) == ["fire 2", "fire 1", "fire 0"])
  }

  @Test("TM-802: a tag shared by two, or added by a rule too, fires once")
  func once() {
    let setups: [Int: [TagReference]] = [0: [.init(tag: 2)], 1: [.init(tag: 2)]]
    #expect(run([0, 1, 2], setups: setups) == ["fire 2", "fire 0", "fire 1"])
    #expect(run([2, 0], setups: setups) == ["fire 2", "fire 0"])
  }

  @Test("F7, TM-804: flag 1 stops the main tag when its setup failed, others fire")
  func setupFails() {
    #expect(run([0, 1], setups: [0: [.init(tag: 2, flag: 1)]], failing: [2]) == ["fire 2", "skip 0", "fire 1"])
  }

  @Test("TM-804: a failed setup with another flag stops nothing", arguments: [0, 2])
  func setupFailsWithoutFlag(flag: Int) {
    #expect(run([0], setups: [0: [.init(tag: 2, flag: flag)]], failing: [2]) == ["fire 2", "fire 0"])
  }

  @Test("TM-804: flag 1 also sees a setup tag that failed earlier in the event")
  func setupFailedEarlier() {
    #expect(run([2, 0], setups: [0: [.init(tag: 2, flag: 1)]], failing: [2]) == ["fire 2", "skip 0"])
  }

  @Test("TM-804: flag 2 keeps the teardown from running after a failed main tag", arguments: [0, 1, 2])
  func teardown(flag: Int) {
    let steps = run([0], teardowns: [0: [.init(tag: 1, flag: flag)]], failing: [0])
    #expect(steps == (flag == 2 ? ["fire 0"] : ["fire 0", "fire 1"]))
  }

  @Test("TM-804: a main tag skipped by its setup counts as failed for its teardown")
  func teardownOfSkipped() {
    let steps = run(
      [0], setups: [0: [.init(tag: 2, flag: 1)]], teardowns: [0: [.init(tag: 3, flag: 2), .init(tag: 4)]], failing: [2])
    #expect(steps == ["fire 2", "skip 0", "fire 4"])
  }

  @Test("TM-804: a cycle of setup tags is cut where it closes")
  func cycle() {
    #expect(run([0], setups: [0: [.init(tag: 1)], 1: [.init(tag: 0)]]) == ["fire 1", "fire 0"])
  }

  @Test("TM-803, TM-806: behind a closed gate neither setup nor teardown runs")
  func gate() {
    let steps = run([0, 1], setups: [0: [.init(tag: 2)]], teardowns: [0: [.init(tag: 3)]], closed: [0])
    #expect(steps == ["closed 0", "fire 1"])
  }

  @Test("TM-160: a chain of setup tags as long as a container needs no stack")
  func longChain() {
    let count = 50_000
    var tags = [Call](repeating: Call(.image), count: count)
    for tag in 0..<count - 1 { tags[tag].setupTags = [.init(tag: tag + 1)] }
    var sequence = FiringSequence([0], tags: tags)
    var fired = 0
    var last: Int?
    while let step = sequence.next() {
      switch step {
      case .admit(let tag): sequence.admitted(tag)
      case .fire(let tag), .skip(let tag):
        fired += 1
        last = tag
        sequence.settled(tag, failed: false)
      }
    }
    #expect(fired == count)
    #expect(last == 0)
  }
}
