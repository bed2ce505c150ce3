/// What the evaluating thread does next, one thing at a time (TM-520, TM-562).
enum EvaluationWork: Sendable {
  case event(WaitingEvent)
  case step(Step)

  /// A change in which containers take part.
  enum Step: Sendable {
    /// A container is open; events are held for it.
    case opened(Container)
    /// It takes what was held for it, and later events at once.
    case ready(Container)
    case closed(Container)
    /// Events may have waited too long.
    case expire
  }
}
