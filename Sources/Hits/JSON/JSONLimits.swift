/// How much JSON is accepted; each bound is checked before anything of that size is allocated (TM-161).
public struct JSONLimits: Sendable, Hashable {
  /// The whole input, in bytes; never more than 1 GiB.
  public var bytes: Int
  /// How deep arrays and objects nest; never more than 512.
  public var depth: Int
  /// How many values and keys there are.
  public var nodes: Int
  /// One text or key, in bytes as written.
  public var textBytes: Int

  /// Makes limits; the defaults are those of a compiled container (§100.6).
  public init(
    bytes: Int = 16 << 20, depth: Int = 64, nodes: Int = 16 << 20, textBytes: Int = 1 << 20
  ) {
    self.bytes = min(bytes, JSONNode.maximumField)
    self.depth = min(depth, 512)
    self.nodes = min(nodes, JSONNode.maximumField)
    self.textBytes = textBytes
  }

  /// The limits of a compiled container.
  public static let standard = JSONLimits()
}
