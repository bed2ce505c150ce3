import Testing

@testable import WebTags

@Suite("Call line") struct CallLineTests {
  private static let second: UInt64 = 1_000_000_000

  private func open(limit: Duration = .seconds(10)) -> CallLine {
    var line = CallLine(limit: limit)
    line.loadBegan()
    _ = line.loadFinished(now: 0)
    return line
  }

  private func add(_ line: inout CallLine, _ argument: String = "1", now: UInt64 = 0) -> [CallLine.Action] {
    line.add(path: "f", argument: argument, now: now).actions
  }

  @Test("WT-315: a call waits for the first document and starts with it, in order")
  func waits() {
    var line = CallLine(limit: .seconds(10))
    #expect(add(&line, "1") == [])
    line.loadBegan()
    #expect(add(&line, "2") == [])
    #expect(
      line.loadFinished(now: 0) == [
        .start(1, path: "f", argument: "1"), .start(2, path: "f", argument: "2"),
      ])
    #expect(add(&line, "3") == [.start(3, path: "f", argument: "3")])
  }

  @Test("WT-702: 64 calls run; the next starts when one ends")
  func outstanding() {
    var line = open()
    for number in 1...64 { #expect(add(&line) == [.start(UInt64(number), path: "f", argument: "1")]) }
    #expect(add(&line) == [])
    #expect(
      line.answer(7, text: "v5", now: 0) == [.end(7, .success("5")), .start(65, path: "f", argument: "1")])
    #expect(line.answer(7, text: "v5", now: 0) == [])
  }

  @Test("WT-702: a result that is no text means that the process ended")
  func noText() {
    var line = open()
    _ = add(&line)
    #expect(line.answer(1, text: nil, now: 0) == [.end(1, .failure(.processTerminated(.crash)))])
  }

  @Test("WT-703: bad paths and long arguments end at once")
  func refused() {
    var line = open()
    let codes = [("f(", "1"), ("f", String(repeating: "x", count: PageCall.longestArgument + 1))].map { call in
      line.add(path: call.0, argument: call.1, now: 0).actions.first.flatMap { action -> PageHostError.Code? in
        if case .end(_, .failure(let error)) = action { error.code } else { nil }
      }
    }
    #expect(codes == [.badPath, .argumentTooLarge])
  }

  @Test("WT-315: what waits for a load fails with it; what comes later waits for the next")
  func failedLoad() {
    var line = CallLine(limit: .seconds(10))
    line.loadBegan()
    _ = add(&line)
    let error = PageHostError(.loadFailed, "refused")
    #expect(line.loadFailed(error) == [.end(1, .failure(error))])
    #expect(add(&line) == [])
    line.loadBegan()
    #expect(line.loadFinished(now: 0) == [.start(2, path: "f", argument: "1")])
  }

  @Test("WT-315: a new document ends the calls that ran in the old one, not those that wait for it")
  func replaced() {
    var line = open()
    _ = add(&line)
    line.loadBegan()
    _ = add(&line)
    #expect(line.documentReplaced() == [.end(1, .failure(.superseded))])
    #expect(line.loadFinished(now: 0) == [.start(2, path: "f", argument: "1")])
  }

  @Test("WT-702: the end of the process ends every call, and those to come until the next load")
  func terminated() {
    var line = open()
    _ = add(&line)
    let ended = CallLine.Action.end(1, .failure(.processTerminated(.memory)))
    #expect(line.processTerminated(.memory) == [ended])
    #expect(add(&line) == [.end(2, .failure(.processTerminated(.memory)))])
    line.loadBegan()
    #expect(add(&line) == [])
  }

  @Test("WT-304: the time of a call counts anew when it starts, and not at all while a load is under way")
  func deadlines() {
    var line = CallLine(limit: .seconds(10))
    let late = PageHostError(.timeout, "no answer in time")
    _ = add(&line, now: 0)
    #expect(line.nextDeadline == 10 * Self.second)
    line.loadBegan()
    #expect(line.nextDeadline == nil)
    #expect(line.expire(now: 60 * Self.second) == [])
    _ = line.loadFinished(now: 60 * Self.second)
    #expect(line.nextDeadline == 70 * Self.second)
    #expect(line.expire(now: 70 * Self.second - 1) == [])
    #expect(line.expire(now: 70 * Self.second) == [.end(1, .failure(late))])
    #expect(line.nextDeadline == nil)
  }

  @Test("WT-315: a call that no load ever comes for ends with timeout, and makes room for none")
  func neverLoaded() {
    var line = CallLine(limit: .seconds(1))
    _ = add(&line, now: 5)
    #expect(
      line.expire(now: Self.second + 5) == [.end(1, .failure(PageHostError(.timeout, "no answer in time")))])
  }

  @Test("WT-700: closing ends every call, and those to come")
  func closed() {
    var line = open()
    _ = add(&line)
    #expect(line.close() == [.end(1, .failure(.closed))])
    #expect(add(&line) == [.end(2, .failure(.closed))])
    #expect(line.processTerminated(.crash) == [])
    #expect(add(&line) == [.end(3, .failure(.closed))])
  }
}
