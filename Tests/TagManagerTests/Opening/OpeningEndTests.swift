import Testing

@testable import TagManager

/// The table of what ends an opening, cell by cell.
@Suite("Ends of openings")
struct OpeningEndTests {
  private static let now = LoadingMoment(wall: 1_800_000_000_000, age: 50_000_000, draw: 0)
  private static let opening = OpeningID(number: 1)

  private static func saved(_ milliseconds: Int64) -> LoadingEvent {
    .savedLoaded(
      SavedContent(
        content: LoadedContent(origin: .saved), fetchedAt: now.wall - milliseconds),
      LoadingTicket(number: 1))
  }

  private static let open: [LoadingEvent] = [.open(.standard, isPreview: false)]
  private static let absent = LoadingEvent.savedFailed(LoadingMachineTests.absent, LoadingTicket(number: 1))
  private static let fetched = FetchedContent(
    content: LoadedContent(origin: .network), saved: SavedContainer(header: .init(id: "GTM-TEST"), payload: []))
  private static let fresh: Int64 = 12 * 3_600_000 - 60_000
  private static let stale: Int64 = 12 * 3_600_000

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var events: [LoadingEvent]
    var nonDefault: OpenEnd?
    var fresh: OpenEnd?
    /// What answers a late `nonDefault`, where it is not what ended an earlier one.
    var later: OpenEnd?
    var testDescription: String { name }
  }

  static let table: [Row] = [
    Row(name: "saved, 11 h 59 min old", events: open + [saved(fresh)], nonDefault: .saved, fresh: .saved),
    Row(name: "saved, 12 h old", events: open + [saved(stale)], nonDefault: .saved, fresh: nil),
    Row(name: "saved failed", events: open + [absent], nonDefault: nil, fresh: nil),
    Row(
      name: "network installed", events: open + [absent, .fetched(fetched, LoadingTicket(number: 2))],
      nonDefault: .network, fresh: .network),
    Row(
      name: "network not changed", events: open + [saved(stale), .notChanged([], LoadingTicket(number: 2))],
      nonDefault: .saved, fresh: .network, later: .network),
    Row(
      name: "network failed",
      events: open + [absent, .failed(LoadingMachineTests.busy, retryAfter: nil, LoadingTicket(number: 2))],
      nonDefault: .failure(.serverError), fresh: .failure(.serverError)),
    Row(
      name: "network failed after stale content",
      events: open + [saved(stale), .failed(LoadingMachineTests.busy, retryAfter: nil, LoadingTicket(number: 2))],
      nonDefault: .saved, fresh: .failure(.serverError)),
    Row(
      name: "time-out", events: open + [absent, .openingTimedOut(opening)], nonDefault: .timeout, fresh: .timeout),
    Row(
      name: "preview content",
      events: [.open(.standard, isPreview: true), .fetched(fetched, LoadingTicket(number: 1))], nonDefault: .preview,
      fresh: .preview),
    Row(name: "default mode", events: [.open(.defaultContainer, isPreview: false)], nonDefault: .mode, fresh: .mode),
    Row(name: "closed", events: open + [.close], nonDefault: .closed, fresh: .closed),
    Row(name: "nothing else", events: open + [.reachable, .becameActive, .readyTimeout], nonDefault: nil, fresh: nil),
  ]

  private func end(_ row: Row, _ preference: OpenPreference, joinsLate: Bool) -> [OpenEnd] {
    var machine = LoadingMachine()
    let opening = LoadingEvent.opening(Self.opening, preference)
    let events = joinsLate ? row.events + [opening] : [opening] + row.events
    return events.flatMap { machine.handle($0, at: Self.now) }.compactMap { action in
      if case .endOpening(Self.opening, let end) = action { end } else { nil }
    }
  }

  @Test("TM-320: what ends an opening, and only that, once", arguments: table)
  func ends(row: Row) {
    #expect(end(row, .nonDefault, joinsLate: false) == (row.nonDefault.map { [$0] } ?? []))
    #expect(end(row, .fresh, joinsLate: false) == (row.fresh.map { [$0] } ?? []))
  }

  @Test("TM-330: who joins late is answered at once when the condition holds already", arguments: table)
  func joins(row: Row) {
    guard row.name != "time-out" else { return }  // an opening's own time cannot be over before it begins
    #expect(end(row, .nonDefault, joinsLate: true) == ((row.later ?? row.nonDefault).map { [$0] } ?? []))
    #expect(end(row, .fresh, joinsLate: true) == (row.fresh.map { [$0] } ?? []))
  }

  @Test("TM-561: events are let go once, at the first thing that makes the container ready", arguments: table)
  func releases(row: Row) {
    var machine = LoadingMachine()
    let events = [.opening(Self.opening, .nonDefault)] + row.events + [.readyTimeout]
    let releases = events.flatMap { machine.handle($0, at: Self.now) }.filter { $0 == .release }
    #expect(releases.count == (row.name == "closed" ? 0 : 1))
  }
}
