/// A set of symbols: the printable characters of ASCII, and the two ends of a text.
struct SymbolSet: Sendable, Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// ASCII's own marks of a text's two ends, which no text of printable characters holds.
  static let startOfText: UInt8 = 0x02
  static let endOfText: UInt8 = 0x03
  static let printableBytes: ClosedRange<UInt8> = 0x20...0x7E

  static let none = SymbolSet()
  static let start = SymbolSet(startOfText...startOfText)
  static let end = SymbolSet(endOfText...endOfText)
  static let printable = SymbolSet(printableBytes)
  static let space = SymbolSet(" ")
  static let digits = SymbolSet("0"..."9")
  static let word = digits.union(SymbolSet("a"..."z")).union(SymbolSet("A"..."Z")).union(SymbolSet("_"))

  private init() {}

  private init(_ bytes: ClosedRange<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  /// The printable ones of a range of characters.
  init(_ scalars: ClosedRange<Unicode.Scalar>) {
    let lower = max(scalars.lowerBound.value, UInt32(Self.printableBytes.lowerBound))
    let upper = min(scalars.upperBound.value, UInt32(Self.printableBytes.upperBound))
    self.init()
    if lower <= upper { self = SymbolSet(UInt8(lower)...UInt8(upper)) }
  }

  /// A character, if it is printable.
  init(_ scalar: Unicode.Scalar) { self.init(scalar...scalar) }

  func contains(_ symbol: UInt8) -> Bool { (symbol < 64 ? low : high) &>> symbol & 1 == 1 }

  private mutating func insert(_ symbol: UInt8) {
    if symbol < 64 { low |= 1 &<< symbol } else { high |= 1 &<< symbol }
  }

  func union(_ other: SymbolSet) -> SymbolSet {
    var union = self
    union.low |= other.low
    union.high |= other.high
    return union
  }

  /// The printable characters that are not in the set.
  var inverted: SymbolSet {
    var inverted = SymbolSet.printable
    inverted.low &= ~low
    inverted.high &= ~high
    return inverted
  }

  /// The set with both cases of each of its letters.
  var ignoringCase: SymbolSet {
    var both = self
    for capital in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      let small = capital | 0x20
      guard contains(capital) || contains(small) else { continue }
      both.insert(capital)
      both.insert(small)
    }
    return both
  }
}
