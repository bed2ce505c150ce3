import Testing

@testable import WebTags

@Suite struct CommandTableTests {
  private static let handler: RemoteCommandHandler = { _ in RemoteCommandAnswer() }

  private func table(_ ids: String...) throws -> CommandTable {
    var table = CommandTable()
    for id in ids { try table.add(.init(id: id, handler: Self.handler)) }
    return table
  }

  private func code(_ body: () throws -> Void) -> WebTagsError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? WebTagsError)?.code
    }
  }

  @Test("WT-505: an id is registered once, and reserved ones only where they may be adopted")
  func registration() throws {
    var table = try table("a")
    #expect(code { try table.add(.init(id: "a", handler: Self.handler)) } == .commandExists)
    #expect(code { try table.add(.init(id: "_http", handler: Self.handler)) } == .invalidCommandID)
    #expect(code { try table.add(.init(id: "a b", handler: Self.handler)) } == .invalidCommandID)
    #expect(code { try table.add(.init(id: "", handler: Self.handler)) } == .invalidCommandID)
    #expect(code { try table.add(.init(id: "_push", handler: Self.handler)) } == nil)
    #expect(code { try table.add(.init(id: "_mobilecompanion", handler: Self.handler)) } == nil)
    table.remove("a")
    #expect(code { try table.add(.init(id: "a", handler: Self.handler)) } == nil)
  }

  @Test("WT-505: an id is looked up exactly, then without case")
  func lookUp() throws {
    var table = try table("abc", "ABC", "Other")
    guard case .run(let exact) = table.receive(CommandRequest(id: "abc"), load: nil),
      case .run(let other) = table.receive(CommandRequest(id: "oTHER"), load: nil)
    else {
      Issue.record("not run")
      return
    }
    #expect(exact.entry.id == "abc" && other.entry.id == "Other")
  }

  @Test("WT-503: an unknown command is answered with 404, and the next one runs (peer bug 55)")
  func unknown() throws {
    var table = try table("a")
    guard case .answer(let answer) = table.receive(CommandRequest(id: "b", responseID: "1"), load: nil) else {
      Issue.record("not answered")
      return
    }
    #expect(answer.status == 404 && answer.body == "no command b" && answer.responseID == "1")
    guard case .run = table.receive(CommandRequest(id: "a"), load: nil) else {
      Issue.record("not run")
      return
    }
  }

  @Test("WT-506: requests of one id run one after another, and an end counts once")
  func order() throws {
    var table = try table("a", "b")
    guard case .run(let first) = table.receive(CommandRequest(id: "a", responseID: "1"), load: nil),
      case .wait = table.receive(CommandRequest(id: "a", responseID: "2"), load: nil),
      case .run = table.receive(CommandRequest(id: "b"), load: nil)
    else {
      Issue.record("not in order")
      return
    }
    let (wasRunning, next) = table.finish(first)
    #expect(wasRunning && next?.request.responseID == "2")
    #expect(table.finish(first).wasRunning == false)
  }

  @Test("WT-503: beyond 200 requests the answer is 429")
  func tooMany() throws {
    var table = try table("a")
    for _ in 1...200 { _ = table.receive(CommandRequest(id: "a"), load: nil) }
    guard case .answer(let answer) = table.receive(CommandRequest(id: "a"), load: nil) else {
      Issue.record("taken in")
      return
    }
    #expect(answer.status == 429)
  }
}
