/// Decides when publish settings are looked for (WT-231, WT-232): no clock, no network.
///
///     idle ──ask, old enough──▶ fetching ──answer──▶ idle
///                                  │ ▲
///              failed, tries left  ▼ │ due
///                               waiting ──no tries left──▶ cooling ──due──▶ idle
///
/// Times are milliseconds of the age clock.
struct SettingsRefresh: Sendable {
  enum State: Sendable, Equatable {
    case idle
    case fetching(attempt: Int)
    case waiting(attempt: Int)
    case cooling(until: Int64)
  }

  /// What is to be done.
  enum Action: Sendable, Equatable {
    case fetch
    case wait(Int64)
  }

  /// What became of a fetch.
  enum Answer: Sendable, Equatable {
    /// Settings, or word that they are the same.
    case good
    /// A network error or a status that may pass; `retryAfter` in milliseconds.
    case temporary(retryAfter: Int64?)
    /// An answer that another try does not mend.
    case bad
  }

  static let tries = 5

  private(set) var state = State.idle
  /// When the last answer came.
  private(set) var answered: Int64?
  private var coolDown: Int64 = 30_000

  /// Asks for settings; `isForced` at launch and wake and by hand, else they must be older than the interval.
  mutating func ask(_ now: Int64, refreshMinutes: Double, isForced: Bool = false) -> Action? {
    switch state {
    case .fetching, .waiting: return nil
    case .cooling(let until) where now < until && !isForced: return nil
    case .idle, .cooling: break
    }
    if !isForced, let answered {
      guard refreshMinutes > 0, Double(now - answered) >= refreshMinutes * 60_000 else { return nil }
    }
    state = .fetching(attempt: 1)
    return .fetch
  }

  /// Takes an answer in.
  mutating func answer(_ answer: Answer, _ now: Int64) -> Action? {
    guard case .fetching(let attempt) = state else { return nil }
    switch answer {
    case .good:
      coolDown = 30_000
      answered = now
      state = .idle
    case .bad:
      answered = now
      state = .idle
    case .temporary(let retryAfter):
      if attempt < Self.tries {
        state = .waiting(attempt: attempt)
        return .wait(min(retryAfter ?? 500 * Int64(attempt), 60_000))
      }
      state = .cooling(until: now + coolDown)
      coolDown = min(coolDown * 2, 900_000)
    }
    return nil
  }

  /// A wait is over.
  mutating func due() -> Action? {
    guard case .waiting(let attempt) = state else { return nil }
    state = .fetching(attempt: attempt + 1)
    return .fetch
  }
}
