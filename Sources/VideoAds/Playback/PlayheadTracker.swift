/// Tells play from seeking by what a playhead shows (VA-530).
struct PlayheadTracker: Sendable, Hashable {
  /// How content moved between two samples.
  enum Move: Sendable, Hashable {
    case first(Int64)
    case played(from: Int64, to: Int64)
    case sought(from: Int64, to: Int64)
  }

  private(set) var position: Int64?
  private var time: Int64 = 0

  /// Takes a sample: content's position at a monotonic time, both in milliseconds.
  mutating func sample(_ now: Int64, at moment: Int64) -> Move {
    defer { (position, time) = (now, moment) }
    guard let before = position else { return .first(now) }
    let (change, passed) = (now - before, max(0, moment - time))
    let isSeek = change < -250 || change > 2 * passed + 1_000
    return isSeek ? .sought(from: before, to: now) : .played(from: before, to: now)
  }

  /// Takes a seek that the app reports.
  mutating func seek(to now: Int64, at moment: Int64) -> Move {
    defer { (position, time) = (now, moment) }
    return position.map { .sought(from: $0, to: now) } ?? .first(now)
  }
}
