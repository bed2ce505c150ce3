import Testing

@testable import WebTags

@Suite struct PagePhaseTests {
  @Test("WT-700: a host opens once, and again after a failure; closed, it is closed for good")
  func life() throws {
    var phase = PagePhase<Int>.new
    #expect(throws: PageHostError.notOpen) { try phase.page }
    try phase.begin()
    #expect(throws: PageHostError(.unavailable, "the page is open already")) { try phase.begin() }
    let error = phase.failed(PageHostError(.unavailable, "no display"))
    #expect(error == PageHostError(.unavailable, "no display"))
    try phase.begin()
    try phase.opened(1)
    #expect(try phase.page == 1)
    #expect(throws: PageHostError(.unavailable, "the page is open already")) { try phase.begin() }
    guard case .open(1)? = phase.end(.closed) else { return #expect(Bool(false), "it was open") }
    #expect(throws: PageHostError.closed) { try phase.page }
    #expect(throws: PageHostError.closed) { try phase.begin() }
    let again = phase.end(.closed)
    #expect(again == nil)
  }

  @Test("WT-700: a page that comes after the end is not taken, and a helper's death is told from a close")
  func late() throws {
    var phase = PagePhase<Int>.new
    try phase.begin()
    let before = phase.end(.processTerminated(.helper))
    guard case .opening? = before else { return #expect(Bool(false), "it was opening") }
    #expect(throws: PageHostError.processTerminated(.helper)) { try phase.opened(1) }
    let end = phase.end(.closed)
    #expect(end != nil)
    #expect(throws: PageHostError.closed) { try phase.opened(2) }
    let error = phase.failed(PageHostError(.unavailable, "late"))
    #expect(error == .closed)
  }
}
