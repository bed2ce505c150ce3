/// Where a value stands in the data layer, as a key with dots (TM-511, TM-513).
///
///     key     = segment *( "." segment )      at least one character each
///     literal = any other text                one key, dots and all
package struct DataLayerPath: Sendable, Hashable {
  package let key: String
  /// How many segments the key has; 1 for a literal one.
  package let segmentCount: Int
  /// Whether an empty segment makes the key a literal one, which an author rarely means.
  package let isSuspect: Bool

  package init(_ key: String) {
    self.key = key
    var dots = 0
    var wasDot = true
    var hasEmptySegment = false
    for byte in key.utf8 {
      let isDot = byte == UInt8(ascii: ".")
      if isDot {
        dots += 1
        if wasDot { hasEmptySegment = true }
      }
      wasDot = isDot
    }
    isSuspect = hasEmptySegment || wasDot
    segmentCount = isSuspect ? 1 : dots + 1
  }

  /// Whether the key stands for a value below the top level.
  package var isDotted: Bool { segmentCount > 1 }

  /// The segments from the top.
  package var segments: [String] {
    isDotted ? key.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) } : [key]
  }
}

extension String {
  /// The list index that a path segment of digits means; nil for any other text.
  var listIndex: Int? {
    utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(self) : nil
  }
}
