import Foundation
import Hits

@testable import WebTags

/// A page machine with a clock, its timers, and everything it asked for.
struct MachineBench {
  static let url = "https://tags.example/m.html"

  var machine: PageMachine
  var now = Moment(age: 1_000_000, wall: 1_700_000_000_000)
  /// What the last input led to.
  var actions: [PageMachine.Action] = []
  var outcomes: [(id: UUID, outcome: EventOutcome)] = []
  var waits: [(id: UUID, reason: QueueReason)] = []
  var states: [PageState] = []
  var loads: [(id: LoadID, at: Int64)] = []
  var calls: [(id: Int, events: [UUID])] = []
  var deaths: [UUID: Int] = [:]
  private(set) var timers: [PageMachine.Timer: (due: Int64, serial: Int)] = [:]
  private var nextEvent = 0

  init(_ change: (inout PageMachine) -> Void = { _ in }) {
    machine = PageMachine(seed: 1)
    machine.pageHosts = ["tags.example"]
    change(&machine)
  }

  var state: PageState { machine.state }
  var host: Int? { machine.host?.id }
  var load: LoadID? { machine.load?.id }
  var call: Int { machine.call?.id ?? 0 }
  var isActionNamed: Set<String> { Set(actions.map { String(describing: $0).prefix { $0 != "(" }.description }) }

  mutating func send(_ input: PageMachine.Input) {
    actions = machine.handle(input, now: now)
    for action in actions { note(action) }
  }

  private mutating func note(_ action: PageMachine.Action) {
    switch action {
    case .startTimer(let timer, let milliseconds, let serial): timers[timer] = (now.age + milliseconds, serial)
    case .cancelTimer(let timer): timers[timer] = nil
    case .settle(let settlements): outcomes += settlements.map { ($0.id, $0.outcome) }
    case .waiting(let list): waits += list.map { ($0.id, $0.reason) }
    case .stateChanged(_, let to, _): states.append(to)
    case .load(let id, _): loads.append((id, now.age))
    case .call(let id, let deliveries): calls.append((id, deliveries.map(\.id)))
    case .recordDeaths(let new): deaths.merge(new) { _, new in new }
    default: break
    }
  }

  /// Lets time pass, and the timers that fall due.
  mutating func pass(_ milliseconds: Int64) {
    let end = now.age + milliseconds
    while let next = timers.filter({ $0.value.due <= end }).min(by: { $0.value.due < $1.value.due }) {
      timers[next.key] = nil
      move(to: max(now.age, next.value.due))
      send(.timer(next.key, serial: next.value.serial))
    }
    move(to: end)
  }

  /// Lets time pass without any timer, as in a device that sleeps.
  mutating func sleep(_ milliseconds: Int64) { move(to: now.age + milliseconds) }

  private mutating func move(to age: Int64) {
    now = Moment(age: age, wall: now.wall + age - now.age)
  }

  func due(_ timer: PageMachine.Timer) -> Int64? { timers[timer].map { $0.due - now.age } }

  mutating func page(_ kind: PageEvent.Kind) { send(.page(host ?? 0, PageEvent(load: load, kind))) }

  /// Opens, loads and readies the page.
  mutating func makeReady() {
    send(.start)
    finishLoading()
  }

  mutating func finishLoading() {
    if machine.host?.isOpen == false { send(.hostOpened(host ?? 0)) }
    finishDocument()
    send(.probed(load ?? LoadID(rawValue: 0), .ready))
  }

  mutating func finishDocument() {
    send(.navigating(load ?? LoadID(rawValue: 0), url: Self.url, isText: true))
    page(.finished(url: Self.url))
  }

  @discardableResult
  mutating func track(_ count: Int = 1, type: String = "link", title: String = "e", bytes: Int = 100) -> [UUID] {
    let events = (0..<count).map { _ in event(type, title, bytes) }
    send(.queued(events))
    return events.map(\.id)
  }

  mutating func event(_ type: String, _ title: String, _ bytes: Int) -> EventSummary {
    nextEvent += 1
    func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: nextEvent >> (8 * place)) }
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, byte(3), byte(2), byte(1), byte(0)))
    return EventSummary(id: id, time: now.wall, bytes: bytes, type: type, title: title)
  }

  /// Answers the call under way with success.
  mutating func answer() {
    guard let call = machine.call else { return }
    send(
      .callEnded(
        call.id,
        .results(call.events.map { .init(id: $0.summary.id, outcome: .delivered(confirmed: true)) })))
  }

  mutating func answerAll() { while machine.call != nil { answer() } }

  var delivered: [UUID] { outcomes.filter { $0.outcome == .delivered(confirmed: true) }.map(\.id) }
}
