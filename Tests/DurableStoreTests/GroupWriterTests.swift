import DurableStore
import Foundation
import TestSupport
import Testing

@Suite struct GroupWriterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func writer(
    limits: GroupLimits = GroupLimits(), policy: FailurePolicy = .report
  ) throws -> GroupWriter<Notes> {
    let path = directory.file("notes.sqlite3")
    return try GroupWriter(limits: limits, policy: policy, busyTimeout: .milliseconds(50)) { () throws(StoreError) in
      try Notes(path: path)
    }
  }

  /// What is on disk, as another connection sees it.
  private func committed() throws -> [String] {
    let connection = try Connection(readingFrom: directory.file("notes.sqlite3"))
    let statement = try connection.prepare("SELECT text FROM note ORDER BY id")
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(at: 0)) }
    return texts
  }

  @Test("HQ-313: a lone caller commits on its own thread")
  func loneCaller() throws {
    let writer = try writer()
    let thread = Thread.current
    nonisolated(unsafe) var inserter: Thread?
    let outcome = writer.write([Note("a") { inserter = Thread.current }], within: .seconds(1)) { _ in }
    guard case .stored(let ids) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(ids == [1])
    #expect(inserter == thread)
    #expect(try committed() == ["a"])
  }

  @Test("HQ-313: rows that wait while the writer is held share one transaction, in the order of the calls")
  func grouping() throws {
    let writer = try writer()
    let gate = DispatchSemaphore(value: 0)
    let isHeld = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    done.enter()
    writer.submit([
      Note("first") {
        isHeld.signal()
        gate.wait()
      }
    ]) { _ in done.leave() }
    isHeld.wait()
    for number in 1...20 {
      done.enter()
      writer.submit([Note("\(number)")]) { _ in done.leave() }
    }
    gate.signal()
    done.wait()
    #expect(try committed() == ["first"] + (1...20).map(String.init))
    #expect(try writer.performAndWait { $0.groups } == [1, 20])
  }

  @Test("HQ-313: a group keeps to its rows and bytes, and rows of one call stay together")
  func limits() throws {
    let writer = try writer(limits: GroupLimits(rows: 4, bytes: 10))
    let gate = DispatchSemaphore(value: 0)
    let isHeld = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    done.enter()
    writer.submit([
      Note("x") {
        isHeld.signal()
        gate.wait()
      }
    ]) { _ in done.leave() }
    isHeld.wait()
    for rows in [["a", "b", "c"], ["d", "e"], ["12345678"], ["f"], ["1", "2", "3", "4", "5", "6"]] {
      done.enter()
      writer.submit(rows.map { Note($0) }) { _ in done.leave() }
    }
    gate.signal()
    done.wait()
    #expect(try writer.performAndWait { $0.groups } == [1, 3, 3, 1, 6])
  }

  @Test("HQ-721: a row that stands for several counts as several in its group")
  func counts() throws {
    let writer = try writer(limits: GroupLimits(rows: 4, bytes: 10))
    let gate = DispatchSemaphore(value: 0)
    let isHeld = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    done.enter()
    writer.submit([
      Note("x") {
        isHeld.signal()
        gate.wait()
      }
    ]) { _ in done.leave() }
    isHeld.wait()
    for count in [2, 2, 3, 1, 9, 1] {
      done.enter()
      writer.submit([Note("a", count: count)]) { _ in done.leave() }
    }
    gate.signal()
    done.wait()
    #expect(try writer.performAndWait { $0.groups } == [1, 2, 2, 1, 1])
  }

  @Test("HQ-311: a caller waits no longer than its budget; its row is committed all the same")
  func budget() throws {
    let writer = try writer()
    let gate = DispatchSemaphore(value: 0)
    let isHeld = DispatchSemaphore(value: 0)
    writer.submit([
      Note("x") {
        isHeld.signal()
        gate.wait()
      }
    ]) { _ in }
    isHeld.wait()
    let late = DispatchSemaphore(value: 0)
    let outcome = writer.write([Note("a")], within: .milliseconds(1)) { outcome in
      if case .stored = outcome { late.signal() }
    }
    guard case .waiting(nil) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try committed() == [])
    gate.signal()
    late.wait()
    #expect(try committed() == ["x", "a"])
  }

  @Test("HQ-314: behind another connection's lock rows wait, and none is lost")
  func busy() throws {
    let writer = try writer(policy: .keep(rows: 10, bytes: 1000))
    let other = try Connection(path: directory.file("notes.sqlite3"), durability: .processDeath)
    try other.execute("BEGIN IMMEDIATE")
    let late = DispatchSemaphore(value: 0)
    let outcome = writer.write([Note("a")], within: .milliseconds(1)) { outcome in
      if case .stored = outcome { late.signal() }
    }
    guard case .waiting(nil) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    try other.execute("COMMIT")
    late.wait()
    #expect(try committed() == ["a"])
  }

  @Test("HQ-340: rows that find no room are kept in order, the oldest fail above the bound, all else is told")
  func full() throws {
    let writer = try writer(policy: .keep(rows: 3, bytes: 1 << 20))
    try writer.performAndWait { $0.refusal = StoreError(code: .full, message: "no room") }
    nonisolated(unsafe) var failed: [String] = []
    let late = DispatchGroup()
    for text in ["a", "b", "c", "d"] {
      late.enter()
      let outcome = writer.write([Note(text)], within: .seconds(1)) { outcome in
        if case .failed = outcome { failed.append(text) }
        late.leave()
      }
      guard case .waiting(let error?) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(error.code == .full)
    }
    #expect(writer.obstacle?.code == .full)
    #expect(failed == ["a"])
    // Settling hits makes room, so what stood still goes on after an operation that succeeds.
    try writer.performAndWait { $0.refusal = nil }
    late.wait()
    #expect(try committed() == ["b", "c", "d"])
    #expect(writer.obstacle == nil)
  }

  @Test("HQ-315: a failed insert takes back its whole transaction and nothing else")
  func failure() throws {
    let writer = try writer()
    _ = writer.write([Note("kept")], within: .seconds(1)) { _ in }
    try writer.performAndWait { $0.refusal = StoreError(code: .constraint, message: "no") }
    let outcome = writer.write([Note("a"), Note("b")], within: .seconds(1)) { _ in }
    guard case .failed(let error) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(error.code == .constraint)
    #expect(try committed() == ["kept"])
    #expect(try writer.performAndWait { $0.rollbacks } == 1)
  }

  @Test("HQ-316: flush returns when everything is on disk")
  func flush() throws {
    let writer = try writer()
    for number in 0..<1000 { writer.submit([Note("\(number)")]) { _ in } }
    try writer.flush()
    #expect(try committed().count == 1000)
  }

  @Test("HQ-313: many threads write at once, each row once, each thread's rows in order")
  func contention() throws {
    let writer = try writer()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<100 {
        let outcome = writer.write([Note("\(thread) \(number)")], within: .seconds(5)) { _ in }
        guard case .stored = outcome else {
          Issue.record("\(outcome)")
          return
        }
      }
    }
    let texts = try committed()
    #expect(texts.count == 800)
    for thread in 0..<8 {
      #expect(texts.filter { $0.hasPrefix("\(thread) ") } == (0..<100).map { "\(thread) \($0)" })
    }
  }
}

/// A row that can look on while it is inserted.
struct Note: Sendable {
  var text: String
  var count: Int
  var whileInserting: @Sendable () -> Void

  init(_ text: String, count: Int = 1, whileInserting: @escaping @Sendable () -> Void = {}) {
    self.text = text
    self.count = count
    self.whileInserting = whileInserting
  }
}

/// A table of texts.
final class Notes: StoreTables {
  let connection: Connection
  var refusal: StoreError?
  var rollbacks = 0
  /// How many rows each transaction had.
  var groups: [Int] = []
  private var rows = 0
  private let insertion: Statement

  init(path: String) throws(StoreError) {
    connection = try Connection(path: path, durability: .processDeath)
    try connection.execute("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    insertion = try connection.prepare("INSERT INTO note(text) VALUES(?)")
  }

  func insert(_ row: Note) throws(StoreError) -> Int64 {
    row.whileInserting()
    insertion.bind(row.text, at: 1)
    try insertion.run()
    rows += 1
    if let refusal { throw refusal }
    return connection.lastInsertedRow
  }

  func willCommit() throws(StoreError) {
    if rows > 0 { groups.append(rows) }
    rows = 0
  }

  func didRollBack() {
    rollbacks += 1
    rows = 0
  }

  static func bytes(of row: Note) -> Int { row.text.utf8.count }

  static func count(of row: Note) -> Int { row.count }
}
