/// Which rules an event has to look at (TM-720).
///
/// A rule that can only pass for one event's name is filed under that name; an event then meets the rules of its own
/// name and those that any event may pass, in file order. What is filed elsewhere costs it nothing.
package struct RuleIndex: Sendable {
  private var byEvent: [String: [Int]] = [:]
  private var anyEvent: [Int] = []
  private var filedCount = 0

  package init() {}

  /// Files a rule; rules come in file order.
  package mutating func file(_ rule: Int, under event: String?) {
    if let event {
      byEvent[event, default: []].append(rule)
      filedCount += 1
    } else {
      anyEvent.append(rule)
    }
  }

  /// Whether no rule is filed at all: then no event is of interest (TM-721).
  package var isEmpty: Bool { byEvent.isEmpty && anyEvent.isEmpty }

  /// The rules that an event of this name may pass, in file order.
  package func rules(for event: String) -> Merged { Merged(byEvent[event] ?? [], anyEvent) }

  /// How many rules wait for other names than the one whose rules these are.
  package func skipped(besides rules: Merged) -> Int { filedCount - rules.filedCount }

  /// Two ascending lists as one.
  package struct Merged: Sequence, IteratorProtocol {
    private var left: ArraySlice<Int>
    private var right: ArraySlice<Int>

    /// How many of the rules are filed under the event's name.
    fileprivate var filedCount: Int { left.count }

    /// Whether there is none.
    package var isEmpty: Bool { left.isEmpty && right.isEmpty }

    init(_ left: [Int], _ right: [Int]) {
      self.left = left[...]
      self.right = right[...]
    }

    package mutating func next() -> Int? {
      switch (left.first, right.first) {
      case (let first?, let second?): first < second ? left.popFirst() : right.popFirst()
      case (_?, nil): left.popFirst()
      case (nil, _): right.popFirst()
      }
    }
  }
}
