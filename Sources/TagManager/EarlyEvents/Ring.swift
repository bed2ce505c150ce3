/// A row whose ends both take constant time; what is taken is let go at once.
struct Ring<Element> {
  private var slots: [Element?] = []
  private var start = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var indices: Range<Int> { 0..<count }
  var first: Element? { count == 0 ? nil : slots[start] }

  subscript(index: Int) -> Element {
    _read {
      guard let element = slots[slot(index)] else { preconditionFailure("a slot inside the row is filled") }
      yield element
    }
    _modify {
      let slot = slot(index)
      guard var element = slots[slot].take() else { preconditionFailure("a slot inside the row is filled") }
      defer { slots[slot] = element }
      yield &element
    }
  }

  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[slot(count)] = element
    count += 1
  }

  @discardableResult
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      start = start + 1 == slots.count ? 0 : start + 1
      count -= 1
    }
    return slots[start].take()
  }

  mutating func removeFirst() { popFirst() }

  private func slot(_ index: Int) -> Int {
    precondition(index <= count)
    let slot = start + index
    return slot < slots.count ? slot : slot - slots.count
  }

  private mutating func grow() {
    slots = Array(slots[start...] + slots[..<start])
    start = 0
    slots += Array(repeating: nil, count: max(8, slots.count))
  }
}

extension Ring: Sendable where Element: Sendable {}
