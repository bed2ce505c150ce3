/// The latest events, for containers that are not ready yet or not even open (TM-560 to TM-564): no clock, no threads.
///
///     add ──▶ awaited by containers ──record, closed──▶ settled ──▶ kept for containers opened later ──▶ gone
///               │ open none: waits for the first one opened                     (age, or the limit)
///               └─ age, or the limit ─▶ dropped
///
/// An event is settled once: when all containers that were open or opening at its push have evaluated it. What a
/// container opened later makes of it is an outcome of its own. Times are milliseconds since 1970 UTC; of an event whose
/// time lies in the future as far as events may be old, the clock was set back, and it is as old as that.
struct HeldEvents: Sendable {
  /// Which opening of a container, counted from 1; a closed id can be opened again.
  typealias Opening = Int

  /// What is to be told of an event.
  struct Settlement: Sendable {
    var event: PushedEvent
    /// What the pusher learns it by; nil when that was told before.
    var receipt: PushReceipt?
    var disposition: PushOutcome.Disposition
    var containers: [ContainerRecord]
    var duration: Int64
  }

  /// What one container made of an event.
  struct Part: Sendable {
    var opening: Opening
    var record: ContainerRecord
  }

  private struct Entry {
    let event: PushedEvent
    /// What the pusher waits by; nil once that is settled.
    var receipt: PushReceipt?
    var parts: [Part] = []
    var duration: Int64 = 0
    var awaited: Set<Opening> = []
    var isSettled: Bool { receipt == nil }

    func settlement(otherwise reason: PushOutcome.DropReason) -> Settlement {
      let parts = parts.sorted { $0.opening < $1.opening }
      return Settlement(
        event: event, receipt: receipt, disposition: parts.isEmpty ? .dropped(reason) : .evaluated,
        containers: parts.map(\.record), duration: duration)
    }
  }

  /// How many events were lost, for the warning of the next container that is ready.
  struct Losses: Sendable, Equatable {
    var full = 0
    var expired = 0
  }

  private let limit: Int
  let maximumAge: Int64
  private var entries = Ring<Entry>()
  private var losses = Losses()

  /// Takes the bounds.
  init(limit: Int, maximumAge: Int64) {
    self.limit = max(1, limit)
    // Ten years: the sum with a time cannot overflow.
    self.maximumAge = min(max(0, maximumAge), 10 * 365 * 86_400_000)
  }

  /// Keeps an event that all open containers have evaluated, for those opened later.
  mutating func keep(_ event: PushedEvent) -> [Settlement] { admit(Entry(event: event)) }

  /// Holds an event that containers await, or the first one opened; some may have evaluated it already.
  mutating func hold(
    _ event: PushedEvent, for receipt: PushReceipt, parts: [Part], duration: Int64, awaitedBy openings: [Opening]
  ) -> [Settlement] {
    admit(Entry(event: event, receipt: receipt, parts: parts, duration: duration, awaited: Set(openings)))
  }

  private mutating func admit(_ entry: Entry) -> [Settlement] {
    var settlements = expire(at: entry.event.time)
    if entries.count >= limit, let oldest = entries.popFirst(), !oldest.isSettled {
      losses.full += 1
      settlements.append(oldest.settlement(otherwise: .bufferFull))
    }
    entries.append(entry)
    return settlements
  }

  /// A container was opened: events that no container has wait for it.
  mutating func opened(_ opening: Opening) {
    for index in entries.indices where !entries[index].isSettled && entries[index].awaited.isEmpty {
      entries[index].awaited = [opening]
    }
  }

  /// The first event after a sequence that is young enough.
  func next(after sequence: UInt64, at now: Int64) -> PushedEvent? {
    for index in entries.indices where entries[index].event.sequence > sequence && !isOld(entries[index], now) {
      return entries[index].event
    }
    return nil
  }

  /// A container has evaluated an event; gives what is to be told.
  mutating func record(_ part: Part, duration: Int64, of event: PushedEvent) -> Settlement? {
    let own = Settlement(event: event, disposition: .evaluated, containers: [part.record], duration: duration)
    guard let index = entries.indices.first(where: { entries[$0].event.sequence == event.sequence }),
      entries[index].awaited.remove(part.opening) != nil
    else { return own }
    entries[index].parts.append(part)
    entries[index].duration += duration
    return settle(index, otherwise: .expired)
  }

  /// A container is ready, and what still waits for it was too old.
  ///
  /// - Returns: what is to be told, and the losses since the last time.
  mutating func released(_ opening: Opening) -> (settlements: [Settlement], losses: Losses) {
    var settlements: [Settlement] = []
    for index in entries.indices where entries[index].awaited.remove(opening) != nil {
      guard let settlement = settle(index, otherwise: .expired) else { continue }
      if settlement.containers.isEmpty { losses.expired += 1 }
      settlements.append(settlement)
    }
    defer { losses = Losses() }
    return (settlements, losses)
  }

  /// A container was closed: events that no container has evaluated wait for the next one.
  mutating func closed(_ opening: Opening) -> [Settlement] {
    var settlements: [Settlement] = []
    for index in entries.indices where entries[index].awaited.remove(opening) != nil {
      guard !entries[index].parts.isEmpty, let settlement = settle(index, otherwise: .noContainer) else { continue }
      settlements.append(settlement)
    }
    return settlements
  }

  /// Lets go of events that are too old.
  mutating func expire(at now: Int64) -> [Settlement] {
    var settlements: [Settlement] = []
    while let first = entries.first, isOld(first, now) {
      entries.removeFirst()
      guard !first.isSettled else { continue }
      losses.expired += 1
      settlements.append(first.settlement(otherwise: .expired))
    }
    return settlements
  }

  /// When the oldest event that still waits is too old; nil when none waits.
  var nextExpiry: Int64? {
    for index in entries.indices where !entries[index].isSettled { return entries[index].event.time + maximumAge }
    return nil
  }

  private func isOld(_ entry: Entry, _ now: Int64) -> Bool { abs(now - entry.event.time) >= maximumAge }

  private mutating func settle(_ index: Int, otherwise reason: PushOutcome.DropReason) -> Settlement? {
    guard !entries[index].isSettled, entries[index].awaited.isEmpty else { return nil }
    defer {
      entries[index].receipt = nil
      entries[index].parts = []
    }
    return entries[index].settlement(otherwise: reason)
  }
}
