package import Hits

/// The data layer's content: a tree of maps, as a value.
///
/// A copy is a snapshot; copying costs nothing until one of the two changes (TM-521).
package struct DataLayerModel: Sendable, Hashable {
  package private(set) var root: [String: Value]

  package init(_ root: [String: Value] = [:]) { self.root = root }
}
