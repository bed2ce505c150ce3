import Hits

/// Clears a prefix of the data layer, then pushes maps into it, each as a push of its own.
///
///     value                       list of maps, or one map
///     clear_data_layer_prefix     optional
struct DataLayerWriteTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    let prefix = call.text("clear_data_layer_prefix")
    let updates = Self.maps(call["value"])
    guard !prefix.isEmpty || updates != nil else { throw .evaluation(.missingParameter("value")) }
    return (prefix.isEmpty ? [] : [.clear(prefix: prefix)]) + (updates ?? []).map { .push($0) }
  }

  private static func maps(_ value: Value?) -> [[String: Value]]? {
    switch value {
    case .list(let items): items.compactMap(\.map)
    case .map(let entries): [entries]
    default: nil
    }
  }
}
