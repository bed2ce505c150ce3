import Hits
import Testing

@testable import TagManager

@Suite("Loading machine")
struct LoadingMachineTests {
  private static let hour: Int64 = 3_600_000
  private static let now = LoadingMoment(wall: 1_800_000_000_000, age: 50_000_000, draw: 0)

  private static func content(_ version: String, _ origin: ContainerOrigin) -> LoadedContent {
    LoadedContent(CompiledContainer(version: version), origin: origin)
  }

  private static func saved(hours: Int64, minus milliseconds: Int64 = 0, etag: String? = "e1") -> SavedContent {
    SavedContent(
      content: content("s", .saved), fetchedAt: now.wall - hours * hour + milliseconds, etag: etag)
  }

  private static func fetched(
    _ version: String = "n", origin: ContainerOrigin = .network, supplementals: [Supplemental] = []
  ) -> FetchedContent {
    var content = content(version, origin)
    content.container.supplementals = supplementals
    return FetchedContent(
      content: content, etag: "e2", saved: SavedContainer(header: .init(id: "GTM-TEST"), payload: []))
  }

  static let absent = RefreshFailure(.noSavedContainer, .absent, "")
  static let busy = RefreshFailure(.serverError, .unavailable, "")
  static let offline = RefreshFailure(.noNetwork, .offline, "")
  private static let forbidden = RefreshFailure(.serverError, .forbidden, "")

  private static func ticket(_ number: Int) -> LoadingTicket { LoadingTicket(number: number) }

  /// What leads to a state: opened with nothing saved, a fetch under way with ticket 2.
  private static let fetching: [LoadingEvent] = [
    .open(.standard, isPreview: false), .savedFailed(absent, ticket(1)),
  ]
  /// A fetch has brought content; the wait has ticket 3.
  private static let waiting = fetching + [.fetched(fetched(), ticket(2))]
  private static let previewing: [LoadingEvent] = [.open(.standard, isPreview: true)]

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var given: [LoadingEvent]
    var event: LoadingEvent
    var state: LoadingMachine.State
    /// The actions as words, in order.
    var actions: [String]
    var testDescription: String { name }
  }

  static let table: [Row] = [
    Row(
      name: "new, open standard", given: [], event: .open(.standard, isPreview: false), state: .loadingSaved,
      actions: ["installDefault", "begin saved", "readSaved 1"]),
    Row(
      name: "new, open preview", given: [], event: .open(.standard, isPreview: true), state: .fetching(.preview),
      actions: ["installDefault", "begin network", "fetch draft 1"]),
    Row(
      name: "new, open default mode", given: [.opening(OpeningID(number: 7), .fresh)],
      event: .open(.defaultContainer, isPreview: false), state: .defaultOnly,
      actions: ["installDefault", "end 7 mode", "release"]),
    Row(
      name: "loadingSaved, fresh", given: [.open(.standard, isPreview: false)],
      event: .savedLoaded(saved(hours: 12, minus: 60_000), ticket(1)), state: .waiting(due: now.age + 60_000),
      actions: ["install s saved", "loadEvent", "success saved", "release", "wake 60000 2"]),
    Row(
      name: "loadingSaved, exactly 12 hours old is stale", given: [.open(.standard, isPreview: false)],
      event: .savedLoaded(saved(hours: 12), ticket(1)), state: .fetching(.initial),
      actions: ["install s saved", "loadEvent", "success saved", "release", "begin network", "fetch e1 2"]),
    Row(
      name: "loadingSaved, failed", given: [.open(.standard, isPreview: false)],
      event: .savedFailed(absent, ticket(1)), state: .fetching(.initial),
      actions: ["failure noSavedContainer saved", "begin network", "fetch - 2"]),
    Row(
      name: "loadingSaved, refresh is remembered",
      given: [.open(.standard, isPreview: false), .refresh(RefreshID(number: 9))],
      event: .savedLoaded(saved(hours: 1), ticket(1)), state: .fetching(.manual),
      actions: ["install s saved", "loadEvent", "success saved", "release", "begin network", "fetch e1 no-cache 2"]),
    Row(
      name: "fetching, fetched", given: fetching,
      event: .fetched(fetched(supplementals: [Supplemental(name: "gaExperiment:1")]), ticket(2)),
      state: .waiting(due: now.age + 12 * hour),
      actions: [
        "install n network", "save", "supplementals 1", "loadEvent", "success network", "release", "wake 43200000 3",
      ]),
    Row(
      name: "fetching, not changed", given: fetching,
      event: .notChanged([Supplemental(name: "gaExperiment:1")], ticket(2)),
      state: .waiting(due: now.age + 12 * hour),
      actions: ["touchSaved", "supplementals 1", "success network", "release", "wake 43200000 3"]),
    Row(
      name: "fetching, failed", given: fetching, event: .failed(busy, retryAfter: nil, ticket(2)),
      state: .waiting(due: now.age + 54_000), actions: ["failure serverError network", "release", "wake 54000 3"]),
    Row(
      name: "fetching, refresh joins", given: fetching + [.refresh(RefreshID(number: 4))],
      event: .failed(busy, retryAfter: nil, ticket(2)), state: .waiting(due: now.age + 54_000),
      actions: ["failure serverError network", "answer [4] failed", "release", "wake 54000 3"]),
    Row(
      name: "waiting, due", given: waiting, event: .due(ticket(3)), state: .fetching(.scheduled),
      actions: ["begin network", "fetch e2 4"]),
    Row(
      name: "waiting, a late alarm counts for nothing", given: waiting, event: .due(ticket(2)),
      state: .waiting(due: now.age + 12 * hour), actions: []),
    Row(
      name: "waiting, active before it is due", given: waiting, event: .becameActive,
      state: .waiting(due: now.age + 12 * hour), actions: []),
    Row(
      name: "waiting, reachable after no network", given: fetching + [.failed(offline, retryAfter: nil, ticket(2))],
      event: .reachable, state: .fetching(.scheduled), actions: ["begin network", "fetch - 4"]),
    Row(
      name: "waiting, reachable after another failure",
      given: fetching + [.failed(busy, retryAfter: nil, ticket(2))], event: .reachable,
      state: .waiting(due: now.age + 54_000), actions: []),
    Row(
      name: "waiting, refresh allowed", given: waiting, event: .refresh(RefreshID(number: 5)),
      state: .fetching(.manual), actions: ["begin network", "fetch e2 no-cache 4"]),
    Row(
      name: "waiting, refresh limited",
      given: waiting + [.refresh(RefreshID(number: 5)), .notChanged([], ticket(4))],
      event: .refresh(RefreshID(number: 6)), state: .waiting(due: now.age + 12 * hour),
      actions: ["answer [6] rateLimited 5.0"]),
    Row(
      name: "open, preview started", given: waiting, event: .previewStarted, state: .fetching(.preview),
      actions: ["cancel", "begin network", "fetch draft 4"]),
    Row(
      name: "fetching, preview started: what had begun has its end", given: fetching, event: .previewStarted,
      state: .fetching(.preview), actions: ["cancel", "failure unknownError network", "begin network", "fetch draft 3"]),
    Row(
      name: "preview, fetched", given: previewing, event: .fetched(fetched("d", origin: .preview), ticket(1)),
      state: .waiting(due: now.age + 60_000),
      actions: ["install d preview", "loadEvent", "success network", "release", "wake 60000 2"]),
    Row(
      name: "preview, ended", given: previewing + [.fetched(fetched("d", origin: .preview), ticket(1))],
      event: .previewEnded, state: .loadingSaved,
      actions: ["cancel", "installDefault", "begin saved", "readSaved 3"]),
    Row(
      name: "preview, refused", given: previewing, event: .failed(forbidden, retryAfter: nil, ticket(1)),
      state: .loadingSaved,
      actions: [
        "failure serverError network", "release", "previewRefused", "cancel", "installDefault", "begin saved",
        "readSaved 2",
      ]),
    Row(
      name: "preview, failed otherwise", given: previewing, event: .failed(busy, retryAfter: nil, ticket(1)),
      state: .waiting(due: now.age + 54_000), actions: ["failure serverError network", "release", "wake 54000 2"]),
    Row(
      name: "default mode, preview started: neither disk nor network",
      given: [.open(.defaultContainer, isPreview: false)],
      event: .previewStarted, state: .defaultOnly, actions: []),
    Row(
      name: "default mode, refresh", given: [.open(.defaultContainer, isPreview: false)],
      event: .refresh(RefreshID(number: 1)), state: .defaultOnly, actions: ["answer [1] defaultMode"]),
    Row(
      name: "any, close", given: fetching + [.opening(OpeningID(number: 3), .fresh), .refresh(RefreshID(number: 4))],
      event: .close, state: .closed, actions: ["cancel", "answer [4] closed", "end 3 closed"]),
    Row(
      name: "closed, a late result is dropped", given: fetching + [.close], event: .fetched(fetched(), ticket(2)),
      state: .closed, actions: []),
    Row(
      name: "closed, refresh", given: fetching + [.close], event: .refresh(RefreshID(number: 1)), state: .closed,
      actions: ["answer [1] closed"]),
    Row(
      name: "a late result of cancelled work is dropped", given: fetching + [.previewStarted],
      event: .fetched(fetched(), ticket(2)), state: .fetching(.preview), actions: []),
  ]

  @Test("TM-340: each state, event by event", arguments: table)
  func transitions(row: Row) {
    var machine = LoadingMachine()
    for event in row.given { _ = machine.handle(event, at: Self.now) }
    let actions = machine.handle(row.event, at: Self.now)
    #expect(actions.map { $0.words(since: Self.now) } == row.actions)
    #expect(machine.state == row.state)
  }

  @Test("TM-310: every begin is followed by exactly one end of its own, whatever happens")
  func phases() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var machine = LoadingMachine()
      var latest = Self.ticket(0)
      var open: RefreshType?
      var event = LoadingEvent.open(.standard, isPreview: Bool.random(using: &random))
      for step in 0..<30 {
        var moment = Self.now
        moment.age += Int64(step) * 20_000
        for action in machine.handle(event, at: moment) {
          switch action {
          case .begin(let type):
            #expect(open == nil)
            open = type
          case .success(let type), .failure(_, let type):
            #expect(open == type)
            open = nil
          case .readSaved(let ticket), .fetch(_, let ticket), .wake(_, let ticket): latest = ticket
          default: break
          }
        }
        event =
          [
            .savedLoaded(Self.saved(hours: Int64(step) % 24), latest), .savedFailed(Self.absent, latest),
            .fetched(Self.fetched(), latest), .notChanged([], latest), .failed(Self.busy, retryAfter: nil, latest),
            .failed(Self.forbidden, retryAfter: nil, latest), .refresh(RefreshID(number: step)), .due(latest),
            .reachable,
            .previewStarted, .previewEnded, .readyTimeout,
          ].randomElement(using: &random) ?? .close
      }
      _ = machine.handle(.close, at: Self.now)
      #expect(machine.state == .closed)
    }
  }

  @Test(
    "TM-321: age, negative taken as none, a day ahead as stale",
    arguments: [(0, 0), (1, 1), (-1, 0), (-86_400_000, 0), (-86_400_001, .max)] as [(Int64, Int64)])
  func age(lies: Int64, expected: Int64) {
    #expect(LoadingMachine.age(of: 1_000 - lies, at: 1_000) == expected)
    #expect(LoadingMachine.age(of: .min, at: 1_000) == .max)
  }

  @Test("TM-400: the next check comes up to 300 s later, by a draw")
  func jitter() {
    var machine = LoadingMachine()
    for event in Self.fetching { _ = machine.handle(event, at: Self.now) }
    var moment = Self.now
    moment.draw = 300_000
    _ = machine.handle(.fetched(Self.fetched(), Self.ticket(2)), at: moment)
    #expect(machine.state == .waiting(due: moment.age + 12 * Self.hour + 300_000))
  }

  @Test("TM-405: a check that became due while the app slept runs when it is active again")
  func active() {
    var machine = LoadingMachine()
    for event in Self.waiting { _ = machine.handle(event, at: Self.now) }
    var later = Self.now
    later.age += 12 * Self.hour
    #expect(machine.handle(.becameActive, at: later).map { $0.words(since: later) } == ["begin network", "fetch e2 4"])
  }

  @Test("C2, TM-404: rests after failures, and Retry-After in their place")
  func backOff() {
    func rest(_ failures: [(RefreshFailure, Int64?)], draw: UInt64 = 0) -> Int64 {
      var backOff = RefreshBackOff()
      return failures.map { backOff.rest(after: $0.0, retryAfter: $0.1, draw: draw) }.last ?? 0
    }
    let busy = (Self.busy, Int64?.none)
    #expect(
      (1...6).map { rest(Array(repeating: busy, count: $0)) } == [54, 216, 864, 3_240, 3_240, 3_240].map { $0 * 1_000 })
    #expect(rest([busy], draw: 12_000) == 66_000)
    #expect(rest([(Self.forbidden, nil)]) == 3_240_000)
    #expect(rest([(RefreshFailure(.serverError, .notFound, ""), nil)]) == 3_240_000)
    #expect(rest([(RefreshFailure(.serverError, .gone, ""), nil)]) == 12 * 3_240_000)
    #expect(rest([(RefreshFailure(.serverError, .throttled, ""), 7_000)]) == 7_000)
    #expect(rest([(RefreshFailure(.serverError, .throttled, ""), .max)]) == 24 * Self.hour)
  }

  @Test(
    "C3, TM-402: 30 refreshes 5 s apart, the 31st waits; two within 5 s: the second waits; one comes back in 15 min")
  func limiter() {
    var limiter = RefreshLimiter()
    for number in 0..<30 { #expect(limiter.take(at: Int64(number) * 5_000) == nil) }
    #expect(limiter.take(at: 150_000) == 750_000)
    #expect(limiter.take(at: 899_999) == 1)
    #expect(limiter.take(at: 900_000) == nil)
    #expect(limiter.take(at: 904_000) == 1_000)
    var other = RefreshLimiter()
    #expect(other.take(at: 0) == nil)
    #expect(other.take(at: 4_999) == 1)
    #expect(other.take(at: 5_000) == nil)
  }
}

extension LoadingAction {
  /// The action in a few words; times of waking in milliseconds from now.
  fileprivate func words(since now: LoadingMoment) -> String {
    switch self {
    case .installDefault: "installDefault"
    case .readSaved(let ticket): "readSaved \(ticket.number)"
    case .fetch(let plan, let ticket):
      "fetch \(plan.isPreview ? "draft" : plan.etag ?? "-")\(plan.bypassesCaches ? " no-cache" : "") \(ticket.number)"
    case .cancelWork: "cancel"
    case .install(let content, _): "install \(content.container.version) \(content.origin)"
    case .save: "save"
    case .touchSaved: "touchSaved"
    case .applySupplementals(let supplementals): "supplementals \(supplementals.count)"
    case .pushLoadEvent: "loadEvent"
    case .begin(let type): "begin \(type)"
    case .success(let type): "success \(type)"
    case .failure(let failure, let type): "failure \(failure.reason) \(type)"
    case .answerRefreshes(let ids, let outcome): "answer \(ids.map(\.number)) \(outcome.word)"
    case .endOpening(let id, let end): "end \(id.number) \(end)"
    case .release: "release"
    case .previewRefused: "previewRefused"
    case .wake(let due, let ticket): "wake \(due - now.age) \(ticket.number)"
    }
  }
}

extension RefreshOutcome {
  fileprivate var word: String {
    switch self {
    case .updated(let version): "updated \(version)"
    case .notChanged: "notChanged"
    case .failed: "failed"
    case .rateLimited(let rest): "rateLimited \(rest / .seconds(1))"
    case .defaultMode: "defaultMode"
    case .closed: "closed"
    }
  }
}
