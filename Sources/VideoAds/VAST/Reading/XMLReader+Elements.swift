/// An element that has begun.
struct OpenElement: Sendable {
  let name: Range<Int>
  let local: Range<Int>
  let known: DocumentName?
  /// Its number among those of its kind in the parent, where paths count them.
  let number: Int
  /// Whether its start was handed out.
  let isDelivered: Bool
  /// Whether nothing of it counts any more.
  var isLost = false
  var numberedChildren = 0
  /// How many namespace prefixes were declared around it.
  let outerPrefixes: Int
  /// Its name in short, once an end tag other than its own was compared with it.
  var key: NameKey?
}

/// A name in short: names that differ nearly always differ in it, so that few are compared byte by byte.
struct NameKey: Sendable, Hashable {
  /// Of the name as it is written, with its prefix.
  private(set) var written: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Of the name without its prefix and without ASCII case.
  private(set) var folded: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ name: Range<Int>, local: Range<Int>, in bytes: [UInt8]) {
    for at in name { written = (written ^ UInt64(bytes[at])) &* 0x100_0000_01B3 }
    for at in local { folded = (folded ^ UInt64(ASCII.folded(bytes[at]))) &* 0x100_0000_01B3 }
  }
}

/// The open elements, and what becomes of them when end tags are missing (VA-322).
extension XMLReader {
  /// Whether what is read now is handed out.
  var isDelivering: Bool { lostIndex == nil && open.last?.isDelivered ?? true }

  /// Where the reading stands, as the names of the open elements.
  func path() -> String {
    open.reduce(into: "") { path, element in
      path += "/" + String(decoding: bytes[element.local], as: UTF8.self)
      if element.number > 0 { path += "[\(element.number)]" }
    }
  }

  mutating func push(
    name: Range<Int>, local: Range<Int>, known: DocumentName?, isDelivered: Bool, outerPrefixes: Int
  ) {
    var number = 0
    if known?.isNumbered == true, let parent = open.indices.last {
      open[parent].numberedChildren += 1
      number = open[parent].numberedChildren
    }
    open.append(
      OpenElement(
        name: name, local: local, known: known, number: number, isDelivered: isDelivered, outerPrefixes: outerPrefixes))
  }

  /// Ends the innermost element; tells whether its end is handed out.
  mutating func pop() -> Bool {
    guard let element = open.popLast() else { return false }
    if element.outerPrefixes < prefixes.count { prefixes.removeLast(prefixes.count - element.outerPrefixes) }
    if lostIndex == open.count { lostIndex = nil }
    isLost = element.isLost
    if open.isEmpty {
      isFinished = true
      checkTrailing()
    }
    return element.isDelivered
  }

  /// The open element of a boundary's name, unless an opaque element inside it is open, where names mean nothing.
  func openBoundary(_ name: DocumentName) -> Int? {
    for index in open.indices.reversed() {
      if open[index].known == name { return index }
      if open[index].known?.isOpaque == true { return nil }
    }
    return nil
  }

  /// Acts on an end tag that is not the innermost element's.
  mutating func close(_ name: Range<Int>, at start: Int) {
    guard let index = openElement(named: name) else {
      report("xml.strayEnd", .repair, "An end tag closes no open element.", at: start)
      return
    }
    if index == open.count - 1 {
      report("xml.endTag", .repair, "An end tag is spelled unlike its start tag.", at: start)
      closing = index
    } else {
      let missing = String(decoding: bytes[open[index + 1].local], as: UTF8.self)
      report("xml.missingEnd", .error, "The end tag of \(missing) is missing.", at: start)
      closeWithoutEndTags(downTo: index, lostFrom: index + 1)
    }
  }

  /// The innermost open element of a name: as it is written, else without its prefix and ASCII case (VA-302).
  ///
  /// Each open element's name is read once for its key, however many end tags follow; what remains to be done for each of
  /// them is to compare numbers, at most as many as elements may be open.
  private mutating func openElement(named name: Range<Int>) -> Int? {
    let local = localName(name)
    let key = NameKey(name, local: local, in: bytes)
    var similar: Int?
    for index in open.indices.reversed() {
      let other = open[index].key ?? NameKey(open[index].name, local: open[index].local, in: bytes)
      if open[index].key == nil { open[index].key = other }
      guard other.folded == key.folded else { continue }
      if other.written == key.written, isEqual(open[index].name, name) { return index }
      if similar == nil, isSameName(open[index].local, local) { similar = index }
    }
    return similar
  }

  /// Closes elements whose end tags are missing and marks what is lost by it.
  ///
  /// Inside an opaque element that is its content; else it is every ad and break that is open around the first of them
  /// or is one of them.
  mutating func closeWithoutEndTags(downTo target: Int, lostFrom first: Int) {
    closing = target
    var losses: [Int] = []
    if let opaque = open[...first].lastIndex(where: { $0.known?.isOpaque == true }) {
      losses = [opaque]
    } else {
      losses = open.indices.filter { $0 > first && open[$0].known?.isBoundary == true }
      losses += open[...first].lastIndex { $0.known?.isBoundary == true }.map { [$0] } ?? []
    }
    for index in losses {
      open[index].isLost = true
      lostIndex = min(lostIndex ?? index, index)
    }
  }

  private func isSameName(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { ASCII.folded(bytes[$0]) == ASCII.folded(bytes[$1]) }
  }
}
