/// The order of steps in which the tags of one event fire, with their setup and teardown tags (TM-802, TM-804).
///
///            ┌────────── skip ──────────┐
///     admit ─┤                          ├─▶ settled
///            └─ setups… ─▶ fire ─ teardowns… ─┘
///
/// Each tag is admitted at most once, so it fires at most once however many tags share it, and a cycle is cut where it
/// would close. The steps wait in a list of our own: a chain of setup tags may be as long as the container.
struct FiringSequence {
  /// What to do next.
  enum Step: Equatable {
    /// Check the tag's gates, then call `admitted` or `settled`.
    case admit(Int)
    /// Fire the tag, then call `settled`.
    case fire(Int)
    /// One of the tag's setup tags failed and it must not fire; then call `settled`.
    case skip(Int)
  }

  private enum Work {
    case admit(Int)
    case fire(Int)
    case teardown(TagReference, of: Int)
  }

  private enum Progress {
    case admitted
    case settled(failed: Bool)
  }

  private let tags: [Call]
  private var waiting: [Work]
  private var progress = IndexMemo<Progress>()

  /// Starts with the tags that rules fire, in firing order.
  init(_ order: some BidirectionalCollection<Int>, tags: [Call]) {
    self.tags = tags
    waiting = order.reversed().map(Work.admit)
  }

  /// The next step; nil when all is done.
  mutating func next() -> Step? {
    while let work = waiting.popLast() {
      switch work {
      case .admit(let tag):
        if progress[tag] == nil {
          progress.add(.admitted, for: tag)
          return .admit(tag)
        }
      case .fire(let tag):
        let isStopped = tags[tag].setupTags.contains { $0.flag == 1 && hasFailed($0.tag) }
        return isStopped ? .skip(tag) : .fire(tag)
      case .teardown(let reference, let tag):
        if reference.flag != 2 || !hasFailed(tag) { waiting.append(.admit(reference.tag)) }
      }
    }
    return nil
  }

  /// The tag's gates are open: its setup tags run, then itself, then its teardown tags.
  mutating func admitted(_ tag: Int) {
    for reference in tags[tag].teardownTags.reversed() { waiting.append(.teardown(reference, of: tag)) }
    waiting.append(.fire(tag))
    for reference in tags[tag].setupTags.reversed() { waiting.append(.admit(reference.tag)) }
  }

  /// The tag has fired, was kept from it, or failed.
  mutating func settled(_ tag: Int, failed: Bool) { progress.set(.settled(failed: failed), for: tag) }

  private mutating func hasFailed(_ tag: Int) -> Bool {
    if case .settled(failed: true) = progress[tag] { true } else { false }
  }
}
