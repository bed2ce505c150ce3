/// Finds the name an author probably meant (TM-903).
enum EditDistance {
  /// The nearest of some names, if at most so many insertions, deletions and replacements away; the first of several.
  static func nearest(to text: String, among names: [String], within limit: Int) -> String? {
    let text = Array(text.unicodeScalars)
    var nearest: (name: String, distance: Int)?
    for name in names where !name.isEmpty {
      let bound = nearest.map { $0.distance - 1 } ?? limit
      guard bound >= 0 else { break }
      if let distance = distance(text, Array(name.unicodeScalars), within: bound) { nearest = (name, distance) }
    }
    return nearest?.name
  }

  /// The distance of two texts, row by row; nil once every way is longer than the bound.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], within bound: Int) -> Int? {
    guard abs(left.count - right.count) <= bound else { return nil }
    var row = Array(0...right.count)
    for (i, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      var least = row[0]
      for (j, other) in right.enumerated() {
        let replaced = diagonal + (scalar == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
        least = min(least, row[j + 1])
      }
      guard least <= bound else { return nil }
    }
    return row[right.count] <= bound ? row[right.count] : nil
  }
}
