import Hits

/// The names of a value collection, in byte order, each with its value (TM-643).
///
/// A collection is the text of an object, or a list of maps with `key` and `value`, or a map.
struct ValueCollection {
  /// A value as it is compiled.
  enum Content {
    /// What the text of an object says; texts in it may refer to variables.
    case literal(Value)
    case parameter(Parameter)
  }

  private(set) var entries: [(key: String, content: Content)] = []

  init(_ variable: Variable) throws(CollectionReader.Fault) {
    guard let collection = variable.parameters.last(where: { $0.key == "collection" }) else { return }
    var contents: [String: Content] = [:]
    switch collection.kind {
    case .list:
      for row in collection.items {
        guard let key = row.items.last(where: { $0.key == "key" })?.text else { continue }
        contents[key] = row.items.last { $0.key == "value" }.map(Content.parameter)
      }
    case .map: for entry in collection.items { contents[entry.key] = .parameter(entry) }
    default: for (key, value) in try CollectionReader.read(collection.text) { contents[key] = .literal(value) }
    }
    // Nothing can ask for a value without a name.
    contents[""] = nil
    entries = contents.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, $0.value) }
  }
}
