/// Answers by index, in the order they were given.
///
/// One evaluation asks for few of a container's macros and predicates, so that looking through a short list is quicker
/// than hashing. A table of the list's places is made once it is long, and only for who asks.
struct IndexMemo<Answer> {
  private(set) var entries: [(index: Int, answer: Answer)] = []
  private var places: [Int: Int] = [:]

  private static var shortList: Int { 8 }

  /// The answer for an index, nil when there is none yet.
  subscript(index: Int) -> Answer? {
    mutating get { place(of: index).map { entries[$0].answer } }
  }

  /// Keeps the answer for an index that has none.
  mutating func add(_ answer: Answer, for index: Int) { entries.append((index, answer)) }

  /// Keeps an answer in place of the one there may be.
  mutating func set(_ answer: Answer, for index: Int) {
    if let place = place(of: index) { entries[place].answer = answer } else { add(answer, for: index) }
  }

  private mutating func place(of index: Int) -> Int? {
    guard entries.count > Self.shortList else { return entries.firstIndex { $0.index == index } }
    for place in places.count..<entries.count { places[entries[place].index] = place }
    return places[index]
  }
}

extension IndexMemo: Sendable where Answer: Sendable {}
