import Foundation
import Hits
import TagManager
import Testing

@Suite("Outcomes as JSON")
struct OutcomeCodingTests {
  private static let hit = HitID("0190a5b0-7c00-7000-8000-0000000000ff")

  /// One of everything that outcomes can hold.
  private let outcome = PushOutcome(
    sequence: 7, time: 1_800_000_000_000, event: "purchase", disposition: .evaluated,
    containers: [
      ContainerOutcome(
        id: "GTM-TEST", version: "12", generation: 2, origin: .network,
        rules: [
          RuleOutcome(
            index: 3, id: "r3", name: "Purchases", passed: false,
            predicates: [
              PredicateOutcome(
                index: 1, function: "equals", negated: false, result: true, reason: .compared,
                arguments: ["arg0": "purchase", "arg1": "purchase"]),
              PredicateOutcome(index: 2, function: "less", negated: true, result: false, reason: .missing("arg0")),
            ])
        ],
        rulesSkippedByEvent: 40,
        tags: [
          TagOutcome(
            index: 0, id: "t1", name: "GA", function: "analytics", status: .fired, rules: [3, 4],
            parameters: ["value": 5], hitIDs: [hit].compactMap { $0 }, duration: 12),
          TagOutcome(index: 1, name: "Own", function: "functionCall", status: .failed(.noHandler)),
        ],
        macros: [MacroOutcome(name: "price", chosen: 9, reason: .default, cached: true, value: 5)])
    ],
    duration: 95, traceDetail: .full)

  @Test("TM-1110: fields have their names, an enumeration is one text, what is absent is left out")
  func fields() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(outcome), as: UTF8.self)
    #expect(
      text == """
        {"containers":[{"generation":2,"id":"GTM-TEST","isPreview":false,"macros":[{"ambiguous":false,"cached":true,\
        "chosen":9,"name":"price","reason":"default","value":5}],"origin":"network","replayed":false,"rules":[{"id":"r3",\
        "index":3,"name":"Purchases","passed":false,"predicates":[{"arguments":{"arg0":"purchase","arg1":"purchase"},\
        "function":"equals","index":1,"negated":false,"reason":"compared","result":true},{"function":"less","index":2,\
        "negated":true,"reason":"missing(arg0)","result":false}]}],"rulesSkippedByEvent":40,"tags":[{"duration":12,\
        "function":"analytics","hitIDs":["0190a5b0-7c00-7000-8000-0000000000ff"],"id":"t1","index":0,"name":"GA",\
        "parameters":{"value":5},"rules":[3,4],"status":"fired"},{"duration":0,"function":"functionCall","hitIDs":[],\
        "index":1,"name":"Own","rules":[],"status":"failed(noHandler)"}],"version":"12"}],"disposition":"evaluated",\
        "duration":95,"event":"purchase","sequence":7,"time":1800000000000,"traceDetail":"full"}
        """)
  }

  @Test("TM-1110: an outcome reads back as it was written")
  func roundTrip() throws {
    let read = try JSONDecoder().decode(PushOutcome.self, from: try JSONEncoder().encode(outcome))
    #expect(read == outcome)
  }

  @Test(
    "TM-1110: the texts of dispositions",
    arguments: [
      ("merged", .merged), ("evaluated", .evaluated), ("dropped(pushLoop)", .dropped(.pushLoop)),
      ("dropped(bufferFull)", .dropped(.bufferFull)), ("dropped(expired)", .dropped(.expired)),
      ("dropped(noContainer)", .dropped(.noContainer)), ("rejected(tooDeep)", .rejected(.tooDeep)),
      ("rejected(tooLarge)", .rejected(.tooLarge)), ("rejected(keyTooLong)", .rejected(.keyTooLong)),
    ] as [(String, PushOutcome.Disposition)])
  func dispositions(text: String, disposition: PushOutcome.Disposition) {
    #expect(disposition.description == text)
    #expect(PushOutcome.Disposition(text) == disposition)
  }

  @Test(
    "TM-1110: the texts of tag statuses",
    arguments: [
      ("fired", .fired), ("started", .started), ("setupFailed", .setupFailed), ("blocked(r4)", .blocked(by: "r4")),
      ("notFired(consent)", .notFired(.consent)), ("notFired(schedule)", .notFired(.schedule)),
      ("notFired(liveOnly)", .notFired(.liveOnly)), ("notFired(oncePerLoad)", .notFired(.oncePerLoad)),
      ("failed(noHandler)", .failed(.noHandler)), ("failed(handler)", .failed(.handler)),
      ("failed(url)", .failed(.url)),
      ("failed(cycle)", .failed(.evaluation(.cycle))),
      ("failed(missingParameter(trackingId))", .failed(.evaluation(.missingParameter("trackingId")))),
      ("failed(sink(storeFull))", .failed(.sink(.storeFull))),
      ("failed(sink(tooLarge(9, 8)))", .failed(.sink(.tooLarge(bytes: 9, limit: 8)))),
      ("failed(sink(missingField(tid)))", .failed(.sink(.missingField("tid")))),
      ("failed(my own)", .failed(.other("my own"))),
    ] as [(String, TagOutcome.Status)])
  func statuses(text: String, status: TagOutcome.Status) {
    #expect(status.description == text)
    #expect(TagOutcome.Status(text) == status)
  }

  @Test(
    "TM-902: the texts of reasons",
    arguments: [
      ("value", .value), ("default", .default), ("unknownKey", .unknownKey), ("missing", .missing),
      ("noCandidate", .noCandidate), ("conversionFailed", .conversionFailed), ("noContainer", .noContainer),
      ("closed", .closed), ("noHandler", .noHandler), ("handlerReturnedNothing", .handlerReturnedNothing),
      ("handlerFailed(no (way))", .handlerFailed("no (way)")), ("failed(cycle)", .failed(.cycle)),
      ("failed(missingParameter(name))", .failed(.missingParameter("name"))),
    ] as [(String, EvaluationReason)])
  func reasons(text: String, reason: EvaluationReason) {
    #expect(reason.description == text)
    #expect(EvaluationReason(text) == reason)
  }

  @Test(
    "TM-1110: a text that names nothing is refused", arguments: ["", "evaluated()", "dropped", "dropped(x)", "fired"])
  func unknown(text: String) {
    #expect(PushOutcome.Disposition(text) == nil)
  }
}
