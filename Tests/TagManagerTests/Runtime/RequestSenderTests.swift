import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Requests of http tags")
struct RequestSenderTests {
  private func sender(_ transport: ScriptedAnswers, _ clock: ManualClock) -> (RequestSender, RecordingLogger) {
    let logger = RecordingLogger()
    return (
      RequestSender(transport: transport, clock: clock, settings: Settings(logger: logger, traceDetail: .off)), logger
    )
  }

  @Test("TM-846: three tries at 0, 5 and 30 seconds, then a warning")
  func threeTries() async {
    let clock = ManualClock()
    let transport = ScriptedAnswers([503, nil, 500])
    let (sender, logger) = sender(transport, clock)
    sender.send(HTTPRequest(method: "POST", url: "https://example.com/"))
    for (delay, tries) in [(Duration.seconds(5), 1), (.seconds(30), 2)] {
      await clock.waitForSleepers()
      #expect(transport.count == tries)
      clock.advance(by: delay)
    }
    await sender.finish()
    #expect(transport.count == 3)
    #expect(logger.texts(.warning) == ["A request of an http tag was not taken in three tries: status 500"])
  }

  @Test("TM-846: an answer ends it, also one that refuses", arguments: [200, 204, 302, 400, 404])
  func answered(status: Int) async {
    let transport = ScriptedAnswers([status])
    let (sender, logger) = sender(transport, ManualClock())
    sender.send(HTTPRequest(method: "POST", url: "https://example.com/"))
    await sender.finish()
    #expect(transport.count == 1)
    #expect(logger.messages.isEmpty)
  }

  @Test("TM-846: an answer whose body is too long is an answer: what was taken is not sent again")
  func longAnswer() async {
    let transport = ScriptedTransport([
      .failure(
        TransportError(phase: .uncertain, code: .tooLarge, message: "too long", response: HTTPResponse(status: 200)))
    ])
    let logger = RecordingLogger()
    let sender = RequestSender(
      transport: transport, clock: ManualClock(), settings: Settings(logger: logger, traceDetail: .off))
    sender.send(HTTPRequest(method: "POST", url: "https://example.com/"))
    await sender.finish()
    #expect(transport.requests.count == 1)
    #expect(logger.messages.isEmpty)
  }

  @Test("TM-846: of more than 100 on their way the oldest is given up, with a warning")
  func limit() async {
    let clock = ManualClock()
    let transport = ScriptedAnswers([])
    let (sender, logger) = sender(transport, clock)
    for _ in 0..<101 { sender.send(HTTPRequest(method: "POST", url: "https://example.com/")) }
    #expect(logger.texts(.warning).count == 1)
    await clock.waitForSleepers(100)
    #expect(sender.count == 100)
  }

  @Test("TM-846: without a transport a warning says so")
  func noTransport() {
    let logger = RecordingLogger()
    let sender = RequestSender(
      transport: nil, clock: ManualClock(), settings: Settings(logger: logger, traceDetail: .off))
    sender.send(HTTPRequest(url: "https://example.com/"))
    #expect(logger.texts(.warning).count == 1)
  }
}

/// A transport that gives statuses in order, nil for none; after the last one it gives 503.
private final class ScriptedAnswers: HTTPTransport {
  private let state: Locked<(answers: ArraySlice<Int?>, count: Int)>

  init(_ answers: [Int?]) { state = Locked((answers[...], 0)) }

  var count: Int { state.withLock { $0.count } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let answer = state.withLock { state -> Int? in
      state.count += 1
      return state.answers.popFirst() ?? 503
    }
    guard let answer else { throw TransportError(phase: .notSent, code: .dns, message: "no such host") }
    return HTTPResponse(status: answer)
  }
}
