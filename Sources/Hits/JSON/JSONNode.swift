/// One value or key on the tape of a `JSONDocument`, in eight bytes.
///
///     bits 0…3    kind
///     bits 4…33   offset: the first byte; of a text the first after its quote
///     bits 34…63  extent: bytes of a text or number; of an array or object the index of the node after its last
///
/// So eight bytes hold what takes at least two in the input, and a value is skipped without looking into it.
struct JSONNode: Sendable {
  enum Kind: UInt8 {
    case null, `false`, `true`, number, text, escapedText, array, object
  }

  /// The greatest offset, extent or index that a node can hold.
  static let maximumField = 1 << 30 - 1

  private var bits: UInt64

  init(_ kind: Kind, offset: Int, extent: Int = 0) {
    bits = UInt64(kind.rawValue) | UInt64(offset) << 4 | UInt64(extent) << 34
  }

  var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 0b1111)) ?? .null }
  var offset: Int { Int(bits >> 4 & UInt64(Self.maximumField)) }
  var extent: Int { Int(bits >> 34) }
}
