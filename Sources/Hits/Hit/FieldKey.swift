/// The first eight bytes of a wire name, as one number: most names differ in them, and numbers compare fast.
///
/// The order of the numbers is the order of the bytes.
package struct FieldKey: Sendable, Hashable, Comparable {
  @usableFromInline let head: UInt64

  /// The key of a name.
  package init(of name: String) {
    var head: UInt64 = 0
    var shift: UInt64 = 64
    for byte in name.utf8 {
      shift -= 8
      head |= UInt64(byte) << shift
      if shift == 0 { break }
    }
    self.head = head
  }

  /// The key of a name that stands in the program, at the price of a number.
  @inlinable @inline(__always)
  package init(_ name: StaticString) {
    var head: UInt64 = 0
    for index in 0..<min(8, name.utf8CodeUnitCount) {
      head |= UInt64(name.utf8Start[index]) << UInt64(56 - 8 * index)
    }
    self.head = head
  }

  @inlinable
  package static func == (left: FieldKey, right: FieldKey) -> Bool { left.head == right.head }

  @inlinable
  package static func < (left: FieldKey, right: FieldKey) -> Bool { left.head < right.head }
}
