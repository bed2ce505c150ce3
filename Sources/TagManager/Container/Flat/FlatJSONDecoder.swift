import Hits

/// Decodes a JSON object as a flat container (TM-130, TM-131).
struct FlatJSONDecoder {
  let limits: DecodeLimits

  func decode(_ root: JSONElement, diagnostics: inout DiagnosticList) throws(DecodingFault) -> CompiledContainer {
    var builder = FlatContainerBuilder(limits: limits)
    builder.reserve(root.members.count)
    for member in root.members {
      let key = member.key
      guard let value = try value(member.value, at: key, in: &builder, diagnostics: &diagnostics) else { continue }
      try builder.add(key, value)
    }
    return try builder.container(diagnostics: &diagnostics)
  }

  /// Adds a value, whose nesting the reader of the text has bounded; null has none.
  private func value(
    _ element: JSONElement, at location: String, in builder: inout FlatContainerBuilder,
    diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> ValueIndex? {
    switch element.kind {
    case .null:
      diagnostics.add(FlatContainerBuilder.unsupported("null", at: location))
      return nil
    case .bool, .number, .text: return try builder.scalar(element.value)
    case .array:
      var items: [ValueIndex] = []
      for item in element.items {
        if let item = try value(item, at: location, in: &builder, diagnostics: &diagnostics) { items.append(item) }
      }
      return try builder.list(items)
    case .object:
      var entries: [MapEntry] = []
      for member in element.members {
        if let item = try value(member.value, at: location, in: &builder, diagnostics: &diagnostics) {
          entries.append(MapEntry(key: try builder.scalar(.string(member.key)), value: item))
        }
      }
      return try builder.map(entries)
    }
  }
}
