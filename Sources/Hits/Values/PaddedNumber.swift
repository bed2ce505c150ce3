extension BinaryInteger {
  /// The number's digits with zeros before them, so that it has so many at the least; for numbers of zero and more.
  package func padded(to width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
