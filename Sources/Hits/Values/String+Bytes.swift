#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension String {
  /// Whether this text comes before the other in the order of their UTF-8 bytes.
  package func precedesInBytes(_ other: String) -> Bool {
    var (text, other) = (self, other)
    return text.withUTF8 { left in
      other.withUTF8 { right in
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
          return left.count < right.count
        }
        let order = memcmp(leftStart, rightStart, min(left.count, right.count))
        return order != 0 ? order < 0 : left.count < right.count
      }
    }
  }
}
