import Hits

/// One content that was put in force (TM-905).
public struct ContainerUpdate: Sendable, Hashable {
  /// Which content it is, counted from 1.
  public var generation: Int
  /// Where it came from.
  public var origin: ContainerOrigin
  /// Its version; may be empty.
  public var version: String
  /// The names of the constants that have another value than before, or came, or went; in byte order.
  public var changedConstants: [String]
}

extension ContainerUpdate {
  init(from old: ContainerContent, to new: ContainerContent) {
    let (before, after) = (old.constants, new.constants)
    let names = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    self.init(
      generation: new.generation, origin: new.origin, version: new.plan.container.version,
      changedConstants: names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }
}

extension ContainerContent {
  fileprivate var constants: [String: Value] {
    Dictionary(
      plan.names.compactMap { name in name.constant.map { (name.name, $0) } }, uniquingKeysWith: { _, last in last })
  }
}
