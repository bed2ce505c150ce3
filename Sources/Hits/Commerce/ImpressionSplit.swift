/// A hit's impressions taken apart and dealt out to as many hits as their bytes need (HQ-125).
///
///     name = "il" list ( "nm" / "ls" / "pi" index suffix )
struct ImpressionSplit {
  private struct List {
    /// `nm` and `ls`.
    var head: [String: String] = [:]
    /// Fields of a product by suffix, by index.
    var products: [Int: [String: String]] = [:]
  }

  /// The fields that are no impressions.
  private(set) var others: [String: String] = [:]
  private var lists: [Int: List] = [:]

  init(_ fields: [String: String]) {
    for (name, value) in fields {
      guard case .known(let parameter) = MeasurementParameter.lookUp(name), parameter.pattern.hasPrefix("il#") else {
        others[name] = value
        continue
      }
      // The pattern holds: digits, then `nm`, `ls`, or `pi`, digits and a suffix.
      let rest = name.dropFirst(2)
      let digits = rest.prefix { $0.isNumber }
      let list = Int(digits) ?? 0
      let tail = rest.dropFirst(digits.count)
      guard tail.hasPrefix("pi") else {
        lists[list, default: List()].head[String(tail)] = value
        continue
      }
      let place = tail.dropFirst(2).prefix { $0.isNumber }
      let suffix = String(tail.dropFirst(2 + place.count))
      lists[list, default: List()].products[Int(place) ?? 0, default: [:]][suffix] = value
    }
  }

  /// The impressions in their order, in parts that each fit; `first` and `rest` are the bytes that are left for them in the
  /// first part and in each later one.
  func parts(first: Int, rest: Int) -> [[String: String]] {
    var parts: [[String: String]] = []
    var part = Part(room: first)
    for (_, list) in lists.sorted(by: { $0.key < $1.key }) {
      part.endList()
      for (_, product) in list.products.sorted(by: { $0.key < $1.key }) {
        if !part.add(product, of: list.head) {
          parts.append(part.fields)
          part = Part(room: rest)
          // One that fits nowhere goes alone, and is refused for its size at `send`.
          if !part.add(product, of: list.head) { part.force(product, of: list.head) }
        }
      }
    }
    return parts + [part.fields]
  }

  /// The fields of one hit's impressions, with indexes of their own.
  private struct Part {
    private(set) var fields: [String: String] = [:]
    private var room: Int
    private var list = 0
    private var items = 0
    private var isInList = false

    init(room: Int) { self.room = room }

    /// The next product opens a new list.
    mutating func endList() { isInList = false }

    mutating func add(_ product: [String: String], of head: [String: String]) -> Bool {
      let added = added(product, head)
      let size = EncodedSize.of(added)
      guard size <= room else { return false }
      take(added, size)
      return true
    }

    mutating func force(_ product: [String: String], of head: [String: String]) { take(added(product, head), room) }

    private func added(_ product: [String: String], _ head: [String: String]) -> [String: String] {
      let (list, index) = isInList ? (self.list, items + 1) : (self.list + 1, 1)
      var added: [String: String] = [:]
      if !isInList { for (suffix, value) in head { added[WireName.impressionList(list) + suffix] = value } }
      for (suffix, value) in product { added[WireName.impression(list, index, suffix)] = value }
      return added
    }

    private mutating func take(_ added: [String: String], _ size: Int) {
      fields.merge(added) { $1 }
      room -= size
      if isInList {
        items += 1
      } else {
        list += 1
        items = 1
        isInList = true
      }
    }
  }
}

/// The bytes of fields as Measurement Protocol v1 writes them (HQ-611).
enum EncodedSize {
  /// `&name=value` of each field.
  static func of(_ fields: [String: String]) -> Int {
    fields.reduce(0) { $0 + 2 + $1.key.utf8.count + URIEscape.hit.escape($1.value).utf8.count }
  }
}

extension HitBuilder {
  /// Deals the impressions out to several hits when they do not fit in one (HQ-125).
  ///
  /// The first builder carries everything else too: products, promotions and their actions, and the start of a session.
  /// The others repeat what makes the hit one of its kind, so that an event is counted once for each.
  ///
  /// - Parameter limit: the bytes of one hit's own fields on the wire. Of the 8,192 bytes of Measurement Protocol v1,
  ///   leave room for what the library writes (about 250) and for the values of the tracker.
  public func splitImpressions(limit: Int) -> [HitBuilder] {
    guard EncodedSize.of(fields) > limit else { return [self] }
    let split = ImpressionSplit(fields)
    let repeated = split.others.filter { !Self.isCountedOnce($0.key) }
    let (first, rest) = (limit - EncodedSize.of(split.others), limit - EncodedSize.of(repeated))
    return split.parts(first: first, rest: rest).enumerated().map { number, impressions in
      let base = number == 0 ? split.others : repeated
      return replacing(Set(fields.keys), with: base.merging(impressions) { $1 })
    }
  }

  /// Whether the field must not be in two hits.
  private static func isCountedOnce(_ name: String) -> Bool {
    if ProductAction.names.contains(name) || name == "promoa" || name == "sc" { return true }
    guard case .known(let parameter) = MeasurementParameter.lookUp(name) else { return false }
    return parameter.pattern.hasPrefix("pr#") || parameter.pattern.hasPrefix("promo#")
  }
}
